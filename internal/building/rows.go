package building

import (
	"context"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/internal/pages"
	"bcstage/internal/parallel"
	"bcstage/internal/spill"
)

// pairs is a run of edges by vertex number, in two columns of one length.
type pairs struct{ src, dst []uint32 }

// makeRows makes the simple graph of n vertices from directed edges with repeats
// and self-loops, undirected or as they are, and counts the self-loops. It writes
// over chunks and drops them as soon as they are read, unless they are to be kept. With files, in which chunks may be,
// the halves are there, too, and fits is asked whether memory has room for the rows.
//
// An undirected edge is handled once, not once per direction:
//
//  1. Cut the edges into spans that fit in cache, and put each span in order of
//     the buckets of larger ends, where it is.
//  2. Deal each bucket out from all spans by smaller ends, sort each share in
//     cache and drop repeats: csr.Halves, 4 bytes for an edge.
//  3. Drop the spans, and make the rows: one counting pass per bucket puts the
//     larger neighbours of each vertex behind the smaller ones, in order.
//
// Edges are sorted by the larger end because vertices are numbered in first-seen
// order, which gives hubs small numbers. So buckets have about equally many edges.
func makeRows(ctx context.Context, n int, chunks []pairs, keep, directed bool, threads int, files *spill.Files, fits func(edges int64) error) (csr.Graph, int64, error) {
	rows := int64(edgesIn(chunks))
	if rows <= fewRows && n <= 2*fewRows && files == nil {
		return dealFew(ctx, n, chunks, directed)
	}
	d := dealing{Buckets: csr.BucketsFor(n, rows), spans: cutSpans(chunks, threads), directed: directed, files: files}
	for _, c := range chunks {
		d.given = append(d.given, c.src, c.dst)
	}
	loops, err := d.deal(ctx, keep, threads)
	if err != nil {
		return csr.Graph{}, 0, err
	}
	halves, err := csr.MakeHalves(ctx, d.Buckets, directed, threads, files, d.fill)
	if err != nil {
		return csr.Graph{}, 0, err
	}
	wait := func() {}
	if files.Free(d.given...); files == nil {
		lists := make([][]uint32, 0, 2*len(d.spans))
		for _, span := range d.spans { // copies of the chunks, if these are kept
			lists = append(lists, span.src, span.dst)
		}
		wait = pages.GiveBack(1, lists) // while the rows take their memory, which takes longer
	} else if err := fits(halves.Edges()); err != nil {
		return csr.Graph{}, 0, err
	}
	clear(chunks)
	d.spans, d.given, d.ends = nil, nil, nil
	budget.Reclaim(8 * rows)
	g, err := halves.Rows(ctx, threads, nil)
	wait()
	return g, loops, err
}

// fewRows is how many edges stay in near caches, and need no spans and buckets. They have few vertices, unless those are
// of a table.
const fewRows = 1 << 17

// dealFew is makeRows for few edges: it deals them out by one end, and their ends in order by the other, so that repeats
// are neighbours.
func dealFew(ctx context.Context, n int, chunks []pairs, directed bool) (g csr.Graph, loops int64, err error) {
	g.Offsets = make([]int64, n+2)
	each := func(f func(u, v uint32)) {
		for _, c := range chunks {
			for e, u := range c.src {
				if v := c.dst[e]; u != v {
					if f(u, v); !directed {
						f(v, u)
					}
				}
			}
		}
	}
	each(func(_, v uint32) { g.Offsets[v+2]++ })
	for v := range n {
		g.Offsets[v+2] += g.Offsets[v+1]
	}
	g.Targets = make([]uint32, g.Offsets[n+1])
	each(func(u, v uint32) {
		g.Targets[g.Offsets[v+1]] = u
		g.Offsets[v+1]++
	})
	g.Offsets = g.Offsets[:n+1]
	loops = int64(edgesIn(chunks) - len(g.Targets))
	if !directed {
		loops = int64(edgesIn(chunks) - len(g.Targets)/2)
	}
	same := csr.Ascending(n)
	if g, err = g.Turned(ctx, same, same); err != nil {
		return csr.Graph{}, 0, err
	}
	g.Compact()
	if directed {
		in, err := g.Turned(ctx, same, same)
		if err != nil {
			return csr.Graph{}, 0, err
		}
		g.In = &in
	}
	clear(chunks)
	return g, loops, nil
}

func edgesIn(chunks []pairs) int {
	total := 0
	for _, c := range chunks {
		total += len(c.src)
	}
	return total
}

const (
	fewestInSpan = 1 << 14 // worth counters, unless the chunk ends
	mostInSpan   = 1 << 18 // 2 MiB
)

// cutSpans divides the edges into spans for the threads: short enough to share
// evenly, to stop at and to stay in cache.
func cutSpans(chunks []pairs, threads int) []pairs {
	size := min(max(edgesIn(chunks)/(4*threads), fewestInSpan), mostInSpan)
	var spans []pairs
	for _, c := range chunks {
		for at := 0; at < len(c.src); at += size {
			end := min(at+size, len(c.src))
			spans = append(spans, pairs{c.src[at:end], c.dst[at:end]})
		}
	}
	return spans
}

// dealing is edges in spans, dealt out to buckets within each.
type dealing struct {
	csr.Buckets
	directed bool

	spans []pairs      // once dealt: larger ends, smaller ends
	ends  []uint32     // by span and bucket: where it ends in the span
	given [][]uint32   // the lists that spans are parts of
	files *spill.Files // that these are in; nil: they are in memory
}

// order returns the ends of an edge, the larger one first. The source of an arc
// stands for it, whatever the numbers.
func (d *dealing) order(u, v uint32) (large, small uint32) {
	if d.directed {
		return u, v
	}
	return max(u, v), min(u, v)
}

// deal is step 1. It drops self-loops, and returns their number.
func (d *dealing) deal(ctx context.Context, keep bool, threads int) (loops int64, err error) {
	d.ends = make([]uint32, len(d.spans)*d.Count)
	spares := make([][]uint64, threads)
	given := int64(edgesIn(d.spans))
	err = parallel.Each(ctx, threads, len(d.spans), func(worker, i int) {
		src, next := d.spans[i].src, d.ends[i*d.Count:][:d.Count]
		dst := d.spans[i].dst[:len(src)]
		for e, u := range src {
			if v := dst[e]; u != v {
				large, _ := d.order(u, v)
				next[d.Of(large)]++
			}
		}
		start := uint32(0)
		for b, count := range next {
			next[b] = start
			start += count
		}
		if len(spares[worker]) < len(src) {
			spares[worker] = make([]uint64, len(src))
		}
		spare := spares[worker]
		for e, u := range src {
			if v := dst[e]; u != v {
				large, small := d.order(u, v)
				place := &next[d.Of(large)]
				spare[*place] = uint64(large)<<32 | uint64(small)
				*place++
			}
		}
		if keep {
			src, dst = make([]uint32, start), make([]uint32, start)
		}
		d.spans[i] = pairs{src[:start], dst[:start]}
		for e, edge := range spare[:start] {
			src[e], dst[e] = uint32(edge>>32), uint32(edge)
		}
		d.files.IdleEach(i, d.given...)
	})
	return given - int64(edgesIn(d.spans)), err
}

// inSpan returns a bucket's edges in a span.
func (d *dealing) inSpan(i, bucket int) pairs {
	ends := d.ends[i*d.Count:]
	start := uint32(0)
	if bucket > 0 {
		start = ends[bucket-1]
	}
	return pairs{d.spans[i].src[start:ends[bucket]], d.spans[i].dst[start:ends[bucket]]}
}

// fill is the csr.Fill of the edges.
func (d *dealing) fill(bucket int, deal func(large, small []uint32)) {
	d.files.IdleEach(bucket, d.given...)
	for i := range d.spans {
		edges := d.inSpan(i, bucket)
		deal(edges.src, edges.dst)
	}
}
