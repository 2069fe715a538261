package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
)

// Several cutoffs are several questions about one graph. Their common plan has the plans of all of them, one after the
// other. Reductions, blocks, batches and the search of a block decide the bits of a score. They are chosen for each
// cutoff by itself, so a column equals, to the bit, that of a run with its cutoff alone. Cutoffs that are the same in
// units of the graph's lengths, or longer than all paths, share a plan. Arrays that plans have in common are held once.

// reduceWithin is reduce for every cutoff of the question.
func reduceWithin(ctx context.Context, g *csr.Graph, opts Options) (*Plan, error) {
	cutoffs := opts.Question.Cutoffs()
	if len(cutoffs) < 2 {
		cutoff, err := cutoffOf(ctx, g, opts.Question, opts.Divisor)
		if err != nil {
			return nil, err
		}
		return reduce(ctx, g, opts, cutoff)
	}
	if opts.Question.Edges && opts.Edges == nil {
		edges, err := building.NewEdgeList(ctx, g, opts.Threads)
		if err != nil {
			return nil, err
		}
		opts.Edges = edges
	}
	var whole, last *Plan
	fits := opts.Fits
	for _, text := range slices.Backward(cutoffs) {
		one := opts
		one.Spend = false // other cutoffs need the graph
		one.Question = opts.Question.Within(text)
		cutoff, err := cutoffOf(ctx, g, one.Question, opts.Divisor)
		if err != nil {
			return nil, err
		}
		if last != nil && last.cutoff == cutoff {
			whole.share(last, text)
			continue
		}
		if held := whole.blockBytes(); held > 0 && fits != nil {
			one.Fits = func(bytes int64) error { return fits(held + bytes) }
		}
		if last, err = reduce(ctx, g, one, cutoff); err != nil {
			return nil, err
		}
		if whole == nil {
			copied := *last
			whole = &copied
			whole.Question, whole.ClosedForms, whole.Blocks = opts.Question, nil, nil
		}
		whole.join(last, text)
	}
	whole.sortBlocks()
	whole.Batches = batches(whole.Blocks)
	var err error
	whole.Fingerprint, err = fingerprint(ctx, whole, opts.Threads)
	return whole, err
}

// join adds the plan for one cutoff.
func (p *Plan) join(one *Plan, cutoff string) {
	for i, r := range one.Reductions {
		if r.Off != "" {
			p.Reductions[i] = r
		}
	}
	for _, b := range one.Blocks {
		for i := range p.Blocks {
			b.alias(&p.Blocks[i])
		}
		p.Blocks = append(p.Blocks, b)
	}
	p.share(one, cutoff)
}

// share makes the plan for one cutoff, which has been joined, serve another cutoff with the same plan.
func (p *Plan) share(one *Plan, cutoff string) {
	for _, c := range one.ClosedForms {
		c.Measure = measures.Measure{Name: c.Measure, Cutoff: cutoff}.Key()
		p.ClosedForms = append(p.ClosedForms, c)
	}
	for i := len(p.Blocks) - len(one.Blocks); i < len(p.Blocks); i++ {
		p.Blocks[i].Cutoffs = append(p.Blocks[i].Cutoffs, cutoff)
	}
}

// blockBytes is the memory of the plan's blocks; 0 if there is no plan.
func (p *Plan) blockBytes() int64 {
	if p == nil {
		return 0
	}
	return p.Bytes()
}

// alias replaces arrays that equal those of another block by these.
func (b *Block) alias(other *Block) {
	if b.Vertices() != other.Vertices() || len(b.Targets) != len(other.Targets) {
		return
	}
	oneMass := b.OneMass()
	aliasRows(&b.Graph, &other.Graph)
	if b.Directed() && other.Directed() {
		in := *b.In
		aliasRows(&in, other.In)
		b.In = &in
	}
	once(&b.From, other.From)
	once(&b.To, other.To)
	if oneMass {
		b.To = b.From
	}
	once(&b.Multiplicity, other.Multiplicity)
	once(&b.Sources, other.Sources)
	once(&b.Farness, other.Farness)
	once(&b.vertices, other.vertices)
	once(&b.classes, other.classes)
	once(&b.counted, other.counted)
	if b.HasFlows() && other.HasFlows() {
		flows := *b.Flows
		once(&flows.Of, other.Flows.Of)
		once(&flows.Edges, other.Flows.Edges)
		once(&flows.First, other.Flows.First)
		if flows.Inside != nil && other.Flows.Inside != nil {
			inside := *flows.Inside
			once(&inside.First, other.Flows.Inside.First)
			once(&inside.Vertices, other.Flows.Inside.Vertices)
			flows.Inside = &inside
		}
		b.Flows = &flows
	}
}

// aliasRows replaces arrays that equal those of another graph by these.
func aliasRows(g *csr.Graph, other *csr.Graph) {
	once(&g.Offsets, other.Offsets)
	once(&g.Targets, other.Targets)
	once(&g.Lengths, other.Lengths)
}

// once replaces a slice by another that is equal to it.
func once[E comparable](mine *[]E, other []E) {
	if len(other) > 0 && slices.Equal(*mine, other) {
		*mine = other
	}
}
