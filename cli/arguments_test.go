package cli

import "testing"

// Common typing errors count one each.
func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"top", "top", 0}, {"", "top", 3}, {"top", "", 3},
		{"tpo", "top", 1}, {"otp", "top", 1}, {"tp", "top", 1}, {"topp", "top", 1}, {"tip", "top", 1},
		{"fromat", "format", 1}, {"fromta", "format", 2}, {"opt", "top", 2}, {"kitten", "sitting", 3},
	} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
