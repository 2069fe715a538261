package ledger

import (
	"slices"
	"testing"

	"bcstage/preprocess"
)

// Memory is written to, and its values do not change.
func TestTouch(t *testing.T) {
	l := &Ledger{plan: &preprocess.Plan{}}
	for _, n := range []int{0, 1, 300, 1<<16 + 5, 1 << 18} {
		s := newSumsOf(n, 40)
		for i := range s.words {
			s.words[i] = word{uint64(i), ^uint64(i)}
		}
		l.now.columns = append(l.now.columns, column{sums: s})
	}
	var before [][]word
	for _, c := range l.now.columns {
		before = append(before, slices.Clone(c.sums.words))
	}
	l.Touch(t.Context())
	for i, c := range l.now.columns {
		if !slices.Equal(c.sums.words, before[i]) {
			t.Errorf("column %d has changed", i)
		}
	}
}
