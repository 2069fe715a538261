package pairs

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// Positions of arcs around 2^32 give the pairs and paths of small ones.
func TestFarArcs(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	b := testblocks.Of(2000, testgraphs.Random(r, 2000, 2000, 20_000), 64)
	far := *b
	far.Offsets, far.Targets = testgraphs.Far(t, b.Offsets, b.Targets)
	d := Draws{Seed: 1, Count: 3000, Threads: 2}
	want, got := draw(t, b, d), draw(t, &far, d)
	if want.Paths == 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d paths of %d inner vertices, want %d of %d", got.Paths, got.Length, want.Paths, want.Length)
	}
}
