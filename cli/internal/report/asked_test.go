package report

import (
	"testing"

	"bcstage/arrowio/tables"
)

func TestAsked(t *testing.T) {
	for text, want := range map[string]string{
		"": "How many shortest paths between other vertices pass each vertex? Edges run both ways. The length of a path is its number of edges.",
		"directed=true weight=km columns=closeness_out": "How near is each vertex to the others? Edges run one way. The length of a path is the sum of km along it.",
		"columns=degree":                     "How many neighbours does each vertex have? Edges run both ways. The length of a path is its number of edges.",
		"cutoff=2,3 origins=people":          "How much flows through each vertex? Edges run both ways. The length of a path is its number of edges. A path counts people at its source. Paths count up to length 2, 3, with a column for each.",
		"of=another version":                 "of=another version",
		"endpoints=true cutoff=2.5 weight=m": "How many shortest paths between other vertices pass each vertex? Edges run both ways. The length of a path is the sum of m along it. A path counts for its two ends, too. Paths count up to length 2.5.",
	} {
		d := Data{Metadata: []tables.KeyValue{{Key: "fingerprint", Value: "a"}, {Key: "question", Value: text}}}
		if got := d.Asked(); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", text, got, want)
		}
	}
	if got := (Data{}).Asked(); got != "" {
		t.Errorf("of a table that is another program's: %s", got)
	}
	ofEdges := Data{OfEdges: true, Metadata: []tables.KeyValue{{Key: "fingerprint", Value: "a"}}}
	if got, want := ofEdges.Asked(), "How many shortest paths run over each edge? Edges run both ways. The length of a path is its number of edges."; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
