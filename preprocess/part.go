package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
)

// Parts cuts parts out of a block: all that the searches of a batch reach within the block's Cutoff. A part is itself a
// Block, so that every engine can search it. Neighbours keep their order in the block, and so do sums over them. Time
// and memory of a part are proportional to its size.
type Parts struct {
	ball  reacher // finds the parts
	block *Block
	local []uint32 // by vertex of the block: its number in the current part; else none
	edge  []uint32 // likewise, of the block's Flows

	// The current part, in memory that the next one reuses. Hung is in counted: a block with Access has none.
	memory  Block
	against csr.Graph
	flows   Flows
}

// Cut returns the part of a block that the batch's sources reach. Local vertex i stands for vertices[i], in the order
// of distance from the nearest source. Sources are the batch's, in their order. Flows.Edges[i] is the block's number of
// the part's number i. The part has no Roads and no Chains, nor has the block. Cut overwrites the last part's slices;
// every part has an address of its own while an engine knows it. The only error is the context's.
func (p *Parts) Cut(ctx context.Context, b *Block, batch engine.Batch) (part *Block, vertices []uint32, err error) {
	if err := p.ball.search(ctx, b, b.Sources[batch.First:batch.First+batch.Count]); err != nil {
		return nil, nil, err
	}
	vertices = p.ball.order
	if p.block != b {
		p.block, p.local, p.edge = b, slices.Repeat([]uint32{csr.None}, b.Vertices()), nil
		if b.HasFlows() {
			p.edge = slices.Repeat([]uint32{csr.None}, b.Flows.Count())
		}
	}
	for i, v := range vertices {
		p.local[v] = uint32(i)
	}
	part = &Block{
		Lanes: b.Lanes, Cutoff: b.Cutoff, repeated: b.repeated,
		Paths:   Paths{Linear: b.Linear, Decay: b.Decay, Access: b.Access, Sees: b.Sees, spread: b.spread.part(vertices)},
		names:   names{hanging: b.hanging},
		Reaches: Reaches{Distances: b.Distances, Outward: b.Outward, Own: b.Own},
		Entries: int(int64(b.Entries) * int64(len(vertices)) / int64(b.Vertices())),
	}
	p.cutArcs(&p.memory.Graph, &b.Graph, vertices)
	part.Graph = p.memory.Graph
	if b.Directed() {
		p.cutArcs(&p.against, b.In, vertices)
		part.In = &p.against
	}
	part.From = pick(&p.memory.From, b.From, vertices)
	part.To = part.From
	if b.From != nil && !b.OneMass() {
		part.To = pick(&p.memory.To, b.To, vertices)
	}
	if b.hanging != nil && b.classes == nil {
		part.vertices = pick(&p.memory.vertices, b.vertices, vertices)
	}
	part.Hung = pick(&p.memory.counted, b.Hung, vertices)
	part.Multiplicity = pick(&p.memory.Multiplicity, b.Multiplicity, vertices)
	part.Draws = pick(&p.memory.Draws, b.Draws, vertices)
	part.Farness = pick(&p.memory.Farness, b.Farness, vertices)
	part.Near = pick(&p.memory.Near, p.ball.distance, vertices)
	part.Reach = pick(&p.memory.Reach, b.Reach, vertices)
	part.counted = pick(&p.memory.counted, b.counted, vertices)
	part.Sources = pick(&p.memory.Sources, p.local, b.Sources[batch.First:batch.First+batch.Count])
	if b.Waived != nil {
		part.Waived = p.cutWaived(b, part.Sources, vertices)
	}
	if b.HasFlows() {
		part.Flows = p.cutFlows(b, vertices)
	}
	for _, v := range vertices {
		p.local[v] = csr.None
	}
	return part, vertices, nil
}

// pick returns the elements of some vertices, in memory that is reused; nil if of is.
func pick[E any](memory *[]E, of []E, vertices []uint32) []E {
	if of == nil {
		return nil
	}
	picked := (*memory)[:0]
	for _, v := range vertices {
		picked = append(picked, of[v])
	}
	*memory = picked
	return picked
}

// cutArcs keeps the arcs of a graph between the part's vertices.
func (p *Parts) cutArcs(to, of *csr.Graph, vertices []uint32) {
	offsets, targets, lengths := append(to.Offsets[:0], 0), to.Targets[:0], to.Lengths[:0]
	for _, v := range vertices {
		first, end := of.Offsets[v], of.Offsets[v+1]
		for e, u := range of.Targets[first:end] {
			at := p.local[u]
			if at == csr.None {
				continue
			}
			targets = append(targets, at)
			if of.HasLengths() {
				lengths = append(lengths, of.Lengths[first+int64(e)])
			}
		}
		offsets = append(offsets, int64(len(targets)))
	}
	if !of.HasLengths() {
		lengths = nil
	}
	to.Offsets, to.Targets, to.Lengths = offsets, targets, lengths
}

// cutWaived keeps the waivers of the batch's sources, by their numbers in the part.
func (p *Parts) cutWaived(b *Block, sources, vertices []uint32) []waiver {
	p.memory.Waived = p.memory.Waived[:0]
	for _, s := range slices.Sorted(slices.Values(sources)) {
		for _, x := range b.WaivedBy(vertices[s]) {
			if at := p.local[x.Target]; at != csr.None {
				p.memory.Waived = append(p.memory.Waived, waiver{s, at, x.Mass})
			}
		}
	}
	return p.memory.Waived
}

// cutFlows numbers the part's edges in the block's order.
func (p *Parts) cutFlows(b *Block, vertices []uint32) *Flows {
	of, edges := p.flows.Of[:0], p.flows.Edges[:0]
	for _, v := range vertices {
		first, end := b.Offsets[v], b.Offsets[v+1]
		for e, u := range b.Targets[first:end] {
			if p.local[u] == csr.None {
				continue
			}
			number := b.Flows.Of[first+int64(e)]
			of = append(of, number)
			if p.edge[number] == csr.None {
				p.edge[number] = 0 // listed
				edges = append(edges, number)
			}
		}
	}
	slices.Sort(edges)
	for i, number := range edges {
		p.edge[number] = uint32(i)
	}
	for i, number := range of {
		of[i] = p.edge[number]
	}
	for _, number := range edges {
		p.edge[number] = csr.None
	}
	p.flows = Flows{Of: of, Edges: edges}
	return &p.flows
}
