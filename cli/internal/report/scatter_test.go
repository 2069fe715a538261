package report

import "testing"

// A column of another program's file may have any name, or none.
func TestTitlesOfColumns(t *testing.T) {
	values := []float64{1, 2, 5}
	for name, want := range map[string]string{"": " against scores", "école_une": "École une against scores", "degree": "Degree against scores", "\xff": "\uFFFD against scores"} {
		d := Data{Columns: []Column{{Name: "scores", Values: values}, {Name: name, Values: values}}}
		p, err := d.against(d.Columns[1])
		if err != nil || p.Title != want {
			t.Errorf("%q: %v, %v, want %q", name, p, err, want)
		}
	}
}
