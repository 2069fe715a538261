package cli

import (
	"cmp"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
)

// Arrow and Parquet have the rows of text, in the same order.
func TestTopInEveryFormat(t *testing.T) {
	folder := t.TempDir()
	edges := filepath.Join(folder, "edges.csv")
	if err := os.WriteFile(edges, []byte("src,dst\n1,2\n2,3\n3,4\n4,1\n4,5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{"arrow", "arrows", "parquet"} {
		out := filepath.Join(folder, "top."+ending)
		p := &process{stdin: strings.NewReader(""), stdout: io.Discard, console: newConsole(io.Discard)}
		if err := p.start(t.Context(), []string{edges, "--top", "2", "-o", out, "--engine", "cpu"}); err != nil {
			t.Fatal(err)
		}
		table, err := arrowio.ReadTable(t.Context(), tables.Options{Paths: []string{out}})
		if err != nil || !slices.Equal(table.IDs.Ints, []uint64{4, 1}) || !slices.Equal(table.Floats(tables.ScoreColumn), []float64{3.5, 1}) {
			t.Errorf("%s: %v, %v", ending, table, err)
		}
	}
}

// The heap gives the result of sorting, with many ties and for any length.
func TestHighest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		scores := make([]float64, random.IntN(40))
		order := make([]uint32, len(scores))
		for v := range scores {
			scores[v] = float64(random.IntN(6))
			order[v] = uint32(v)
		}
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(scores[b], scores[a]) })
		for _, most := range []int{0, 1, 2, 7, 39, 40, 100} {
			if got, want := highest(scores, most), order[:min(most, len(order))]; !slices.Equal(got, want) {
				t.Fatalf("%d highest of %v: %v, want %v", most, scores, got, want)
			}
		}
	}
}
