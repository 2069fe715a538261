package pipeline

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
)

// Every table of testdata gives the scores of its golden file, which NetworkX computed.
func TestGoldens(t *testing.T) {
	goldens, err := filepath.Glob("../testdata/*.golden.csv")
	if err != nil || len(goldens) < 4 {
		t.Fatalf("goldens %v, error %v", goldens, err)
	}
	for _, golden := range goldens {
		var got tables.Table
		_, err := Run(context.Background(), Options{
			Input: Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{strings.Replace(golden, ".golden", "", 1)}}},
		}, into(&got))
		if err != nil {
			t.Error(err)
			continue
		}
		file, err := os.Open(golden)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		rows = rows[1:]
		scores := scoresIn(got)
		if len(rows) != len(scores) {
			t.Errorf("%s: %d vertices, want %d", golden, len(scores), len(rows))
			continue
		}
		for i, row := range rows {
			want, err := strconv.ParseFloat(row[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			if id := got.Type.Format(got.IDs, i); id != row[0] {
				t.Errorf("%s: vertex %d is %q, want %q", golden, i, id, row[0])
			}
			if math.Abs(scores[i]-want) > 1e-11*max(want, 1) {
				t.Errorf("%s: vertex %s: %v, want %v", golden, row[0], scores[i], want)
			}
		}
	}
}
