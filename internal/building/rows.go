package building

import (
	"context"
	"math/bits"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/radix"
)

// pairs is a run of edges by vertex number, in two columns of one length.
type pairs struct{ src, dst []uint32 }

// makeRows makes the simple graph of n vertices from directed edges with repeats
// and self-loops, undirected or as they are, and counts the self-loops. It clears
// chunks as soon as they are read, so that their memory can be reused.
//
// An undirected edge is handled once, not once per direction:
//
//  1. Partition the edges by the high bits of their larger end.
//  2. Sort each bucket by (larger, smaller) in cache and drop repeats: these
//     are the smaller neighbours of each vertex, ascending.
//  3. Partition them, stably, by the high bits of the smaller end. The larger
//     ends arrive ascending, so
//  4. one counting pass per bucket puts the larger neighbours of each vertex
//     behind the smaller ones, in order.
//
// Edges are sorted by the larger end because vertices are numbered in first-seen
// order, which gives hubs small numbers. Their long lists are then sorted in
// short pieces, as smaller neighbours of others. Step 4, whose cost does not
// depend on the length of a list, joins them.
//
// With directed edges, the source stands for the larger end and the destination
// for the smaller one. Step 2 then gives the rows of the graph, step 4 those of
// its In.
func makeRows(ctx context.Context, n int, chunks []pairs, directed bool, threads int) (csr.Graph, int64, error) {
	l := bucketsFor(n, edgesIn(chunks))
	l.directed = directed
	if l.keyBits() <= 32 {
		return assemble[uint32](ctx, l, chunks, threads)
	}
	return assemble[uint64](ctx, l, chunks, threads)
}

func edgesIn(chunks []pairs) int {
	total := 0
	for _, c := range chunks {
		total += len(c.src)
	}
	return total
}

const (
	maxBits     = 11      // most streams that a partition writes to, as a power of two
	bucketEdges = 1 << 14 // wanted in a bucket: sorting fits the second-level cache
)

// bucketing says how vertices fall into buckets of 2^shift consecutive ones.
//
// A key holds the edge within a bucket: the low shift bits of the end that chose
// the bucket, above the other end in full.
type bucketing struct {
	n       int
	bits    int // of a vertex
	shift   int // bits of a vertex that separate those of one bucket
	buckets int

	directed bool // the larger end of an edge is its source, whatever their numbers
}

// order returns the ends of an edge, the larger one first.
func (l *bucketing) order(u, v uint32) (large, small uint32) {
	if l.directed {
		return u, v
	}
	return max(u, v), min(u, v)
}

func bucketsFor(n, edges int) bucketing {
	l := bucketing{n: n, bits: bits.Len(uint(max(n-1, 0)))}
	wanted := min(max(edges/bucketEdges, 1), 1<<maxBits)
	l.shift = max(l.bits-bits.Len(uint(wanted-1)), 0)
	// Few edges need more buckets only so that 32 bits hold a key or, with many
	// vertices, so that a bucket's counters are few.
	l.shift = min(l.shift, max(32-l.bits, l.bits-maxBits))
	l.buckets = (n + 1<<l.shift - 1) >> l.shift
	return l
}

func (l bucketing) keyBits() int { return l.shift + l.bits }

// assembly is the state of one makeRows.
type assembly[K radix.Key] struct {
	bucketing
	ctx     context.Context
	threads int

	first  []K   // keys by bucket of the larger end
	second []K   // keys by bucket of the smaller end; until then, room for sorting
	starts []int // first[starts[b]:ends[b]] is bucket b
	ends   []int // falls as repeats are dropped
	uppers []int // second[uppers[b]:uppers[b+1]] is bucket b
}

func assemble[K radix.Key](ctx context.Context, l bucketing, chunks []pairs, threads int) (csr.Graph, int64, error) {
	a := assembly[K]{bucketing: l, ctx: ctx, threads: threads}
	loops, err := a.partitionByLarger(chunks)
	if err != nil {
		return csr.Graph{}, 0, err
	}
	clear(chunks)
	a.second = make([]K, len(a.first))
	segments := a.segments()
	counts, err := a.sortBuckets(segments)
	if err != nil {
		return csr.Graph{}, 0, err
	}
	if err := a.partitionBySmaller(segments, counts); err != nil {
		return csr.Graph{}, 0, err
	}
	g, err := a.rows()
	return g, loops, err
}

// partitionByLarger is step 1: it makes first, starts and ends.
func (a *assembly[K]) partitionByLarger(chunks []pairs) (selfLoops int64, err error) {
	spans := cutSpans(chunks, a.threads)
	counts := make([]int, len(spans)*a.buckets)
	loops := make([]int64, len(spans))
	err = parallel.Each(a.ctx, a.threads, len(spans), func(_, i int) {
		count := counts[i*a.buckets:][:a.buckets]
		src, dst := spans[i].src, spans[i].dst[:len(spans[i].src)]
		for e, u := range src {
			v := dst[e]
			if u == v {
				loops[i]++
				continue
			}
			large, _ := a.order(u, v)
			count[large>>(a.shift&31)]++
		}
	})
	if err != nil {
		return 0, err
	}
	a.starts = cursors(counts, a.buckets)
	a.ends = slices.Clone(a.starts[1:])
	a.first = make([]K, a.starts[a.buckets])
	err = parallel.Each(a.ctx, a.threads, len(spans), func(_, i int) {
		next := counts[i*a.buckets:][:a.buckets]
		src, dst := spans[i].src, spans[i].dst[:len(spans[i].src)]
		low := uint32(1)<<(a.shift&31) - 1
		for e, u := range src {
			v := dst[e]
			if u == v {
				continue
			}
			large, small := a.order(u, v)
			place := &next[large>>(a.shift&31)]
			a.first[*place] = K(large&low)<<(a.bits&63) | K(small)
			*place++
		}
	})
	for _, n := range loops {
		selfLoops += n
	}
	return selfLoops, err
}

// cutSpans divides the edges into spans for the threads: short enough to share
// evenly and to stop at, long enough to be worth counters.
func cutSpans(chunks []pairs, threads int) []pairs {
	size := min(max(edgesIn(chunks)/(4*threads), 1<<14), 1<<20)
	var spans []pairs
	for _, c := range chunks {
		for at := 0; at < len(c.src); at += size {
			end := min(at+size, len(c.src))
			spans = append(spans, pairs{c.src[at:end], c.dst[at:end]})
		}
	}
	return spans
}

// cursors turns counts, a row of buckets per span, into the places of each span's
// first key of each bucket, and returns the start of each bucket.
func cursors(counts []int, buckets int) []int {
	starts := make([]int, buckets+1)
	at := 0
	for b := range buckets {
		starts[b] = at
		for i := b; i < len(counts); i += buckets {
			counts[i], at = at, at+counts[i]
		}
	}
	starts[buckets] = at
	return starts
}

// segments cuts the buckets into runs of nearly equal size and returns their
// bounds.
func (a *assembly[K]) segments() []int {
	size := max(len(a.first)/(4*a.threads), 1)
	bounds := []int{0}
	for b := 1; b < a.buckets; b++ {
		if a.starts[b]-a.starts[bounds[len(bounds)-1]] >= size {
			bounds = append(bounds, b)
		}
	}
	if a.buckets > 0 {
		bounds = append(bounds, a.buckets)
	}
	return bounds
}

// sortBuckets is step 2. It returns the number of keys of each segment for each
// bucket of the smaller end.
func (a *assembly[K]) sortBuckets(segments []int) ([]int, error) {
	counts := make([]int, (len(segments)-1)*a.buckets)
	err := parallel.Each(a.ctx, a.threads, len(segments)-1, func(_, s int) {
		count := counts[s*a.buckets:][:a.buckets]
		for b := segments[s]; b < segments[s+1]; b++ {
			start, end := a.starts[b], a.ends[b]
			sorted := radix.Sort(a.ctx, a.first[start:end], a.second[start:end], a.keyBits())
			if a.ctx.Err() != nil {
				return
			}
			end = start
			for keys := range slices.Chunk(sorted, radix.PauseKeys) {
				if a.ctx.Err() != nil {
					return
				}
				end = a.dropRepeats(keys, start, end, count)
			}
			a.ends[b] = end
		}
	})
	return counts, err
}

// dropRepeats appends sorted keys to those in first[start:end], without repeats,
// and counts the new ones by bucket of the smaller end. The keys may be in first
// themselves, behind end.
func (a *assembly[K]) dropRepeats(keys []K, start, end int, count []int) int {
	whole := K(1)<<(a.bits&63) - 1
	for _, key := range keys {
		if end > start && key == a.first[end-1] {
			continue
		}
		a.first[end] = key
		end++
		count[(key&whole)>>(a.shift&63)]++
	}
	return end
}

// partitionBySmaller is step 3: it fills second and makes uppers.
func (a *assembly[K]) partitionBySmaller(segments, counts []int) error {
	a.uppers = cursors(counts, a.buckets)
	return parallel.Each(a.ctx, a.threads, len(segments)-1, func(_, s int) {
		next := counts[s*a.buckets:][:a.buckets]
		for b := segments[s]; b < segments[s+1]; b++ {
			for keys := range slices.Chunk(a.first[a.starts[b]:a.ends[b]], radix.PauseKeys) {
				if a.ctx.Err() != nil {
					return
				}
				a.turn(b, keys, next)
			}
		}
	})
}

// turn writes keys of a bucket of the larger end as keys of the smaller end.
func (a *assembly[K]) turn(bucket int, keys []K, next []int) {
	whole, low := K(1)<<(a.bits&63)-1, K(1)<<(a.shift&63)-1
	large := K(bucket) << (a.shift & 63)
	for _, key := range keys {
		small := key & whole
		place := &next[small>>(a.shift&63)]
		a.second[*place] = (small&low)<<(a.bits&63) | large | key>>(a.bits&63)
		*place++
	}
}

// rows is step 4.
func (a *assembly[K]) rows() (csr.Graph, error) {
	lower := func(bucket int) []K { return a.first[a.starts[bucket]:a.ends[bucket]] }
	upper := func(bucket int) []K { return a.second[a.uppers[bucket]:a.uppers[bucket+1]] }
	none := func(int) []K { return nil }
	if !a.directed {
		return a.graph(lower, upper)
	}
	g, err := a.graph(lower, none)
	if err != nil {
		return csr.Graph{}, err
	}
	in, err := a.graph(none, upper)
	g.In = &in
	return g, err
}

// graph makes the rows of all vertices: the neighbours in lower followed by those
// in upper.
func (a *assembly[K]) graph(lower, upper func(bucket int) []K) (csr.Graph, error) {
	g := csr.Graph{Offsets: make([]int64, a.n+1)}
	if a.buckets == 0 {
		return g, nil
	}
	places := make([]int, a.buckets+1)
	for b := range a.buckets {
		places[b+1] = places[b] + len(lower(b)) + len(upper(b))
	}
	g.Targets = make([]uint32, places[a.buckets])
	scratch := make([][]int, a.threads)
	err := parallel.Each(a.ctx, a.threads, a.buckets, func(worker, b int) {
		if scratch[worker] == nil {
			scratch[worker] = make([]int, 1<<a.shift)
		}
		a.bucketRows(&g, b, places[b], lower(b), upper(b), scratch[worker])
	})
	g.Offsets[a.n] = int64(len(g.Targets))
	return g, err
}

// bucketRows writes the rows of one bucket, the first at the given place.
func (a *assembly[K]) bucketRows(g *csr.Graph, bucket, place int, lower, upper []K, next []int) {
	clear(next)
	for keys := range slices.Chunk(upper, radix.PauseKeys) {
		if a.ctx.Err() != nil {
			return
		}
		for _, key := range keys {
			next[key>>(a.bits&63)]++
		}
	}
	whole := K(1)<<(a.bits&63) - 1
	first := bucket << a.shift
	for v := first; v < min(first+len(next), a.n); v++ {
		g.Offsets[v] = int64(place)
		for len(lower) > 0 && int(lower[0]>>(a.bits&63)) == v-first {
			g.Targets[place] = uint32(lower[0] & whole)
			lower = lower[1:]
			place++
		}
		place, next[v-first] = place+next[v-first], place
	}
	for keys := range slices.Chunk(upper, radix.PauseKeys) {
		if a.ctx.Err() != nil {
			return
		}
		for _, key := range keys {
			place := &next[key>>(a.bits&63)]
			g.Targets[*place] = uint32(key & whole)
			*place++
		}
	}
}
