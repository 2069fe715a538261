package preprocess

import (
	"slices"

	"bcstage/internal/csr"
)

// members are the graph vertices that a local vertex stands for in the block; a
// virtual vertex has none.
func (b *Block) members(local uint32) []uint32 {
	if b.classes == nil {
		return b.vertices[min(int(local), len(b.vertices)):min(int(local)+1, len(b.vertices))]
	}
	return b.vertices[b.classes[local]:b.classes[local+1]]
}

// Covers is the number of graph vertices that the block's vertices stand for.
func (b *Block) Covers() int { return len(b.vertices) }

// virtual returns the number of virtual vertices of the block.
func (b *Block) virtual() int {
	if !b.Directed() {
		return 0
	}
	if b.classes == nil {
		return b.Vertices() - len(b.vertices)
	}
	count := 0 // of the last classes, which have no members
	for x := b.Vertices(); x > 0 && b.classes[x-1] == b.classes[x]; x-- {
		count++
	}
	return count
}

// begins returns the number of vertices that paths begin at: all, if From and
// To are the same or vertices count without mass.
func (b *Block) begins() int {
	switch {
	case b.Access:
		return len(b.beginners(b.every()))
	case b.OneMass() && b.Middles == nil:
		return b.Vertices()
	}
	return vertices(b.From)
}

// beginners returns those of the listed local vertices that paths begin at.
func (b *Block) beginners(of []uint32) []uint32 {
	switch {
	case b.Access:
		return slices.DeleteFunc(of, func(v uint32) bool { return !b.counted[v] })
	case b.OneMass() && b.Middles == nil:
		return of
	}
	return slices.DeleteFunc(of, func(v uint32) bool { return b.From[v] == 0 })
}

// every lists the local vertices.
func (b *Block) every() []uint32 {
	return csr.Ascending(b.Vertices())
}
