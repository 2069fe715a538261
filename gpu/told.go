package gpu

import (
	"context"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

	"bcstage/preprocess"
)

// A search of strategy Solo knows how many vertices each of its levels has, and with that all
// that is asked about the distances from its source. Where a block that is searched for
// distances alone is the same graph as one that Solo searches, nothing more has to be
// searched: over all sources, what searches find at a vertex is what the one from the vertex
// finds. That holds for all sources together only. So one engine has both blocks, and one
// result for all batches of the second once it has searched from all sources of the
// first; where others took some of either, the second is searched as ever.

// told is a block whose distances another's searches tell.
type told struct {
	paths, distances int      // numbers of the other block, and of this one
	batches          [2]int   // of either, in the plan
	place            []uint32 // by vertex of the other: the same vertex here

	mu    sync.Mutex
	quiet *sync.Cond // nothing is under way, or everything known
	taken int        // batches of the other, so far
	under int        // of them, not handed on yet
	found []preprocess.Found
	known []bool // by vertex, like found
	left  int    // vertices of which nothing is known
}

// tells finds the block whose distances searches of another tell; nil: they do not, or
// not of all blocks that are searched for distances.
func tells(o Options, plan *preprocess.Plan, surveys Surveys) *told {
	surveys.same(o, plan) // if it has not been looked for by these options
	_, distances := surveys.apart()
	for number := range distances {
		for of, found := range surveys {
			if found.same != nil && found.mayTell(&plan.Blocks[of], o) {
				return newTold(plan, of, number, found.same)
			}
		}
	}
	return nil
}

// same notes of blocks whose searches may tell distances which vertices these are of the only block that is searched for
// distances alone.
func (s Surveys) same(o Options, plan *preprocess.Plan) {
	paths, distances := s.apart()
	if len(distances) != 1 {
		return
	}
	for number := range distances {
		for of, found := range paths {
			if found.same == nil && found.mayTell(&plan.Blocks[of], o) {
				found.same = sameVertices(&plan.Blocks[of], &plan.Blocks[number])
				s[of] = found
			}
		}
	}
}

// mayTell says whether a block's searches know distances from all sources.
func (s survey) mayTell(b *preprocess.Block, o Options) bool {
	s = s.asked(b, o)
	s.beside = false
	suits, _ := solo{}.suits(s)
	chosen := suits && o.Strategy == Auto || o.Strategy == Solo && (solo{}).able(s)
	return chosen && !s.drawn
}

func newTold(plan *preprocess.Plan, paths, distances int, place []uint32) *told {
	n := len(place)
	b := &told{paths: paths, distances: distances, place: place, found: make([]preprocess.Found, n), known: make([]bool, n), left: n}
	b.quiet = sync.NewCond(&b.mu)
	for _, batch := range plan.Batches {
		switch batch.Block {
		case paths:
			b.batches[0]++
		case distances:
			b.batches[1]++
		}
	}
	return b
}

// sameVertices says which vertex of a block that is searched for distances each of another
// is; nil: they are not the same graph, or not all of its vertices are sources.
func sameVertices(paths, distances *preprocess.Block) []uint32 {
	n := distances.Vertices()
	if paths.Vertices() != n || len(paths.Targets) != len(distances.Targets) || len(paths.Sources) != n || len(distances.Sources) != n || distances.Reach == nil || distances.HasLengths() {
		return nil
	}
	mine, theirs := paths.Members(), distances.Members()
	if len(mine) != n || len(theirs) != n {
		return nil
	}
	place := make([]uint32, n)
	for i, m := range mine {
		if m.Vertex != theirs[i].Vertex {
			return nil
		}
		place[m.Local] = theirs[i].Local
	}
	beside := slices.Repeat([]uint32{noLane}, n) // the vertex that each was last seen next to
	for v := range uint32(n) {
		there := distances.Neighbours(place[v])
		if len(there) != len(paths.Neighbours(v)) {
			return nil
		}
		for _, u := range there {
			beside[u] = v
		}
		for _, u := range paths.Neighbours(v) {
			if beside[place[u]] != v {
				return nil
			}
		}
	}
	return place
}

// most is how many batches an engine asks for: those of the second block all at once,
// when nothing is left of the first.
func (b *told) most(usual int) int {
	if b == nil {
		return usual
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken < b.batches[0] {
		return usual
	}
	return max(usual, b.batches[1])
}

// begin notes that batches have been taken, and end that they are over, done or not.
func (b *told) begin(batches []preprocess.Batch) {
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		count := b.ofPaths(batches)
		b.taken += count
		b.under += count
	}
}

func (b *told) end(batches []preprocess.Batch) {
	if b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.under -= b.ofPaths(batches); b.under == 0 {
			b.quiet.Broadcast()
		}
	}
}

func (b *told) ofPaths(batches []preprocess.Batch) (count int) {
	for _, batch := range batches {
		if batch.Block == b.paths {
			count++
		}
	}
	return count
}

// note takes down what searches from sources have told, by lane, and of each the totals.
// What reaches not all vertices is left to be searched.
func (b *told) note(sources []uint32, sums []uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var fresh atomic.Int64
	inGrains(len(sources), 1<<10, func(first, end int) { // sources of a wave differ
		for i := first; i < end; i++ {
			if sources[i] == noLane {
				continue
			}
			of, v := foundOf(sums[totals*i:], 1), b.place[sources[i]]
			if !b.known[v] && of.Reach == uint64(len(b.place)-1) {
				b.known[v], b.found[v] = true, of
				fresh.Add(1)
			}
		}
	})
	if b.left -= int(fresh.Load()); b.left == 0 {
		b.quiet.Broadcast()
	}
}

// foundOf is what is found of totals that lie so far apart.
func foundOf(sums []uint64, apart int) preprocess.Found {
	low, high := sums[2*apart], sums[3*apart] // of inverses, the high half in units of 2^32
	low, carry := bits.Add64(low, high<<32, 0)
	return preprocess.Found{
		Reach: sums[0], Farness: sums[apart], Eccentricity: sums[4*apart],
		Harmonic: low, HarmonicHigh: high>>32 + carry,
	}
}

// all is the result for batches of the second block. It waits for what is under way of the
// first, and is false if these batches are not all, or something is not known then.
func (b *told) all(ctx context.Context, batches []preprocess.Batch) (r preprocess.Result, ok bool) {
	if len(batches) < b.batches[1] {
		return r, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	defer context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.quiet.Broadcast()
	})()
	for b.under > 0 && b.left > 0 && ctx.Err() == nil {
		b.quiet.Wait()
	}
	if b.left > 0 {
		return r, false
	}
	reached := float64(len(b.place)) * float64(len(b.place)-1)
	return preprocess.Result{Batch: batches[0], More: len(batches) - 1, Found: b.found, Got: []float64{reached}, Want: []float64{reached}, Together: true}, true
}
