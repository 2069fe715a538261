package searches

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/pages"
)

// alone searches breadth first from one source. Where every source has its own distance
// to most vertices, as on roads, masks of several sources share nothing.
type alone struct {
	far    []uint32  // by vertex: its distance; None: not reached
	counts []float64 // of reached vertices: path counts
	queue  []uint32  // reached vertices, by distance
	ready  bool      // no vertex is marked as reached
}

// None is the distance of a vertex that is not reached.
const None = math.MaxUint32

func (a *alone) search(ctx context.Context, g *csr.Graph, source uint32, o Options) (Rows, error) {
	if !a.ready {
		a.far = pages.Resize(a.far, g.Vertices())
		for v := range a.far {
			a.far[v] = None
		}
	}
	a.ready = false
	a.far[source] = 0
	a.queue = append(a.queue[:0], source)
	for at := 0; at < len(a.queue); at++ {
		if at%every == 0 && ctx.Err() != nil {
			return Rows{}, ctx.Err()
		}
		u := a.queue[at]
		next := a.far[u] + 1
		if int64(next) > o.Cutoff {
			break
		}
		for _, v := range g.Neighbours(u) {
			if a.far[v] == None {
				a.far[v] = next
				a.queue = append(a.queue, v)
			}
		}
	}
	few := len(a.queue) < len(a.far)/denseVertices
	var r Rows
	if few {
		r = a.rows(o.Spare)
	} else {
		r = o.Spare.RowsOf(a.far)
	}
	if o.Paths {
		if err := a.count(ctx, g.Reverse(), &r); err != nil {
			return Rows{}, err
		}
	}
	if a.ready = few; few {
		for _, v := range a.queue {
			a.far[v] = None
		}
	}
	return r, nil
}

// rows is RowsOf for the reached vertices, without looking at the others.
func (a *alone) rows(spare *Spare) Rows {
	r := spare.Rows(len(a.queue), false)
	copy(r.Vertices, a.queue)
	for first, end := 0, 0; first < len(r.Vertices); first = end {
		for end = first; end < len(r.Vertices) && a.far[r.Vertices[end]] == a.far[r.Vertices[first]]; end++ {
			r.Distances[end] = int64(a.far[r.Vertices[end]])
		}
		slices.Sort(r.Vertices[first:end])
	}
	return r
}

// count adds up paths in the same order as hops: that of the predecessors.
func (a *alone) count(ctx context.Context, in *csr.Graph, r *Rows) error {
	a.counts = pages.Resize(a.counts, in.Vertices())
	r.Paths = pages.Resize(r.Paths, len(r.Vertices))
	for i, v := range r.Vertices {
		if i%every == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		paths := 0.0
		if i == 0 {
			paths = 1
		}
		for _, u := range in.Neighbours(v) {
			if a.far[u] != None && a.far[u]+1 == a.far[v] {
				paths += a.counts[u]
			}
		}
		a.counts[v], r.Paths[i] = paths, paths
	}
	return nil
}

// RowsOf sorts the vertices that have a distance (None: they have not) by it, equal
// ones by vertex.
func (s *Spare) RowsOf(far []uint32) Rows {
	most, count := uint32(0), 0
	for _, d := range far {
		if d != None {
			most = max(most, d)
			count++
		}
	}
	r := s.Rows(count, false)
	if most >= 1<<digit {
		sortFar(r, far, most)
		return r
	}
	at := make([]int, most+2) // by distance: the number of nearer vertices
	for _, d := range far {
		if d != None {
			at[d+1]++
		}
	}
	for d := range most {
		at[d+1] += at[d]
	}
	for v, d := range far {
		if d != None {
			r.Vertices[at[d]], r.Distances[at[d]] = uint32(v), int64(d)
			at[d]++
		}
	}
	return r
}

// digit is the number of bits of distances per sorting pass.
const digit = 16

// sortFar is RowsOf for long distances: by one digit after the other, the lowest first.
func sortFar(r Rows, far []uint32, most uint32) {
	from, to := r.Vertices, make([]uint32, len(r.Vertices))
	i := 0
	for v, d := range far {
		if d != None {
			from[i] = uint32(v)
			i++
		}
	}
	for shift := 0; shift < 32 && most>>shift > 0; shift += digit {
		at := make([]int, 1<<digit+1)
		of := func(v uint32) uint32 { return far[v] >> shift & (1<<digit - 1) }
		for _, v := range from {
			at[of(v)+1]++
		}
		for d := range 1 << digit {
			at[d+1] += at[d]
		}
		for _, v := range from {
			to[at[of(v)]] = v
			at[of(v)]++
		}
		from, to = to, from
	}
	copy(r.Vertices, from)
	for i, v := range r.Vertices {
		r.Distances[i] = int64(far[v])
	}
}
