package report

import (
	"testing"

	"bcstage/arrowio/tables"
)

func TestAsked(t *testing.T) {
	for text, want := range map[string]string{
		"": "How many shortest paths between others does each vertex lie on? Edges run both ways. A path is as long as it has edges.",
		"directed=true weight=km columns=closeness_out": "How near is each vertex to the others? Edges run one way. A path is as long as the sum of km along it.",
		"columns=degree":                     "How many neighbours has each vertex? Edges run both ways. A path is as long as it has edges.",
		"cutoff=2,3 origins=people":          "How much goes through each vertex? Edges run both ways. A path is as long as it has edges. A path counts for people where it begins. No longer paths count than 2, 3, for a column each.",
		"of=another version":                 "of=another version",
		"endpoints=true cutoff=2.5 weight=m": "How many shortest paths between others does each vertex lie on? Edges run both ways. A path is as long as the sum of m along it. A path counts for its two ends, too. No longer paths count than 2.5.",
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
	if got, want := ofEdges.Asked(), "How many shortest paths run over each edge? Edges run both ways. A path is as long as it has edges."; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
