package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/contraction"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// A vertex is massless if no path that counts begins or ends there. Whatever the question asks about pairs (a table of
// trips, shares by distance, a cutoff), such a vertex only makes paths longer. So a tree of such vertices is dropped
// (keepLeaves). Others are removed, and shortcuts join their neighbours. The flow over a shortcut is a part of the score of
// each vertex inside.

// massless marks, by graph vertex, where no path that counts begins or ends. nil: the step of that name is off, or does
// not apply.
func (r *reducer) massless() []bool {
	n := r.plan.Vertices
	if r.plan.off("massless") || !r.opts.twoMasses() {
		return nil
	}
	begin, end := r.opts.begin(n), r.opts.end(n)
	massless := make([]bool, n)
	for v := range massless {
		massless[v] = begin[v] == 0 && end[v] == 0
	}
	return massless
}

// massy marks, by local vertex, where paths that count begin or end.
func (b *Block) massy() []bool {
	massy := make([]bool, b.Vertices())
	for v := range massy {
		massy[v] = b.From[v] > 0 || b.To[v] > 0
	}
	for _, x := range b.Waived {
		massy[x.Target] = true
	}
	for _, v := range b.Sources {
		massy[v] = true
	}
	return massy
}

const (
	// contractGain is the least ratio of the arcs of a block to those of the contracted block, whose searches add up
	// flows.
	contractGain = 1.25
	// hopsGain is that of blocks without lengths whose pairs count for the product of their masses: searches by hops find more
	// sources at once.
	hopsGain = 3
	// contractDegree is the largest mean degree of a block without lengths that is contracted: searches by lengths then
	// replace those by hops.
	contractDegree = 3
	// drawnSources is the largest number of sources of a block that is contracted although its sources could be drawn. Exact
	// scores then cost less than estimates. Measured: docs/decisions/035-massless-chains-as-edges.md.
	drawnSources = 4096
)

// contract is the step "massless". It removes vertices without mass. Shortcuts replace the shortest paths through them.
func (r *reducer) contract(ctx context.Context, _ wholes.Forms) error {
	q := r.plan.Question
	if !r.opts.twoMasses() {
		return nil
	}
	product := !q.Shares() && !q.HasTrips()
	const most = 1 << (csr.LongestPath - 1) // a distance and a shortcut together stay below 2^csr.LongestPath
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if b.OneMass() || b.Distances || !b.HasLengths() && len(b.Targets) > contractDegree*b.Vertices() || b.HasLengths() && b.LongestWalk() >= most {
			continue
		}
		gain := contractGain
		if product && !b.HasLengths() {
			gain = hopsGain
		}
		if r.opts.Drawn && vertices(b.From) > drawnSources {
			continue
		}
		massy := b.massy()
		stay := parallel.Total(r.opts.Threads, b.Vertices(), parallel.Interval, func(lo, hi int) (arcs int64) { // arcs that no shortcut replaces
			for v := lo; v < hi; v++ {
				for _, u := range b.Neighbours(uint32(v)) {
					if massy[v] && massy[u] {
						arcs++
					}
				}
			}
			return arcs
		})
		if gain*float64(stay) > float64(len(b.Targets)) {
			continue
		}
		if err := r.fits(r.held() + r.copying + contraction.Bytes(&b.Graph, true)); err != nil {
			return err
		}
		c, err := contraction.Contract(ctx, &b.Graph, most, massy)
		if err != nil {
			return err
		}
		arcs, shared := 0, b.Edges() // of the chains of the step "chains", whose sources share searches
		for v, taken := range c.Taken {
			if !taken {
				arcs += len(c.Out[v])
			}
			if b.Offsets[v+1]-b.Offsets[v] == 2 {
				shared--
			}
		}
		if arcs == 0 || gain*float64(arcs) > float64(len(b.Targets)) || product && b.HasLengths() && r.cutoff == noCutoff && !b.Directed() && int64(arcs) > 3*shared {
			continue
		}
		if err := r.relink(ctx, b, c); err != nil {
			return err
		}
	}
	return nil
}

// sparseZones is the number of vertices for each one with a mass from which the reductions of blocks take longer than they
// save.
const sparseZones = 64

// leaveBlocks turns the reductions of trees and blocks off in a graph of few edges and very few vertices with masses. The step
// "massless" then makes whole components small.
func (r *reducer) leaveBlocks() {
	q, g := r.plan.Question, r.graph
	if q.HasTrips() || r.opts.Unsummed || r.opts.Drawn || len(g.Targets) > contractDegree*g.Vertices() {
		return
	}
	massless := r.massless() // sources alone may be few, and any vertex a target
	stay := len(massless)
	for _, without := range massless {
		if without {
			stay--
		}
	}
	if massless == nil || sparseZones*stay > g.Vertices() {
		return
	}
	for i := range r.plan.Reductions {
		if x := &r.plan.Reductions[i]; x.Off == "" && slices.Contains([]string{"folding", "blocks", "cliques", "cycles", "chains", "twins"}, x.Name) {
			x.Off = "very few vertices have masses"
		}
	}
}

// relink leaves the vertices of a block that a contraction did not remove, in their order.
func (r *reducer) relink(ctx context.Context, b *Block, c *contraction.Contraction) error {
	before, directed := *b, b.Directed()
	var left []uint32
	local := make([]uint32, b.Vertices())
	for v := range local {
		if !c.Taken[v] {
			local[v] = uint32(len(left))
			left = append(left, uint32(v))
		}
	}
	b.vertices, b.From, b.To = csr.Pick(b.vertices, left), csr.Pick(b.From, left), csr.Pick(b.To, left)
	for i, x := range b.Waived {
		b.Waived[i].Source, b.Waived[i].Target = local[x.Source], local[x.Target]
	}
	rows := func(back [][]contraction.End) (g csr.Graph, ways []uint32) { // rows ascend, as lists are read in their order
		g.Offsets = make([]int64, len(left)+1)
		for _, v := range left {
			for _, e := range back[v] {
				g.Offsets[local[e.To]+1]++
			}
		}
		for i := range left {
			g.Offsets[i+1] += g.Offsets[i]
		}
		arcs, next := g.Offsets[len(left)], slices.Clone(g.Offsets)
		g.Targets, g.Lengths, ways = make([]uint32, arcs), make([]int64, arcs), make([]uint32, arcs)
		for i, v := range left {
			for _, e := range back[v] {
				at := &next[local[e.To]]
				g.Targets[*at], g.Lengths[*at], ways[*at] = uint32(i), e.Length, e.Way
				*at++
			}
		}
		return g, ways
	}
	g, ways := rows(c.In)
	if directed {
		in, _ := rows(c.Out)
		g.In = &in
	}
	b.Graph = g
	b.Flows = &Flows{Inside: &insides{make([]uint32, 2), make([]uint32, 0, len(c.Order))}} // number 0 is that of arcs with nothing inside
	if r.edges != nil {
		b.Flows.First = make([]uint32, 2)
	}
	of, err := b.numberArcs(ctx, func(v uint32, e int64) uint32 {
		if ways[e] == 0 && r.edges == nil {
			return 0
		}
		return r.numberWay(b.Flows, &before, c.Ways, contraction.Arc{From: left[v], To: left[b.Targets[e]], Way: ways[e]})
	})
	b.Flows.Of = of
	return err
}

// numberWay numbers the flow over an arc of a block before its contraction, and lists what is inside.
func (r *reducer) numberWay(f *Flows, b *Block, ways [][2]contraction.Arc, arc contraction.Arc) (number uint32) {
	number = uint32(f.Count())
	in := f.Inside
	for parts := []contraction.Arc{arc}; len(parts) > 0; {
		last := len(parts) - 1
		x := parts[last]
		parts = parts[:last]
		if x.Way > 0 {
			way := ways[x.Way-1]
			in.Vertices = append(in.Vertices, b.vertices[way[0].To])
			parts = append(parts, way[:]...)
		} else if r.edges != nil {
			f.Edges = append(f.Edges, numberIn(r.edges, b, x.From, x.To))
		}
	}
	in.First = append(in.First, uint32(len(in.Vertices)))
	if r.edges != nil {
		f.First = append(f.First, uint32(len(f.Edges)))
	}
	return number
}
