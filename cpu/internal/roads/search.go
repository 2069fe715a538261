package roads

import (
	"context"
	"math/bits"

	"bcstage/cpu/internal/lengths"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Search is the state of one goroutine's searches.
type Search struct {
	block *preprocess.Block
	*skeleton
	near   *lengths.Search
	roots  []uint32  // junctions that the batch needs, ascending
	lines  [][]int32 // by root: distances of all junctions
	number []int32   // by junction: its root; -1: none

	lo, hi uint32  // the batch's sources: local vertices lo..hi-1
	from   []int32 // by vertex: distance from the current junction
	levels int     // more than all of from, by the depth of the deepest tree at most
	apart  []int32 // by vertex: distance from the chain's first end minus that from the second
	moves  []uint32
	lists  [][]uint32 // by depth: counts by distance of a vertex that hangs so deep
	ends   [2][]uint32
	below  []uint32

	inverse   []uint64 // by distance: 1/distance in units of Found.Harmonic
	found     []engine.Found
	got, want [1]float64
}

// New makes a Search. With portableOnly it uses only kernels in Go; the results are the same.
func New(portableOnly bool) *Search { return &Search{near: lengths.New(portableOnly)} }

// Bytes returns an estimate of the memory of a Search of the block.
func Bytes(b *preprocess.Block) int64 {
	const vertex = 40 + 8 + 6*4 // found, distances, skeleton
	k := newSkeleton(b)
	n, junctions := int64(b.Vertices()), int64(len(k.Junctions))
	levels := 2*int64(depth(&b.Graph)) + int64(k.deepest) + 2
	roots := min(int64(b.Lanes), junctions)
	lists := (int64(k.deepest)*2 + 8) * levels
	return vertex*n + 4*roots*junctions + lengths.DistanceBytes(&k.over) + 4*(int64(2*k.longest+1)*levels+lists)
}

// depth returns the largest distance from vertex 0.
func depth(g *csr.Graph) (deepest int32) {
	distance := make([]int32, g.Vertices())
	queue := []uint32{0}
	for head := 0; head < len(queue); head++ {
		u := queue[head]
		for _, v := range g.Neighbours(u) {
			if v > 0 && distance[v] == 0 {
				distance[v] = distance[u] + 1
				queue = append(queue, v)
			}
		}
		deepest = distance[u]
	}
	return deepest
}

// Run finds the numbers of the sources of a batch. The only error is the context's.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	if s.block != b {
		*s = Search{block: b, skeleton: newSkeleton(b), near: s.near}
		n := b.Vertices()
		s.number = make([]int32, len(s.Junctions))
		s.from, s.apart, s.found = make([]int32, n), make([]int32, n), make([]engine.Found, n)
		s.inverse = []uint64{0}
	}
	clear(s.found)
	s.lo, s.hi = b.Sources[batch.First], b.Sources[batch.First+batch.Count-1]+1
	if err := s.root(ctx); err != nil {
		return engine.Result{}, err
	}
	e := 0
	for j := range s.junction {
		first := e
		for e < len(s.Ends) && s.Ends[e][1] == uint32(j) {
			e++
		}
		if s.number[j] < 0 {
			continue
		}
		if err := s.around(ctx, j, s.group[first:e]); err != nil {
			return engine.Result{}, err
		}
	}
	reached, want := uint64(0), uint64(0)
	for v := s.lo; v < s.hi; v++ {
		reached += s.found[v].Reach
		want += uint64(b.Reach[v])
	}
	s.got[0], s.want[0] = float64(reached), float64(want)
	return engine.Result{Batch: batch, Found: s.found, Got: s.got[:], Want: s.want[:], Together: true}, nil
}

// wanted says whether the batch has sources in a group.
func (s *Search) wanted(g *group) bool { return g.first < s.hi && s.lo < g.end }

// root finds the distances from all junctions that the batch needs.
func (s *Search) root(ctx context.Context) error {
	for j := range s.number {
		s.number[j] = -1
	}
	for j := range s.junction {
		if s.wanted(&s.junction[j]) {
			s.number[j] = 0
		}
	}
	for i := range s.hollow {
		if g := &s.hollow[i]; s.wanted(g) {
			s.number[g.ends[0]], s.number[g.ends[1]] = 0, 0
		}
	}
	s.roots = s.roots[:0]
	for j, number := range s.number {
		if number == 0 {
			s.number[j] = int32(len(s.roots))
			s.roots = append(s.roots, uint32(j))
		}
	}
	for len(s.lines) < len(s.roots) {
		s.lines = append(s.lines, make([]int32, len(s.Junctions)))
	}
	return s.near.Lines(ctx, &s.over, s.roots, s.lines)
}

// around computes the wanted lists of junction j, and of the chains whose second end it
// is. chains has their numbers in hollow.
func (s *Search) around(ctx context.Context, j int, chains []int32) error {
	some := s.wanted(&s.junction[j])
	for _, i := range chains {
		some = some || i >= 0 && s.wanted(&s.hollow[i])
	}
	if !some {
		return nil
	}
	line := s.lines[s.number[j]]
	s.expand(line)
	known := false // whether the list of j is
	for _, i := range chains {
		if i < 0 || !s.wanted(&s.hollow[i]) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		g := &s.hollow[i]
		s.count(g, line, s.lines[s.number[g.ends[0]]])
		if !known && s.wanted(&s.junction[j]) {
			known = true
			s.list(0, s.levels)
			copy(s.lists[0], s.ends[1])
			for v := g.first; v < g.end; v++ {
				s.lists[0][s.from[v]]++
			}
			if err := s.tell(ctx, s.junction[j].first); err != nil {
				return err
			}
		}
		if err := s.walk(ctx, g, int(line[g.ends[0]])); err != nil {
			return err
		}
	}
	if !known && s.wanted(&s.junction[j]) {
		if err := ctx.Err(); err != nil {
			return err
		}
		list := s.list(0, s.levels)
		for _, d := range s.from {
			list[d]++
		}
		return s.tell(ctx, s.junction[j].first)
	}
	return nil
}

// tell computes the numbers of a vertex that hangs on no other from its list, then those of the
// vertices that hang on it.
func (s *Search) tell(ctx context.Context, v uint32) error {
	s.sum(v, s.lists[0])
	if hung := s.hung[v]; hung > 0 {
		return s.hang(ctx, hung, s.end[v])
	}
	return s.hang(ctx, v+1, s.end[v])
}

// hang makes the lists of the vertices first..end-1. They hang on the vertex whose list is
// lists[0].
func (s *Search) hang(ctx context.Context, first, end uint32) error {
	if s.hi <= first || end <= s.lo {
		return nil
	}
	for v := first; v < min(end, s.hi); v++ {
		if err := ctx.Err(); err != nil { // each vertex counts its subtree, and makes a list
			return err
		}
		depth := int(s.depth[v])
		below := s.belowOf(v)
		above := s.lists[depth-1]
		list := s.list(depth, len(above)+1)
		copy(list[1:], above)
		for d, count := range below {
			list[d+2] -= count
			list[d] += count
		}
		s.sum(v, list)
	}
	return nil
}

// belowOf counts a hanging vertex and all vertices that hang on it, by distance from it.
func (s *Search) belowOf(v uint32) []uint32 {
	s.below = s.below[:0]
	for u := v; u < s.end[v]; u++ {
		for d := int(s.depth[u] - s.depth[v]); d >= len(s.below); {
			s.below = append(s.below, 0)
		}
		s.below[s.depth[u]-s.depth[v]]++
	}
	return s.below
}

// list returns cleared room for the counts of a vertex at a depth, with distances below levels.
func (s *Search) list(depth, levels int) []uint32 {
	for len(s.lists) <= depth {
		s.lists = append(s.lists, nil)
	}
	s.lists[depth] = pages.Cleared(s.lists[depth], levels)
	return s.lists[depth]
}

// sum computes the numbers of a vertex from its list, if the batch has it.
func (s *Search) sum(v uint32, list []uint32) {
	if v < s.lo || v >= s.hi {
		return
	}
	for d := uint64(len(s.inverse)); d < uint64(len(list)); d++ {
		s.inverse = append(s.inverse, (1<<engine.HarmonicBits+d/2)/d)
	}
	var f engine.Found
	for d := 1; d < len(list); d++ {
		count := uint64(list[d])
		if count == 0 {
			continue
		}
		f.Reach += count
		f.Farness += count * uint64(d)
		high, low := bits.Mul64(count, s.inverse[d])
		var carry uint64
		f.Harmonic, carry = bits.Add64(f.Harmonic, low, 0)
		f.HarmonicHigh += high + carry
		f.Eccentricity = uint64(d)
	}
	s.found[v] = f
}
