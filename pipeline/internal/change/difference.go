package change

import (
	"context"
	"slices"

	"bcstage/internal/budget"
	"bcstage/internal/building"
	"bcstage/internal/cpu/pairs"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
	"bcstage/preprocess"
)

// Difference is the change between two graphs.
type Difference struct {
	Added, Removed, Resized int64 // edges; Resized have another length
	Came, Went              int   // vertices

	counting

	today, yesterday *csr.Graph  // until Planned
	vertices         int         // of today
	twin             []uint32    // by vertex of the union: the same vertex in the other graph, or csr.None
	changed          [][2]uint32 // edges in numbers of the union: removed ones in yesterday's part, added ones in today's, those of another length in both; until Planned
	searched         []uint32    // by vertex of the graph of Flows: its number in the union
	Blocks           int         // that Inside found
	within                       // where it is that of some blocks
	directed         bool
}

// counting says which pairs count, and how much.
type counting struct {
	// Sources and Targets say, by vertex of the union, where the paths that count begin and end; nil: everywhere.
	Sources, Targets []bool

	Cutoff int64 // largest length of a path that counts; 0: none

	origins, destinations []int64         // see Weigh; until Planned
	trips                 []building.Trip // see Count, by vertex of the union; until Planned
	ordered               bool            // see Ordered
	weighed               bool            // see Weigh
	spreads               bool            // see Spread
}

// within says where a Difference of blocks, which Inside makes, is in that of both graphs.
type within struct {
	outer *Difference // nil: it is that of both graphs
	at    []uint32    // by vertex of the union: its number in that of outer
	share float64     // of the work of a whole run: that of the blocks
}

// Compare finds the difference in one pass over the edges of both graphs. Both are directed or none is, and both have lengths, in
// one unit, or none has. of maps a vertex of yesterday to its number today, or csr.None. The error is the context's.
//
// The union of both graphs has today's vertices first, then yesterday's.
func Compare(ctx context.Context, today, yesterday *csr.Graph, of []uint32) (*Difference, error) {
	n := uint32(today.Vertices())
	d := &Difference{today: today, yesterday: yesterday, vertices: int(n), twin: make([]uint32, int(n)+len(of)), directed: today.Directed(), counting: counting{ordered: today.Directed()}, within: within{share: 1}}
	once := func(u, v uint32) bool { return d.directed || u < v } // an undirected edge is in two rows
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
	var long []int64          // likewise, the length of the edge
	if today.HasLengths() {
		long = make([]int64, n)
	}
	for v := range parallel.Until(ctx, n) {
		if twin := d.twin[v]; twin != csr.None {
			for arc := yesterday.Offsets[twin-n]; arc < yesterday.Offsets[twin-n+1]; arc++ {
				if w := of[yesterday.Targets[arc]]; w != csr.None {
					if seen[w] = v + 1; long != nil {
						long[w] = yesterday.Lengths[arc]
					}
				}
			}
		}
		for arc := today.Offsets[v]; arc < today.Offsets[v+1]; arc++ {
			w := today.Targets[arc]
			there := seen[w] == v+1
			if there && (long == nil || long[w] == today.Lengths[arc]) {
				seen[w] = 0 // found
				continue
			}
			if !once(v, w) {
				continue
			}
			if d.changed = append(d.changed, [2]uint32{v, w}); there {
				d.Resized++
			} else {
				d.Added++
			}
		}
		if twin := d.twin[v]; twin != csr.None {
			for _, old := range yesterday.Neighbours(twin - n) {
				if w := of[old]; w == csr.None || seen[w] == v+1 && once(twin-n, old) {
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
			if d.directed || of[w] == csr.None && uint32(old) < w { // other edges were found from the end that is still there
				d.removed(n+uint32(old), n+w)
			}
		}
	}
	d.Removed -= d.Resized
	return d, ctx.Err()
}

func (d *Difference) removed(u, v uint32) {
	d.changed = append(d.changed, [2]uint32{u, v})
	d.Removed++
}

// Equal reports whether both graphs have the same vertices and edges.
func (d *Difference) Equal() bool { return len(d.changed) == 0 && d.Came == 0 && d.Went == 0 }

// Union returns both graphs as one: today's vertices, then yesterday's. It has the edges of groups only, since nothing else
// changed.
func (d *Difference) Union() *csr.Graph {
	within := d.groups()
	return beside(only(d.today, within[:d.vertices]), only(d.yesterday, within[d.vertices:]))
}

// groups returns by vertex of the union a number of its component of both graphs together, one with a changed edge. It
// is csr.None in other components, which are the same today and yesterday.
func (d *Difference) groups() []uint32 {
	group := slices.Repeat([]uint32{csr.None}, len(d.twin))
	var stack []uint32
	meet := func(v, of uint32) {
		if v != csr.None && group[v] == csr.None {
			group[v] = of
			stack = append(stack, v)
		}
	}
	n := uint32(d.vertices)
	for _, e := range d.changed {
		for meet(e[0], e[0]); len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			g, first := d.today, uint32(0)
			if v >= n {
				g, first = d.yesterday, n
			}
			for _, w := range g.Neighbours(v - first) {
				meet(first+w, group[v])
			}
			if g.Directed() {
				for _, w := range g.In.Neighbours(v - first) {
					meet(first+w, group[v])
				}
			}
			meet(d.twin[v], group[v])
		}
	}
	return group
}

// only returns a graph with the edges of groups only.
func only(g *csr.Graph, group []uint32) *csr.Graph {
	return rows(g, csr.Ascending(len(group)), func(w uint32) uint32 {
		if group[w] == csr.None {
			return csr.None
		}
		return w
	})
}

// beside returns two graphs as one: the vertices of a, then those of b.
func beside(a, b *csr.Graph) *csr.Graph {
	n, m := a.Vertices(), len(a.Targets)
	u := &csr.Graph{Offsets: make([]int64, n+b.Vertices()+1), Targets: make([]uint32, m+len(b.Targets))}
	copy(u.Offsets, a.Offsets)
	copy(u.Targets, a.Targets)
	for v := range b.Vertices() {
		u.Offsets[n+v+1] = int64(m) + b.Offsets[v+1]
	}
	for i, w := range b.Targets {
		u.Targets[m+i] = uint32(n) + w
	}
	if a.HasLengths() {
		u.Lengths = slices.Concat(a.Lengths, b.Lengths)
	}
	if a.Directed() {
		u.In = beside(a.In, b.In)
	}
	return u
}

// Pairs returns the union as a block, and a sampler of what differs between both graphs. Pairs are of one component of
// both graphs together, one with a changed edge. The paths of all others are the same. Result count is what all pairs
// count in a score: their number, or the sum of their products. Result members is the number of vertices of these
// components, each counted once, or the sum of their origins.
func (d *Difference) Pairs(union *csr.Graph) (block *preprocess.Block, sampler *pairs.Sampler, count float64, members int) {
	group := d.groups()
	for v, twin := range d.twin {
		if v >= d.vertices && twin != csr.None {
			group[v] = csr.None
		}
		switch {
		case group[v] == csr.None:
		case d.origins != nil:
			members += int(d.origins[v])
		default:
			members++
		}
	}
	block = &preprocess.Block{Graph: *union, Paths: preprocess.Paths{From: wholes.Floats(d.origins), To: wholes.Floats(d.destinations)}}
	sampler = pairs.NewDifferences(block, d.twin, group, d.vertices)
	return block, sampler, d.each() * sampler.Pairs(), members
}

// each is what an ordered pair counts in a score.
func (d *Difference) each() float64 {
	if d.directed || d.weighed {
		return 1
	}
	return 0.5
}

// UnionBytes is about the memory of Union, a cover and what Flows searches.
func (d *Difference) UnionBytes() int64 {
	arcs := 4 * int64(len(d.today.Targets)+len(d.yesterday.Targets))
	if d.today.HasLengths() {
		arcs *= 3
	}
	if d.today.Directed() {
		arcs *= 2
	}
	if d.turns() {
		arcs *= 2
	}
	vertex := int64(128)
	if d.weighed {
		vertex += 4 * 8
	}
	return arcs + vertex*int64(len(d.twin)) + 2*tripBytes*int64(len(d.trips))
}

// Planned drops the fields that Scores does not need.
func (d *Difference) Planned() {
	d.today, d.yesterday, d.changed, d.Sources, d.Targets, d.origins, d.destinations, d.trips = nil, nil, nil, nil, nil, nil, nil, nil
}

// Held is the memory after Planned.
func (d *Difference) Held() int64 { return budget.Held(d.twin) + budget.Held(d.searched) }

// Ordered makes Masses count the paths from sources to targets only. Without it, undirected pairs have one set of ends.
func (d *Difference) Ordered() { d.ordered = true }

// Weigh makes a pair count the mass that begins at its source times the mass that ends at its target, by vertex of the union;
// nil: 1 each. Both copies of a vertex have the same masses. Pairs are ordered then.
func (d *Difference) Weigh(origins, destinations []int64) {
	d.origins, d.destinations, d.weighed = origins, destinations, true
	some := func(ends []bool, masses []int64) []bool {
		if masses == nil {
			return ends
		}
		list := make([]bool, len(masses))
		for v, mass := range masses {
			list[v] = mass > 0 && (ends == nil || ends[v])
		}
		return list
	}
	d.Sources, d.Targets = some(d.Sources, origins), some(d.Targets, destinations)
	d.ordered = d.directed || !slices.Equal(origins, destinations) || !slices.Equal(d.Sources, d.Targets)
}

// turns reports whether flows go through the union and, beside it, through the union turned round. Trips between two
// vertices of an undirected graph are one row of a search from either. Where masses spread, every pair is searched from its source.
func (d *Difference) turns() bool { return d.ordered && !d.spreads && (d.directed || d.trips == nil) }

// Spread says that the mass of a source is spread over all that it reaches. If the paths of one of its pairs change, all
// its pairs count differently. Pairs are ordered then.
func (d *Difference) Spread() { d.ordered, d.spreads = true, true }

// close adds to a cover the copies of its vertices in the other graph.
func (d *Difference) close(cover Cover) {
	for v, is := range cover {
		if twin := d.twin[v]; is && twin != csr.None {
			cover[twin] = true
		}
	}
}

// Changes returns what Scores adds to yesterday's scores.
func (d *Difference) Changes(parts []float64) []float64 {
	changes := make([]float64, d.vertices)
	for v := range changes {
		if parts == nil {
			break
		}
		changes[v] = parts[v]
		if twin := d.twin[v]; twin != csr.None {
			changes[v] -= parts[twin]
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

// Scores returns today's scores by vertex of today. yesterday has the scores by vertex of yesterday, and parts are those of
// Parts; nil: all are 0. If all pairs of a score but a part below 1e-12 have changed, that part is rounding, and counts
// as 0.
func (d *Difference) Scores(yesterday, parts []float64) []float64 {
	scores := d.Before(yesterday)
	for v := range scores {
		if parts == nil {
			break
		}
		if twin := d.twin[v]; twin != csr.None {
			rest := scores[v] - parts[twin]
			if rest < negligible*scores[v] {
				rest = 0
			}
			scores[v] = rest
		}
		scores[v] += parts[v]
	}
	return scores
}
