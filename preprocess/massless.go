package preprocess

import (
	"context"
	"slices"
	"sort"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// A vertex is massless if no path that counts begins or ends there. Whatever the question asks about pairs (a table of
// trips, shares by distance, a cutoff), such a vertex only makes paths longer. So a tree of such vertices is dropped
// (keepLeaves). A chain of them becomes an edge, as long as the chain. The flow over it is the score of each vertex inside.

// massless marks, by graph vertex, where no path that counts begins or ends. nil: the step of that name is off, or does
// not apply.
func (r *reducer) massless() []bool {
	q, n := r.plan.Question, r.plan.Vertices
	if r.plan.off("massless") || !twoMasses(q) {
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

// contractGain is the least ratio of edges to chains of a block that is contracted: its searches then add up flows.
const contractGain = 1.5

// contract is the step "massless". It replaces each chain of vertices without mass by one edge, as long as the chain.
// Vertices with mass stay, whatever their degree. The chains of a directed block are those of its shadow. Each becomes an
// arc in every direction in which it leads from end to end.
func (r *reducer) contract(ctx context.Context, _ wholes.Forms) error {
	q := r.plan.Question
	if !twoMasses(q) {
		return nil
	}
	// Questions without another formula, for hops and lengths alike. A prepared graph of hops has no place for lengths.
	hops := q.Shares() || q.HasTrips()
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if b.OneMass() || b.Distances || !b.HasLengths() && !hops || b.Directed() && b.Repeats() {
			continue
		}
		shadow, err := b.Shadow(ctx, r.opts.Threads)
		if err != nil {
			return err
		}
		massy := b.massy()
		m, bare, inside := float64(len(shadow.Targets)/2), 0, 0
		for v := range b.Vertices() {
			if shadow.Offsets[v+1]-shadow.Offsets[v] == 2 {
				inside++
				if !massy[v] {
					bare++
				}
			}
		}
		chains, shared := m-float64(bare), m-float64(inside) // those of the step "chains", whose sources share searches
		if b.Vertices()-bare < 2 || contractGain*chains > m || !hops && r.cutoff == noCutoff && !b.Directed() && chains > 1.5*shared {
			continue
		}
		if err := r.contractBlock(ctx, b, shadow, massy); err != nil {
			return err
		}
	}
	return nil
}

// link is an arc of a contracted block.
type link struct {
	from, to uint32 // old local vertices
	length   int64
	number   uint32 // of its flow
}

// contractBlock is contract for one block.
func (r *reducer) contractBlock(ctx context.Context, b *Block, shadow *csr.Graph, stay []bool) error {
	found, err := csr.WalkChains(ctx, shadow, stay)
	if err != nil {
		return err
	}
	// A graph has one edge between two vertices. Of several chains between two all but one keep a vertex.
	met := make(map[[2]uint32]bool, len(found.Ends))
	for e, ends := range found.Ends {
		if found.Length(e) == 1 {
			met[ends] = true
		}
	}
	for e, ends := range found.Ends {
		if found.Length(e) > 1 && ends[0] != ends[1] {
			stay[found.Inner[found.First[e]]] = met[ends]
			met[ends] = true
		}
	}
	if found, err = csr.WalkChains(ctx, shadow, stay); err != nil {
		return err
	}
	flows := &Flows{Inside: &insides{First: make([]uint32, 2)}} // number 0 is that of arcs with nothing inside
	if r.edges != nil {
		flows.First = make([]uint32, 2)
	}
	var links []link
	var way []uint32
	for e, ends := range found.Ends {
		if e%parallel.Interval == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if ends[0] == ends[1] {
			continue // no shortest path
		}
		way = append(append(append(way[:0], found.Junctions[ends[0]]), found.Inner[found.First[e]:found.First[e+1]]...), found.Junctions[ends[1]])
		number, numbered := uint32(0), r.edges == nil && len(way) == 2
		for range 2 {
			if length := b.along(way); length > 0 {
				if !numbered || r.edges != nil && b.Directed() {
					number, numbered = r.numberWay(flows, b, way), true
				}
				links = append(links, link{way[0], way[len(way)-1], length, number})
			}
			slices.Reverse(way)
		}
	}
	if len(links) > 0 {
		b.relink(found.Junctions, links, flows)
	}
	return nil
}

// numberWay numbers the flow over a chain, given with its ends.
func (r *reducer) numberWay(f *Flows, b *Block, way []uint32) (number uint32) {
	number = uint32(f.Count())
	in := f.Inside
	for _, v := range way[1 : len(way)-1] {
		in.Vertices = append(in.Vertices, b.vertices[v])
	}
	in.First = append(in.First, uint32(len(in.Vertices)))
	if r.edges != nil {
		for i, v := range way[1:] {
			f.Edges = append(f.Edges, numberIn(r.edges, b, way[i], v))
		}
		f.First = append(f.First, uint32(len(f.Edges)))
	}
	return number
}

// relink leaves some vertices of a block, in their order, joined by links.
func (b *Block) relink(left []uint32, links []link, flows *Flows) {
	local := make([]uint32, b.Vertices())
	for i, v := range left {
		local[v] = uint32(i)
	}
	var vertices []uint32
	var from, to []float64
	b.vertices, b.From, b.To = pick(&vertices, b.vertices, left), pick(&from, b.From, left), pick(&to, b.To, left)
	for i, x := range b.Waived {
		b.Waived[i].Source, b.Waived[i].Target = local[x.Source], local[x.Target]
	}
	rows := func(back bool) (g csr.Graph, numbers []uint32) {
		if back {
			for i, x := range links {
				links[i].from, links[i].to = x.to, x.from
			}
		}
		// Of copies, which have equal ends, the order is the same in both directions.
		sort.SliceStable(links, func(i, j int) bool {
			return links[i].from < links[j].from || links[i].from == links[j].from && links[i].to < links[j].to
		})
		g.Offsets = make([]int64, len(left)+1)
		for _, x := range links {
			g.Offsets[local[x.from]+1]++
			g.Targets, g.Lengths, numbers = append(g.Targets, local[x.to]), append(g.Lengths, x.length), append(numbers, x.number)
		}
		for i := range left {
			g.Offsets[i+1] += g.Offsets[i]
		}
		return g, numbers
	}
	directed := b.Directed()
	b.Graph, flows.Of = rows(false)
	if directed {
		in, _ := rows(true)
		b.In = &in
	}
	b.Flows = flows
}

// along returns the length of a way over arcs of a block; 0 if one is missing.
func (b *Block) along(way []uint32) (sum int64) {
	for i, v := range way[1:] {
		e := b.ArcTo(way[i], v)
		switch {
		case e < 0:
			return 0
		case b.HasLengths():
			sum += b.Lengths[e]
		default:
			sum++
		}
	}
	return sum
}
