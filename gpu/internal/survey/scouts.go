package survey

import (
	"context"
	"math/bits"
	"sync"
	"sync/atomic"

	"bcstage/preprocess"
)

// scouts search a block from the sources of a survey at once, breadth first, and
// count shortest paths. All threads pull a wide level, in ranges of vertices: each
// open vertex looks at its neighbours. One thread pushes a narrow level along its
// own edges. (S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing
// breadth-first search", SC 2012.)
type scouts struct {
	block   *preprocess.Block
	threads int

	seen, now, next []uint8            // by vertex: a bit for each source
	level           []uint32           // vertices of the present level, if narrow
	counts          [][Sources]float64 // by vertex: shortest paths; may be +Inf
	found           [Sources]int       // vertices of the level
	depth, width    [Sources]int       // levels after the first, and vertices of the widest
}

func newScouts(b *preprocess.Block, threads int) *scouts {
	n := b.Vertices()
	return &scouts{
		block: b, threads: threads,
		seen: make([]uint8, n), now: make([]uint8, n), next: make([]uint8, n),
		counts: make([][Sources]float64, n),
	}
}

// start sets source i.
func (s *scouts) start(i int, v uint32) {
	if s.now[v] == 0 {
		s.level = append(s.level, v)
	}
	s.seen[v] |= 1 << i
	s.now[v] |= 1 << i
	s.counts[v][i] = 1
	s.width[i] = 1
}

// narrow: a level is pushed if it has at most 1/narrow of all edges.
const narrow = 16

// search goes through all levels. The error is the context's.
func (s *scouts) search(ctx context.Context) error {
	for depth := 1; ; depth++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.found = [Sources]int{}
		edges := int64(0)
		for _, u := range s.level {
			edges += s.block.Offsets[u+1] - s.block.Offsets[u]
		}
		if s.level != nil && edges <= int64(len(s.block.Targets)/narrow) {
			s.push()
		} else if err := s.pull(ctx); err != nil {
			return err
		}
		s.now, s.next = s.next, s.now
		none := true
		for i, found := range s.found {
			if found > 0 {
				s.depth[i], none = depth, false
				s.width[i] = max(s.width[i], found)
			}
		}
		if none {
			return nil
		}
	}
}

// push follows the edges of the level, and makes the next.
func (s *scouts) push() {
	level := []uint32{}
	for _, u := range s.level {
		for _, v := range s.block.Neighbours(u) {
			fresh := s.now[u] &^ s.seen[v]
			if fresh == 0 {
				continue
			}
			if s.next[v] == 0 {
				level = append(level, v)
			}
			s.next[v] |= fresh
			s.add(&s.counts[v], u, fresh)
		}
	}
	for _, u := range s.level {
		s.now[u] = 0
	}
	for _, v := range level {
		s.settle(v, s.next[v], &s.found)
	}
	s.level = level
}

// pull looks from every open vertex for neighbours in the level. It lists narrow
// levels again.
func (s *scouts) pull(ctx context.Context) error {
	const all, grain = 1<<Sources - 1, 1 << 12
	n := len(s.seen)
	in := s.block.Reverse()
	var next atomic.Int64
	var lock sync.Mutex
	var listed int
	work := func() {
		for ctx.Err() == nil {
			first := (int(next.Add(1)) - 1) * grain
			if first >= n {
				return
			}
			var found [Sources]int
			met := 0
			for v := uint32(first); v < uint32(min(first+grain, n)); v++ {
				fresh := uint8(0)
				if open := all &^ s.seen[v]; open != 0 {
					for _, u := range in.Neighbours(v) {
						if hit := s.now[u] & open; hit != 0 {
							fresh |= hit
							s.add(&s.counts[v], u, hit)
						}
					}
				}
				s.next[v] = fresh
				if fresh != 0 {
					met++
					s.settle(v, fresh, &found)
				}
			}
			lock.Lock()
			listed += met
			for i := range found {
				s.found[i] += found[i]
			}
			lock.Unlock()
		}
	}
	var others sync.WaitGroup
	for range min(s.threads, (n+grain-1)/grain) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	s.level = nil
	if ctx.Err() == nil && listed <= n/narrow {
		s.level = make([]uint32, 0, listed)
		for v, fresh := range s.next {
			if fresh != 0 {
				s.level = append(s.level, uint32(v))
			}
		}
		clear(s.now) // push clears only marks of its own level
	}
	return ctx.Err()
}

// add counts the paths that come from u.
func (s *scouts) add(counts *[Sources]float64, u uint32, sources uint8) {
	for ; sources != 0; sources &= sources - 1 {
		i := bits.TrailingZeros8(sources)
		counts[i] += s.counts[u][i]
	}
}

// settle closes a vertex for sources that have reached it.
func (s *scouts) settle(v uint32, fresh uint8, found *[Sources]int) {
	s.seen[v] |= fresh
	for ; fresh != 0; fresh &= fresh - 1 {
		i := bits.TrailingZeros8(fresh)
		found[i]++
		if s.block.Multiplicity != nil {
			s.counts[v][i] *= s.block.Multiplicity[v]
		}
	}
}

// paths is the largest number of shortest paths to a vertex.
func (s *scouts) paths() (most float64) {
	for _, counts := range s.counts {
		most = max(most, counts[0], counts[1], counts[2])
	}
	return most
}
