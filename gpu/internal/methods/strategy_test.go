package methods

import (
	"slices"
	"testing"

	"bcstage/gpu/internal/wave"
)

// The strategies that can be asked for are the methods there are.
func TestStrategiesAreMethods(t *testing.T) {
	want := []wave.Strategy{Auto}
	for _, m := range Counting() {
		want = append(want, m.Name())
	}
	if got := Strategies(); !slices.Equal(got, want) {
		t.Errorf("strategies %v, want %v", got, want)
	}
}
