package preprocess

import (
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/parallel"
)

// Each maps a block's scores to the graph. It calls add for every graph vertex that scores covers by
// local vertex, and for the vertices between false twins among the sources of the batches, which no
// search sees. It may call add more than once for a vertex.
func (b *Block) Each(batches []engine.Batch, scores []float64, add func(vertex uint32, value float64)) {
	b.EachOn(1, batches, scores, nil, func(first, vertices []uint32, values []float64) {
		for i, value := range values {
			if first == nil {
				add(vertices[i], value)
				continue
			}
			for _, vertex := range vertices[first[i]:first[i+1]] {
				add(vertex, value)
			}
		}
	})
}

// eachGrain is the number of consecutive vertices that a goroutine takes. Each vertex costs a cache
// miss; all take about a millisecond.
const eachGrain = 1 << 14

// EachOn is Each for many local vertices at a time, on up to threads goroutines, which never call
// add at once for the same graph vertex. Each values[i] is for vertices[first[i]:first[i+1]], or
// for vertices[i] where first is nil. Where at is not nil, it covers only those local vertices:
// see Result.At.
func (b *Block) EachOn(threads int, batches []engine.Batch, scores []float64, at []uint32, add func(first, vertices []uint32, values []float64)) {
	if at != nil {
		b.eachAt(scores, at, add)
	} else {
		b.eachOf(threads, scores, add)
	}
	b.eachBetween(batches, add)
}

// eachOf covers all local vertices.
func (b *Block) eachOf(threads int, scores []float64, add func(first, vertices []uint32, values []float64)) {
	parallel.SpreadWhole(threads, len(scores), eachGrain, func(lo, hi int) {
		if b.classes != nil {
			add(b.classes[lo:hi+1], b.vertices, scores[lo:hi])
			return
		}
		lo, hi = min(lo, len(b.vertices)), min(hi, len(b.vertices)) // virtual vertices stand for none
		add(nil, b.vertices[lo:hi], scores[lo:hi])
	})
}

// eachAt covers some local vertices.
func (b *Block) eachAt(scores []float64, at []uint32, add func(first, vertices []uint32, values []float64)) {
	if b.classes != nil {
		for _, v := range at {
			add(b.classes[v:v+2], b.vertices, scores[v:v+1])
		}
		return
	}
	var vertices [64]uint32 // on the heap, since add takes them
	var values [len(vertices)]float64
	for some := range slices.Chunk(at, len(vertices)) {
		count := 0
		for _, v := range some {
			if int(v) < len(b.vertices) { // virtual vertices stand for none
				vertices[count], values[count] = b.vertices[v], scores[v]
				count++
			}
		}
		add(nil, vertices[:count], values[:count])
	}
}

// eachBetween covers the vertices between false twins.
func (b *Block) eachBetween(batches []engine.Batch, add func(first, vertices []uint32, values []float64)) {
	if b.within == nil {
		return
	}
	for _, s := range b.known(batches) {
		if b.within[s] == 0 {
			continue
		}
		value := b.within[s] / float64(b.around(s))
		for u, through := range b.between(s) {
			members := b.members(u)
			add([]uint32{0, uint32(len(members))}, members, []float64{value * float64(through)})
		}
	}
}

// known returns the sources for which some batches add the numbers that are known before a search: their own, or of drawn
// sources all in the first batch.
func (b *Block) known(batches []engine.Batch) (sources []uint32) {
	for _, batch := range batches {
		switch {
		case !b.drawn():
			sources = append(sources, b.Sources[batch.First:batch.First+batch.Count]...)
		case batch.First == 0:
			return b.Sources
		}
	}
	return sources
}

// Members are all graph vertices that the block's vertices stand for, ascending, and by graph vertex that one of these.
func (b *Block) Members(threads int) (vertices, locals []uint32) {
	of := make([]uint32, slices.Max(b.vertices)+1) // by graph vertex: the local one, plus 1
	parallel.SpreadWhole(threads, b.Vertices(), eachGrain, func(lo, hi int) {
		for local := lo; local < hi; local++ {
			for _, vertex := range b.members(uint32(local)) {
				of[vertex] = uint32(local) + 1
			}
		}
	})
	list := func(value func(vertex int) uint32) []uint32 {
		return parallel.Listed(threads, len(of), parallel.Interval, func(list []uint32, lo, hi int) []uint32 {
			for vertex := lo; vertex < hi; vertex++ {
				if of[vertex] != 0 {
					list = append(list, value(vertex))
				}
			}
			return list
		})
	}
	return list(func(vertex int) uint32 { return uint32(vertex) }), list(func(vertex int) uint32 { return of[vertex] - 1 })
}

// EachFound is EachOn for a block with Distances: found[i] belongs to vertices[i].
func (b *Block) EachFound(threads int, found []engine.Found, at []uint32, add func(vertices []uint32, found []engine.Found)) {
	if b.Follow() {
		if at == nil {
			at = b.Sources
		}
		b.eachFollowing(at, found, add)
		return
	}
	if at != nil {
		var vertices [64]uint32
		var some [len(vertices)]engine.Found
		for part := range slices.Chunk(at, len(vertices)) {
			count := 0
			for _, local := range part {
				if b.counted == nil || b.Own || b.counted[local] {
					vertices[count], some[count] = b.vertices[local], found[local]
					count++
				}
			}
			add(vertices[:count], some[:count])
		}
		return
	}
	parallel.SpreadWhole(threads, len(found), eachGrain, func(lo, hi int) {
		if b.counted == nil || b.Own {
			add(b.vertices[lo:hi], found[lo:hi])
			return
		}
		for local := lo; local < hi; local++ {
			if b.counted[local] {
				add(b.vertices[local:local+1], found[local:local+1])
			}
		}
	})
}
