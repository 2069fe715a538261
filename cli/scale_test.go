package cli

import (
	"bytes"
	"io"
	"math"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/pipeline"
)

// A division can make two scores equal. They then share a rank, in first-seen order.
func TestRanksOfScaledScores(t *testing.T) {
	const divisor = 3 // pairs of the other three of four vertices
	low := 1.9
	for math.Nextafter(low, 2)/divisor != low/divisor {
		low = math.Nextafter(low, 2)
	}
	table := tables.Table{
		IDs: tables.Keys{Ints: []uint64{1, 2, 3, 4}},
		Columns: []tables.Column{
			{Name: tables.ScoreColumn, Values: tables.Floats{0, low, math.Nextafter(low, 2), 0}},
			{Name: measures.Rank, Values: tables.Ints{3, 2, 1, 3}},
		},
	}
	table.Order = []uint32{2, 1, 0, 3}
	var out bytes.Buffer
	d := &destination{p: &process{stdout: &out, console: newConsole(io.Discard)}, format: tables.FormatCSV, scale: scalePairs, sort: pipeline.ByScore}
	if err := d.sink(func() {})(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	score := string(tables.Floats{low / divisor}.AppendText(nil, 0))
	if got, want := out.String(), "vertex,betweenness_centrality,rank\n2,"+score+",1\n3,"+score+",1\n1,0,3\n4,0,3\n"; got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}
