package question

import (
	"math/rand/v2"
	"regexp"
	"testing"
)

// A unit is a text that matches this expression.
func TestUnitsArePowers(t *testing.T) {
	pattern := regexp.MustCompile(`^(10\^-?|2\^-?)[1-9][0-9]{0,3}$`)
	random := rand.New(rand.NewPCG(7, 9))
	parts := []string{"10", "2", "^", "^", "-", "1", "9", "0", "7", "x", "", " "}
	units := 0
	for range 100000 {
		text := ""
		for range random.IntN(8) {
			text += parts[random.IntN(len(parts))]
		}
		if got, want := isUnit(text), pattern.MatchString(text); got != want {
			t.Fatalf("%q: %v, want %v", text, got, want)
		} else if got {
			units++
		}
	}
	if units < 100 {
		t.Errorf("%d units: the texts say little", units)
	}
}
