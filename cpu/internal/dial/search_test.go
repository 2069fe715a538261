package dial

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/cpu/internal/lengths"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// random returns a search of a random graph, in the midst, with a bucket of vertices to look from.
func random(r *rand.Rand) (s *Search, taken *bucket, linked, first int) {
	n := 1 + r.IntN(60)
	b := &preprocess.Block{Graph: csr.Graph{Offsets: []int64{0}}}
	for v := range n {
		for range r.IntN([]int{3, 9, 40, 90}[r.IntN(4)]) {
			if u := r.IntN(n); u != v {
				b.Targets, b.Lengths = append(b.Targets, uint32(u)), append(b.Lengths, 1+r.Int64N(40))
			}
		}
		b.Offsets = append(b.Offsets, int64(len(b.Targets)))
	}
	b.Lengths = append(b.Lengths, 1) // the divisor
	s, taken, linked, first = New("go"), new(bucket), r.IntN(5)-1, r.IntN(3)
	s.prepare(b)
	s.ties = r.Uint32N(2)
	m := len(b.Targets)
	s.lists, s.shift = new([mostBuckets]bucket), uint64(r.IntN(3))
	for v := range s.distance {
		if s.distance[v] = uint32(r.IntN(60)); v > 0 && r.IntN(4) == 0 {
			s.distance[v] = far
		} else if v == 0 || r.IntN(2) == 0 {
			taken.entries = append(taken.entries, uint64(s.distance[v]+uint32(r.IntN(2)))<<32|uint64(v))
		}
		list := &s.lists[r.IntN(100)]
		list.entries = make([]uint64, 1+r.IntN(8))
		list.count = uint32(r.IntN(len(list.entries)))
	}
	taken.count = uint32(len(taken.entries))
	for _, list := range []*[]uint32{&s.offered, &s.offers, &s.senders, &s.after, &s.before} {
		*list = make([]uint32, 3+m+roomLeft)
	}
	if s.ties == 0 {
		s.senders = s.offered
	}
	return s, taken, linked, first
}

func sameLook(t *testing.T, seed uint64) {
	listed := [2]string{}
	for i, look := range []kernel{look, kernelOf("avx512")} {
		s, taken, linked, first := random(rand.New(rand.NewPCG(seed, 1)))
		links, offers, put := look(&s.frame, taken, linked, first)
		s.put(&s.frame, put, offers)
		listed[i] = fmt.Sprint(s.offered[:offers], s.offers[:offers], s.senders[:offers], s.after[:max(links, 0)], s.before[:max(links, 0)], s.distance, s.waiting)
		for at := range s.lists {
			if list := &s.lists[at]; list.count > 0 {
				listed[i] += fmt.Sprint(at, list.entries[:list.count])
			}
		}
	}
	if listed[0] != listed[1] {
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

// either returns a random block with lengths and maybe a cutoff, directed or not.
func either(r *rand.Rand) *preprocess.Block {
	b := testblocks.Random(r, 2+r.IntN(90), r.IntN(300), 64)
	if r.IntN(2) == 0 {
		b = testblocks.RandomDirected(r, 2+r.IntN(90), r.IntN(600), 64)
	}
	testblocks.Lengths(r, b, 1+r.Int64N(100))
	b.Cutoff, b.Sources = r.IntN(3)*40, b.Sources[:min(len(b.Sources), b.Lanes)]
	return b
}

// Scores are those of rows of lanes. Bits depend neither on the unit of the lengths nor on the kernel.
func TestUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 7))
	for range 200 / testgraphs.OneIn {
		b := either(r)
		want := scores(t, New("go"), b)
		rows, err := lengths.New(true).Run(t.Context(), b, engine.Batch{Count: len(b.Sources)})
		if err != nil {
			t.Fatal(err)
		}
		testblocks.WantClose(t, "scores", want, rows.Scores, 1e-12)
		b.Cutoff *= 1000
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
