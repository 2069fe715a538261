package pairs

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// The room of a sampler's thread after many draws is at most Bytes, and Bytes is not far
// above it: the room for inner vertices is that of many draws.
func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 10))
	reduced := func(edges []testgraphs.Edge) *preprocess.Block {
		return &testblocks.Reduced(t, edges, preprocess.Options{Threads: 1}).Blocks[0]
	}
	sparse := reduced(testgraphs.Random(r, 20_000, 20_000, 60_000))
	for name, block := range map[string]*preprocess.Block{
		"sparse":  sparse,
		"dense":   reduced(testgraphs.Random(r, 3000, 3000, 300_000)),
		"grid":    reduced(testgraphs.Grid(140, 140)),
		"lengths": withLengths(r, sparse, 9),
		"trips":   withTrips(r, reduced(testgraphs.Grid(20, 20))),
		"edges":   testblocks.Flows(reduced(testgraphs.Grid(140, 140))),
	} {
		sampler := New(block, 2)
		if _, err := sampler.Draw(t.Context(), Draws{Seed: 3, Count: 3000, Threads: 1}); err != nil {
			t.Fatal(err)
		}
		x := sampler.idle[0]
		held := room(x.inner) + room(x.path) + room(x.leave) + room(x.lead) + room(x.sorted)
		for _, s := range x.sides {
			held += room(s.sums) + room(s.seen) + room(s.place.slots) + room(s.place.array) + room(s.order) + room(s.paths)
		}
		if l := x.lengths; l != nil {
			held += room(l.meets) + room(l.among) + room(l.found)
			for _, s := range l.sides {
				held += room(s.distance) + room(s.settled) + room(s.paths) + room(s.touched) + room(s.queue)
			}
		}
		most := Bytes(block)
		t.Logf("%s: %d bytes held, %d expected", name, held, most)
		if held > most || held < (most-5<<16)/8 {
			t.Errorf("%s: %d bytes held, %d expected", name, held, most)
		}
		if held, most := room(sampler.from.upTo)+room(sampler.from.first)+8*int64(block.Vertices()), SharedBytes(block); held > most {
			t.Errorf("%s: %d bytes shared, %d expected", name, held, most)
		}
	}
}

// room is the memory of a slice, used or not.
func room[E any](s []E) int64 { return int64(cap(s)) * int64(reflect.TypeFor[E]().Size()) }
