package ledger

import (
	"slices"
	"testing"
)

func FuzzRanges(f *testing.F) {
	f.Add("0-41,97,100-120", 200)
	f.Add("", 3)
	f.Fuzz(func(t *testing.T, text string, n int) {
		set, err := parseRanges(text, n%100_000)
		if err != nil {
			return
		}
		again, err := parseRanges(formatRanges(set), len(set))
		if err != nil || !slices.Equal(set, again) {
			t.Errorf("%q of %d: %q", text, n, formatRanges(set))
		}
	})
}
