package csr

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync"

	"bcstage/internal/parallel"
	"bcstage/internal/radix"
)

// Halves is the edges of a simple graph, each once, at its larger end: half the memory of the rows that it is made into.
// Vertices fall into buckets of consecutive numbers, so that 4 bytes hold both ends of an edge within its two buckets.
type Halves struct {
	Buckets
	directed bool
	packed   [][]uint32 // by bucket of the larger end, ascending by smaller, then larger end: low bits of the smaller one above those of the larger one
	ends     []int      // by bucket of the larger end, and of the smaller one: where the edges of both end in packed
}

// Buckets says how vertices fall into buckets of 2^shift consecutive ones. A key is an edge within the bucket of its larger
// end: the smaller end in full above the low shift bits of the larger one.
type Buckets struct {
	Count int // of buckets

	n, shift int
	edges    int64 // at most
}

const (
	mostBuckets = 11      // that edges are dealt out to at once, as a power of two
	bucketEdges = 1 << 14 // wanted in a bucket: sorting fits the second-level cache
	widestEnd   = 16      // bits of an end within its bucket: two make 32

	// Sorting has room for these parts of all keys, twice: for the buckets of all threads, and for one that is too large
	// for its thread's part.
	sortedParts = 4
	largeParts  = 16
	fewestKeys  = 1 << 16 // room that each always has
)

// BucketsFor chooses the buckets of n vertices with at most that many edges.
func BucketsFor(n int, edges int64) Buckets {
	l := Buckets{n: n, edges: edges}
	wanted := min(max(edges/bucketEdges, 1), 1<<mostBuckets)
	l.shift = min(max(bits.Len(uint(max(n-1, 0)))-bits.Len(uint(wanted-1)), 0), widestEnd)
	l.Count = (n + 1<<l.shift - 1) >> l.shift
	return l
}

// Of returns the bucket of a vertex.
func (l *Buckets) Of(v uint32) uint32 { return v >> (l.shift & 31) }

// Key returns the key of an edge.
func (l *Buckets) Key(large, small uint32) uint64 {
	return uint64(small)<<(l.shift&63) | uint64(large&(1<<(l.shift&31)-1))
}

// First returns the first vertex of a bucket, or one more than the last of the bucket before.
func (l *Buckets) First(bucket int) int { return min(bucket<<l.shift, l.n) }

// Bytes returns the most memory of Halves and of its making, and the most that making rows takes with it, the rows included.
func (l *Buckets) Bytes(directed bool, threads int) (halving, rows int64) {
	const key, half, arc, place = 8, 4, 4, 8
	halves := half*l.edges + place*int64(l.Count)*int64(l.Count)
	sorting := 2 * key * min(max(l.edges/sortedParts, int64(threads)*fewestKeys), l.edges)
	if l.edges > fewestKeys {
		sorting += 2 * key * max(l.edges/largeParts, fewestKeys)
	}
	rows = 2*arc*l.edges + place*int64(l.n+1)
	if directed {
		rows += place * int64(l.n+1)
	}
	return halves + sorting, halves + rows
}

// Fill writes keys of a bucket, in any order and with repeats, that are in [from, last]. It returns their number, and
// whether there was room for all.
type Fill func(bucket int, from, last uint64, keys []uint64) (count int, fits bool)

// MakeHalves makes Halves of the keys that fill gives; sizes has at least their number for each bucket. In a directed graph,
// the source of an arc is its larger end, whatever the numbers.
func MakeHalves(ctx context.Context, l Buckets, directed bool, sizes []int64, threads int, fill Fill) (*Halves, error) {
	h := &Halves{Buckets: l, directed: directed, packed: make([][]uint32, l.Count), ends: make([]int, l.Count*l.Count)}
	few, most := max(l.edges/sortedParts/int64(threads), fewestKeys), max(l.edges/largeParts, fewestKeys)
	rooms := make([]sortRoom, threads)
	var many sortRoom
	var large sync.Mutex            // one bucket at a time has many keys
	largest := make([]int, l.Count) // first, so that rooms need not grow
	for b := range largest {
		largest[b] = b
	}
	slices.SortFunc(largest, func(b, c int) int { return cmp.Compare(sizes[c], sizes[b]) })
	return h, parallel.Each(ctx, threads, l.Count, func(worker, i int) {
		b, room := largest[i], &rooms[worker]
		if sizes[b] <= few {
			room.make(sizes[b])
		} else {
			large.Lock()
			defer large.Unlock()
			room = &many
			room.make(min(sizes[b], most))
		}
		h.sortBucket(ctx, b, 0, h.Key(uint32(1<<h.shift-1), uint32(max(h.n-1, 0))), room, fill)
		ends := h.ends[b*l.Count:][:l.Count]
		for c := range ends[1:] {
			ends[c+1] += ends[c]
		}
	})
}

// sortRoom is where keys are sorted.
type sortRoom struct{ keys, spare []uint64 }

// make makes room for so many keys.
func (r *sortRoom) make(keys int64) {
	if keys > int64(len(r.keys)) {
		*r = sortRoom{make([]uint64, keys), make([]uint64, keys)}
	}
}

// sortBucket adds the keys of a bucket in [from, last], in order and without repeats. Keys that are too many for the room are
// sorted in two parts.
func (h *Halves) sortBucket(ctx context.Context, bucket int, from, last uint64, room *sortRoom, fill Fill) {
	count, fits := fill(bucket, from, last, room.keys)
	switch {
	case ctx.Err() != nil:
		return
	case fits:
	case from == last: // one key, again and again
		count = 1
	default:
		middle := from + (last-from)/2
		h.sortBucket(ctx, bucket, from, middle, room, fill)
		h.sortBucket(ctx, bucket, middle+1, last, room, fill)
		return
	}
	keys := slices.Compact(radix.Sort(ctx, room.keys[:count], room.spare[:count], bits.Len64(last)))
	packed := slices.Grow(h.packed[bucket], len(keys))
	ends := h.ends[bucket*h.Count:]
	for _, key := range keys {
		packed = append(packed, uint32(key&(1<<(2*h.shift&63)-1)))
		ends[key>>(2*h.shift&63)]++
	}
	h.packed[bucket] = packed
}

// run returns the edges between two buckets.
func (h *Halves) run(large, small int) []uint32 {
	ends := h.ends[large*h.Count:]
	start := 0
	if small > 0 {
		start = ends[small-1]
	}
	return h.packed[large][start:ends[small]]
}

// Rows makes the graph.
func (h *Halves) Rows(ctx context.Context, threads int) (Graph, error) {
	if !h.directed {
		return h.rows(ctx, true, true, threads)
	}
	g, err := h.rows(ctx, true, false, threads)
	if err != nil {
		return g, err
	}
	in, err := h.rows(ctx, false, true, threads)
	g.In = &in
	return g, err
}

// rows makes rows of the smaller neighbours of each vertex, if lower, and then of its larger ones, if upper.
func (h *Halves) rows(ctx context.Context, lower, upper bool, threads int) (Graph, error) {
	g := Graph{Offsets: make([]int64, h.n+1)}
	places := make([]int, h.Count+1)
	for large := range h.Count {
		if lower {
			places[large+1] += len(h.packed[large])
		}
		for small := 0; upper && small < h.Count; small++ {
			places[small+1] += len(h.run(large, small))
		}
	}
	for b := range h.Count {
		places[b+1] += places[b]
	}
	g.Targets = make([]uint32, places[h.Count])
	nexts := make([][]int, threads)
	err := parallel.Each(ctx, threads, h.Count, func(worker, b int) {
		if nexts[worker] == nil {
			nexts[worker] = make([]int, 1<<h.shift)
		}
		h.bucketRows(ctx, &g, b, places[b], lower, upper, nexts[worker])
	})
	g.Offsets[h.n] = int64(len(g.Targets))
	return g, err
}

// bucketRows writes the rows of one bucket, the first at the given place.
func (h *Halves) bucketRows(ctx context.Context, g *Graph, b, place int, lower, upper bool, next []int) {
	clear(next)
	shift, low := h.shift&31, uint32(1)<<(h.shift&31)-1
	for other := 0; other < h.Count && ctx.Err() == nil; other++ {
		if lower {
			for _, e := range h.run(b, other) {
				next[e&low]++
			}
		}
		if upper {
			for _, e := range h.run(other, b) {
				next[e>>shift]++
			}
		}
	}
	first := b << shift
	for v := first; v < min(first+len(next), h.n); v++ {
		g.Offsets[v] = int64(place)
		place, next[v-first] = place+next[v-first], place
	}
	for small := 0; lower && small < h.Count && ctx.Err() == nil; small++ {
		for _, e := range h.run(b, small) {
			at := &next[e&low]
			g.Targets[*at] = uint32(small)<<shift | e>>shift
			*at++
		}
	}
	for large := 0; upper && large < h.Count && ctx.Err() == nil; large++ {
		for _, e := range h.run(large, b) {
			at := &next[e>>shift]
			g.Targets[*at] = uint32(large)<<shift | e&low
			*at++
		}
	}
}
