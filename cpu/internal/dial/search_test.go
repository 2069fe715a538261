package dial

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// random returns a frame of a random graph in the midst of a search, and places of vertices to look from.
func random(r *rand.Rand) (f *frame, first, end, linked int) {
	n := 1 + r.IntN(60)
	f = &frame{unmet: far}
	for range n {
		f.offsets = append(f.offsets, int64(len(f.targets)))
		for range r.IntN([]int{3, 9, 40}[r.IntN(3)]) {
			f.targets, f.lengths = append(f.targets, uint32(r.IntN(n))), append(f.lengths, uint32(1+r.IntN(4)))
		}
		f.distance, f.order = append(f.distance, uint32(r.IntN(9))), append(f.order, uint32(r.IntN(n)))
		if r.IntN(4) == 0 {
			f.distance[len(f.distance)-1] = far
		}
	}
	m := len(f.targets)
	f.offsets = append(f.offsets, int64(m))
	linked = r.IntN(5)
	room := make([]uint32, linked+n*(m+1)+roomLeft) // a vertex may be there many times
	f.offered, f.offers, f.before, f.passed = room, slices.Clone(room), slices.Clone(room), make([]uint32, n)
	first = r.IntN(n)
	return f, first, first + 1 + r.IntN(n-first), linked
}

func sameLook(t *testing.T, seed uint64) {
	frames, listed := [2]*frame{}, [2]string{}
	for i, look := range []kernel{look, kernelOf("avx512")} {
		f, first, end, linked := random(rand.New(rand.NewPCG(seed, 1)))
		offers, links := look(f, first, end, linked)
		frames[i], listed[i] = f, fmt.Sprint(f.offered[:offers], f.offers[:offers], f.before[:links], f.passed)
	}
	if listed[0] != listed[1] || !slices.Equal(frames[0].distance, frames[1].distance) {
		t.Fatalf("seed %d: the kernel in Go lists\n%s\nthe other\n%s", seed, listed[0], listed[1])
	}
}

func TestKernels(t *testing.T) {
	for seed := range uint64(3000 / testgraphs.OneIn) {
		sameLook(t, seed)
	}
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(sameLook)
}

func scores(t *testing.T, s *Search, b *preprocess.Block) []float64 {
	t.Helper()
	result, err := s.Run(t.Context(), b, engine.Batch{Count: len(b.Sources)})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Clone(result.Scores)
}

// Bits depend neither on the unit of the lengths nor on the kernel.
func TestUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 7))
	for range 200 / testgraphs.OneIn {
		b := testblocks.Random(r, 2+r.IntN(90), r.IntN(300), 64)
		testblocks.Lengths(r, b, 1+r.Int64N(100))
		want := scores(t, New("go"), b)
		for i := range b.Lengths {
			b.Lengths[i] *= 1000
		}
		for _, set := range []string{"go", "avx512"} {
			if got := scores(t, New(set), b); !slices.Equal(got, want) {
				t.Fatalf("set %s, lengths times 1 000: %v, want %v", set, got, want)
			}
		}
	}
}

// Memory of buckets stays within what Bytes says, whichever buckets the sources fill.
func TestRoom(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 8))
	b := testblocks.Random(r, 300, 900, 64)
	testblocks.Lengths(r, b, 4000)
	s := New("go")
	for range 20 {
		scores(t, s, b)
		room := 0
		for _, list := range s.lists {
			room += len(list.entries)
		}
		if s.room > room || room > 2*bucketRoom*len(b.Targets)+16*300 {
			t.Fatalf("%d entries have room, %d counted, of %d arcs", room, s.room, len(b.Targets))
		}
		for i := range b.Lengths {
			b.Lengths[i] = 1 + (b.Lengths[i]*7+13)%4000
		}
		symmetric(b)
		s.block = nil
	}
}

// symmetric gives both arcs of an edge the length of the one that comes first.
func symmetric(b *preprocess.Block) {
	for u := range uint32(b.Vertices()) {
		for i := b.Offsets[u]; i < b.Offsets[u+1]; i++ {
			v := b.Targets[i]
			for j := b.Offsets[v]; j < b.Offsets[v+1]; j++ {
				if b.Targets[j] == u {
					b.Lengths[j] = b.Lengths[i]
				}
			}
		}
	}
}
