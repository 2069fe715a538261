package resident

import (
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/preprocess"
)

// EdgeParts lists the edges of a block with Flows, those of a vertex together, and their
// numbers.
func EdgeParts(b *preprocess.Block) []Part {
	each := RowsGrain(b)
	begins := make([]int, (b.Vertices()+each-1)/each+1) // by group of `each` vertices: where their edges begin
	inGrains(b.Vertices(), each, func(first, end int) {
		for v := first; v < end; v++ {
			begins[first/each+1] += len(edgesFrom(b, v))
		}
	})
	for i := range begins[1:] {
		begins[i+1] += begins[i]
	}
	count := begins[len(begins)-1]
	from, to, of := make([]uint32, count), make([]uint32, count), make([]uint32, count)
	inGrains(b.Vertices(), each, func(first, end int) {
		at := begins[first/each]
		for v := first; v < end; v++ {
			list := edgesFrom(b, v)
			for i, u := range list {
				from[at+i], to[at+i] = uint32(v), u
			}
			copy(of[at:], b.Flows.Of[int(b.Offsets[v+1])-len(list):b.Offsets[v+1]])
			at += len(list)
		}
	})
	return []Part{{"EdgeFrom", driver.Bytes(from)}, {"EdgeTo", driver.Bytes(to)}, {"EdgeOf", driver.Bytes(of)}}
}

// edgesFrom lists the ends of a vertex's edges: in an undirected block, the vertices after it,
// which end its row.
func edgesFrom(b *preprocess.Block, v int) []uint32 {
	row := b.Neighbours(uint32(v))
	if b.Directed() {
		return row
	}
	first, _ := slices.BinarySearch(row, uint32(v))
	return row[first:]
}

// RowsGrain is how many vertices' edges a goroutine takes at a time: some 2^14 edges.
func RowsGrain(b *preprocess.Block) int {
	return max(Grain*b.Vertices()/max(len(b.Targets), 1), 1)
}
