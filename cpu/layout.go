package cpu

import (
	"unsafe"

	"bcstage/preprocess"
)

// layout is a block with its vertices in the order of its sources, which are cut into
// batches by where they lie. The frontier of a mesh is a narrow ring; in this order
// what a search keeps by vertex shares cache lines along it, where breadth-first
// order, in which blocks come, strews it. The neighbours of a vertex stay in the
// block's order, hence all sums and their bits.
type layout struct {
	block        []uint32 // vertex of the block, by ours
	ours         []uint32 // and back
	offsets      []int64
	targets      []uint32
	to           []float64
	multiplicity []float64 // nil: all 1
}

// Blocks are laid out if their rows are many bytes and they are deep, that is meshes:
// processor time is 0.9 times as long on delaunay_n16 and 0.83 on t60k, kernels that
// ask for rows ahead included; what is shallow is searched in breadth-first order
// sooner (p2p-Gnutella31 1.1 times, docs/benchmarks).
const (
	farRows   = 12 << 20 // bytes
	deepBlock = 64       // levels
)

// laidOut says whether a block is to be laid out, for rows of so many bytes.
func laidOut(b *preprocess.Block, row int) bool {
	n := b.Vertices()
	return n*row >= farRows && b.In == nil && b.Draws == nil && b.Flows == nil && b.Farness != nil && len(b.Sources) == n && b.Depth() >= deepBlock
}

// layOut lays an undirected block out all of whose vertices are sources.
func layOut(b *preprocess.Block) *layout {
	n := b.Vertices()
	l := &layout{block: b.Sources, ours: make([]uint32, n), offsets: make([]int64, 1, n+1), targets: make([]uint32, 0, len(b.Targets)), to: make([]float64, n)}
	if b.Multiplicity != nil {
		l.multiplicity = make([]float64, n)
	}
	for i, v := range l.block {
		l.ours[v] = uint32(i)
	}
	for i, v := range l.block {
		for _, u := range b.Neighbours(v) {
			l.targets = append(l.targets, l.ours[u])
		}
		l.offsets = append(l.offsets, int64(len(l.targets)))
		l.to[i] = b.To[v]
		if b.Multiplicity != nil {
			l.multiplicity[i] = b.Multiplicity[v]
		}
	}
	return l
}

// layoutBytes is the memory of a block's layout, and of scores in the block's order.
func layoutBytes(b *preprocess.Block) int64 {
	n := int64(b.Vertices())
	bytes := n*(4+8+8+8) + 4*int64(len(b.Targets))
	if b.Multiplicity != nil {
		bytes += 8 * n
	}
	return bytes
}

// useLayout has the search go by the numbers of the block's layout, if there is one.
func (s *search[T]) useLayout(sources []uint32) {
	l := s.layout
	if l == nil {
		return
	}
	if k, ok := s.far[s.lanes]; ok {
		s.kernels = k
	}
	s.offsets, s.targets, s.weight, s.multiplicity = l.offsets, l.targets, l.to, l.multiplicity
	s.inOffsets, s.inTargets = l.offsets, l.targets
	s.ownSources = s.ownSources[:0]
	for _, v := range sources {
		s.ownSources = append(s.ownSources, l.ours[v])
	}
	s.sources = s.ownSources
}

// scoresOfBlock are the scores in the block's numbers.
func (s *search[T]) scoresOfBlock() []float64 {
	if s.layout == nil {
		return s.scores
	}
	s.ownScores = resize(s.ownScores, len(s.scores))
	for i, v := range s.layout.block {
		s.ownScores[v] = s.scores[i]
	}
	return s.ownScores
}

// rowBytes is how many bytes a row of so many sources takes.
func rowBytes[T float32 | float64](sources int) int {
	return rowLanes[T](sources) * int(unsafe.Sizeof(T(0)))
}
