package change

import (
	"context"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/preprocess"
)

// Difference is the change between two undirected graphs without lengths.
type Difference struct {
	Added, Removed int64 // edges
	Came, Went     int   // vertices

	today, yesterday *csr.Graph  // until Planned
	vertices         int         // of today
	twin             []uint32    // by vertex of the union: the same vertex in the other graph, or csr.None
	changed          [][2]uint32 // edges in numbers of the union: removed ones in yesterday's part, added ones in today's; until Planned
}

// Compare finds the difference in one pass over the edges of both graphs. of maps a vertex of yesterday to its number
// today, or csr.None. The error is the context's.
//
// The union of both graphs has today's vertices first, then yesterday's.
func Compare(ctx context.Context, today, yesterday *csr.Graph, of []uint32) (*Difference, error) {
	n := uint32(today.Vertices())
	d := &Difference{today: today, yesterday: yesterday, vertices: int(n), twin: make([]uint32, int(n)+len(of))}
	for v := range d.twin {
		d.twin[v] = csr.None
	}
	for old, v := range of {
		if v == csr.None {
			d.Went++
			continue
		}
		d.twin[v], d.twin[n+uint32(old)] = n+uint32(old), v
	}
	d.Came = int(n) - (len(of) - d.Went)
	seen := make([]uint32, n) // by vertex of today: one more than its last visitor among yesterday's neighbours
	for v := range n {
		if v%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if twin := d.twin[v]; twin != csr.None {
			for _, old := range yesterday.Neighbours(twin - n) {
				if w := of[old]; w != csr.None {
					seen[w] = v + 1
				}
			}
		}
		for _, w := range today.Neighbours(v) {
			if seen[w] == v+1 {
				seen[w] = 0 // found
			} else if v < w {
				d.changed = append(d.changed, [2]uint32{v, w})
				d.Added++
			}
		}
		if twin := d.twin[v]; twin != csr.None {
			for _, old := range yesterday.Neighbours(twin - n) {
				if w := of[old]; w == csr.None || seen[w] == v+1 && twin-n < old {
					d.removed(twin, n+old)
				}
			}
		}
	}
	for old, v := range of {
		if v != csr.None {
			continue
		}
		for _, w := range yesterday.Neighbours(uint32(old)) {
			if of[w] == csr.None && uint32(old) < w { // other edges were found from the end that is still there
				d.removed(n+uint32(old), n+w)
			}
		}
	}
	return d, nil
}

func (d *Difference) removed(u, v uint32) {
	d.changed = append(d.changed, [2]uint32{u, v})
	d.Removed++
}

// Equal reports whether both graphs have the same vertices and edges.
func (d *Difference) Equal() bool { return len(d.changed) == 0 && d.Came == 0 && d.Went == 0 }

// Union returns both graphs as one: today's vertices, then yesterday's.
func (d *Difference) Union() *csr.Graph {
	n, m := d.today.Vertices(), len(d.today.Targets)
	u := &csr.Graph{Offsets: make([]int64, len(d.twin)+1), Targets: make([]uint32, m+len(d.yesterday.Targets))}
	copy(u.Offsets, d.today.Offsets)
	copy(u.Targets, d.today.Targets)
	for v := range d.yesterday.Vertices() {
		u.Offsets[n+v+1] = int64(m) + d.yesterday.Offsets[v+1]
	}
	for i, w := range d.yesterday.Targets {
		u.Targets[m+i] = uint32(n) + w
	}
	return u
}

// Block returns both graphs as the block of pairs.NewDifferences, and the twins. A vertex counts once: of today, if it is there.
func (d *Difference) Block(union *csr.Graph) (*preprocess.Block, []uint32) {
	b := &preprocess.Block{Graph: *union}
	b.From = make([]float64, len(d.twin))
	for v, twin := range d.twin {
		if v < d.vertices || twin == csr.None {
			b.From[v] = 1
		}
	}
	b.To = b.From
	return b, d.twin
}

// UnionBytes is about the memory of Union and a cover.
func (d *Difference) UnionBytes() int64 {
	return 4*int64(len(d.today.Targets)+len(d.yesterday.Targets)) + 64*int64(len(d.twin))
}

// Planned drops the fields that Scores does not need.
func (d *Difference) Planned() { d.today, d.yesterday, d.changed = nil, nil, nil }

// Held is the memory after Planned.
func (d *Difference) Held() int64 { return 4 * int64(len(d.twin)) }

// close adds to a cover the copies of its vertices in the other graph.
func (d *Difference) close(cover Cover) {
	for v, is := range cover {
		if twin := d.twin[v]; is && twin != csr.None {
			cover[twin] = true
		}
	}
}

// Masses returns the origins and destinations by vertex of the cover.
func Masses(cover Cover) (origins, destinations []int64) {
	origins, destinations = make([]int64, len(cover)), make([]int64, len(cover))
	for v, is := range cover {
		if destinations[v] = 2; is {
			origins[v], destinations[v] = 1, 1
		}
	}
	return origins, destinations
}

// Changes returns what Scores adds to yesterday's scores.
func (d *Difference) Changes(flows []float64) []float64 {
	changes := make([]float64, d.vertices)
	for v := range changes {
		if flows == nil {
			break
		}
		changes[v] = flows[v] / 2
		if twin := d.twin[v]; twin != csr.None {
			changes[v] -= flows[twin] / 2
		}
	}
	return changes
}

// Before returns yesterday's values by vertex of today; 0 where there was none.
func (d *Difference) Before(yesterday []float64) []float64 {
	values := make([]float64, d.vertices)
	for v := range values {
		if twin := d.twin[v]; twin != csr.None {
			values[v] = yesterday[int(twin)-d.vertices]
		}
	}
	return values
}

// negligible is the share of a score that is rounding.
const negligible = 1e-12

// Scores returns today's scores by vertex of today. yesterday has the scores by vertex of yesterday, and flows are by
// vertex of the union; nil: all are 0. If all pairs of a score but a part below 1e-12 have changed, that part is
// rounding, and counts as 0.
func (d *Difference) Scores(yesterday, flows []float64) []float64 {
	scores := d.Before(yesterday)
	for v := range scores {
		if flows == nil {
			break
		}
		if twin := d.twin[v]; twin != csr.None {
			rest := scores[v] - flows[twin]/2
			if rest < negligible*scores[v] {
				rest = 0
			}
			scores[v] = rest
		}
		scores[v] += flows[v] / 2
	}
	return scores
}
