package csr

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"slices"
	"sort"

	"bcstage/internal/budget"
	"bcstage/internal/pages"
	"bcstage/internal/parallel"
	"bcstage/internal/radix"
	"bcstage/internal/spill"
)

// Halves is the edges of a simple graph, each once, at its larger end: half the memory of the rows that it is made into.
// Vertices fall into buckets of consecutive numbers, so that 4 bytes hold both ends of an edge within its two buckets.
type Halves struct {
	Buckets
	directed bool
	packed   [][]uint32   // by bucket of the larger end, ascending by smaller, then larger end: low bits of the smaller one above those of the larger one
	ends     []int        // by bucket of the larger end, and of the smaller one: where the edges of both end in packed
	files    *spill.Files // that packed is in; nil: it is in memory
}

// Buckets says how vertices fall into buckets of 2^shift consecutive ones.
type Buckets struct {
	Count int // of buckets

	n, shift int
	edges    int64 // at most
}

const (
	mostBuckets = 11      // that edges are dealt out to at once, as a power of two
	bucketEdges = 1 << 14 // wanted in a bucket: sorting fits the second-level cache
	widestEnd   = 16      // bits of an end within its bucket: two make 32
	sortedPart  = 8       // one of so many edges are sorted at once, on all threads together
	fewestEdges = 1 << 16 // sorted at once by a thread
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

// First returns the first vertex of a bucket, or one more than the last of the bucket before.
func (l *Buckets) First(bucket int) int { return min(bucket<<l.shift, l.n) }

// Bytes returns the most memory of Halves, which may be in files, and of its making, and of the rows made of them.
func (l *Buckets) Bytes(directed, filed bool, threads int) (halves, rows int64) {
	const half, arc, place = 4, 4, 8
	halves = half*min(int64(threads)*l.sorted(threads), l.edges) + place*int64(l.Count)*int64(l.Count)
	if !filed {
		halves += half * l.edges
	}
	rows = 2*arc*l.edges + place*int64(l.n+1)
	if directed {
		rows += place * int64(l.n+1)
	}
	return halves, rows
}

// sorted is the largest number of edges that one of the threads sorts at once.
func (l *Buckets) sorted(threads int) int64 {
	return max(l.edges/int64(sortedPart*threads), fewestEdges)
}

// Fill passes on the edges of a bucket, in any order and with repeats, in lists of equal length: of larger and of
// smaller ends. It is called twice for a bucket and passes on the same edges.
type Fill func(bucket int, deal func(large, small []uint32))

// MakeHalves makes Halves of the edges that fill passes on. In a directed graph, the source of an arc is its larger end,
// whatever the numbers. They are in files, if there are any; an error is that of the files, or the context's.
func MakeHalves(ctx context.Context, l Buckets, directed bool, threads int, files *spill.Files, fill Fill) (*Halves, error) {
	h := &Halves{Buckets: l, directed: directed, packed: make([][]uint32, l.Count), ends: make([]int, l.Count*l.Count), files: files}
	sorters, failed := make([]sorter, threads), make([]error, threads)
	err := parallel.Each(ctx, threads, l.Count, func(worker, b int) {
		sorters[worker].most = int(l.sorted(threads))
		if failed[worker] == nil {
			failed[worker] = h.sortBucket(ctx, b, &sorters[worker], fill)
		}
	})
	return h, cmp.Or(err, errors.Join(failed...))
}

// sortBucket deals the edges of a bucket out by the buckets of their smaller ends, and sorts each share.
func (h *Halves) sortBucket(ctx context.Context, bucket int, by *sorter, fill Fill) error {
	shift, low := h.shift&31, uint32(1)<<(h.shift&31)-1
	ends := h.ends[bucket*h.Count:][:h.Count]
	fill(bucket, func(_, small []uint32) {
		for _, v := range small {
			ends[v>>shift]++
		}
	})
	total := 0
	for b, count := range ends {
		ends[b] = total
		total += count
	}
	packed, err := h.files.Make(total)
	if err != nil {
		return err
	}
	fill(bucket, func(large, small []uint32) {
		large = large[:len(small)]
		for i, v := range small {
			at := &ends[v>>shift]
			packed[*at] = v&low<<shift | large[i]&low
			*at++
		}
	})
	start, left := 0, packed[:0]
	for b, end := range ends {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		left = by.add(ctx, left, packed[start:end], 2*h.shift)
		start, ends[b] = end, len(left)
	}
	h.packed[bucket] = left
	h.files.Idle(packed)
	return nil
}

// sorter sorts lists of edges with memory for some of them.
type sorter struct {
	spare []uint32
	most  int // edges sorted at once
}

// add adds the keys of a list to another, sorted and without repeats. Only the given number of low bits differ. The list is
// written over. It may follow the other one in the same array.
func (s *sorter) add(ctx context.Context, to, keys []uint32, width int) []uint32 {
	if len(keys) > s.most && width > 0 {
		low, high, bit := 0, len(keys), uint32(1)<<(width-1)
		for low < high {
			if key := keys[low]; key&bit == 0 {
				low++
			} else {
				high--
				keys[low], keys[high] = keys[high], key
			}
		}
		return s.add(ctx, s.add(ctx, to, keys[:low], width-1), keys[low:], width-1)
	}
	if width > 0 && len(keys) >= radix.ShortSort {
		if len(keys) > len(s.spare) {
			s.spare = make([]uint32, min(2*len(keys), s.most))
		}
		keys = radix.Sort(ctx, keys, s.spare[:len(keys)], width)
	} else {
		slices.Sort(keys)
	}
	return append(to, slices.Compact(keys)...)
}

// Edges is the number of edges, or of arcs of a directed graph.
func (h *Halves) Edges() (count int64) {
	for _, some := range h.packed {
		count += int64(len(some))
	}
	return count
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

// Rows makes the graph and drops the halves. Its first rows take the memory of room, if that is enough.
func (h *Halves) Rows(ctx context.Context, threads int, room []uint32) (Graph, error) {
	g, err := h.rows(ctx, true, !h.directed, threads, room)
	if h.directed && err == nil {
		g.In = new(Graph)
		*g.In, err = h.rows(ctx, false, true, threads, nil)
	}
	if h.files.Free(h.packed...); h.files == nil {
		pages.GiveBack(threads, h.packed)()
	}
	if h.packed, h.ends = nil, nil; err == nil {
		budget.Reclaim(4 * int64(len(g.Targets)))
	}
	return g, err
}

// rows makes rows of the smaller neighbours of each vertex, if lower, and then of its larger ones, if upper.
func (h *Halves) rows(ctx context.Context, lower, upper bool, threads int, room []uint32) (Graph, error) {
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
	if g.Targets = room; len(room) < places[h.Count] {
		g.Targets = pages.Large[uint32](places[h.Count])
	}
	g.Targets = g.Targets[:places[h.Count]]
	nexts, parts := make([][]int, threads), h.parts(places, threads)
	err := parallel.Each(ctx, threads, len(parts), func(worker, i int) {
		if nexts[worker] == nil {
			nexts[worker] = make([]int, 1<<h.shift)
		}
		h.partRows(ctx, &g, parts[i], places[parts[i].bucket], lower, upper, nexts[worker])
		h.files.IdleEach(i, h.packed...)
	})
	g.Offsets[h.n] = int64(len(g.Targets))
	return g, err
}

// part is consecutive vertices of a bucket: from lo to hi-1, by their low bits.
type part struct {
	bucket, lo, hi int
	whole          bool // the bucket
}

// parts divides buckets with many arcs, so that none is left when the other threads are done: where vertices are in
// breadth-first order, the first ones have most arcs.
func (h *Halves) parts(places []int, threads int) (all []part) {
	const partsEach = 4 // per thread
	for b := range h.Count {
		size, count := h.First(b+1)-h.First(b), 1
		if threads > 1 {
			count += (places[b+1] - places[b]) * threads * partsEach / max(places[h.Count], 1)
		}
		width := (size + count - 1) / count
		for lo := 0; lo < size; lo += width {
			all = append(all, part{b, lo, min(lo+width, size), count == 1})
		}
	}
	return all
}

// partRows writes the rows of a part of a bucket, whose first row is at the given place.
func (h *Halves) partRows(ctx context.Context, g *Graph, p part, place int, lower, upper bool, next []int) {
	clear(next)
	shift, low := h.shift&31, uint32(1)<<(h.shift&31)-1
	for other := 0; other < h.Count && ctx.Err() == nil; other++ {
		if lower {
			for _, e := range h.run(p.bucket, other) {
				next[e&low]++
			}
		}
		if upper {
			before, some := h.above(other, p)
			place += before
			for _, e := range some {
				next[e>>shift]++
			}
		}
	}
	for _, lower := range next[:p.lo] {
		place += lower
	}
	first := p.bucket << shift
	for v := p.lo; v < p.hi; v++ {
		g.Offsets[first+v] = int64(place)
		place, next[v] = place+next[v], place
	}
	lo, size := uint32(p.lo), uint32(p.hi-p.lo)
	for small := 0; lower && small < h.Count && ctx.Err() == nil; small++ {
		for _, e := range h.run(p.bucket, small) {
			if v := e & low; v-lo < size {
				g.Targets[next[v]] = uint32(small)<<shift | e>>shift
				next[v]++
			}
		}
	}
	for large := 0; upper && large < h.Count && ctx.Err() == nil; large++ {
		_, some := h.above(large, p)
		for _, e := range some {
			at := &next[e>>shift]
			g.Targets[*at] = uint32(large)<<shift | e&low
			*at++
		}
	}
}

// above returns the edges between the vertices of a part and larger ones of a bucket, and how many the vertices before
// the part have. Edges are in the order of their smaller ends.
func (h *Halves) above(large int, p part) (before int, edges []uint32) {
	run := h.run(large, p.bucket)
	if p.whole {
		return 0, run
	}
	from := func(v int) int {
		return sort.Search(len(run), func(i int) bool { return int(run[i]>>(h.shift&31)) >= v })
	}
	before = from(p.lo)
	return before, run[before:from(p.hi)]
}
