package splitmix_test

import (
	"testing"

	"bcstage/internal/splitmix"
)

// The first numbers of the reference implementation with seed 1234567 (S. Vigna,
// splitmix64.c) and of seed 0.
func TestReference(t *testing.T) {
	state := uint64(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		state += splitmix.Golden
		if got := splitmix.Mix(state); got != want {
			t.Errorf("number %d: %d, want %d", i, got, want)
		}
	}
	if got := splitmix.Nth(0); got != 0xe220a8397b1dcdaf {
		t.Errorf("seed 0: %#x", got)
	}
}
