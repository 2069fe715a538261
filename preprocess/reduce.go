package preprocess

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/invariants"
	"bcstage/internal/measures"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// Reduce removes the parts of g that have a closed form and lays out the rest as blocks and batches of sources. Its
// result depends on g and on the options, not on the number of threads. It fails if an option is out of its
// limits, if the question cannot be answered yet (also question.ErrUnanswered), or if g has lengths and the question
// is not about them. It fails with csr.ErrTooLarge if g is too large, and when ctx is done.
func Reduce(ctx context.Context, g *csr.Graph, opts Options) (*Plan, error) {
	opts, err := opts.check()
	if err != nil {
		return nil, fmt.Errorf("preprocess: %w", err)
	}
	if g.HasLengths() && opts.Question.Lengths.Column == "" {
		return nil, fmt.Errorf("preprocess: %w: edges have lengths, and the question is not about them", errOptions)
	}
	p, err := reduceWithin(ctx, g, opts)
	if err != nil {
		return nil, fmt.Errorf("preprocess: reduce: %w", err)
	}
	return p, nil
}

func reduce(ctx context.Context, g *csr.Graph, opts Options, cutoff int64) (p *Plan, err error) {
	if g.Vertices() > csr.MaxVertices {
		return nil, csr.ErrTooLarge
	}
	if directed := g.Directed(); directed != opts.Question.Directed {
		return nil, fmt.Errorf("%w: the graph is directed: %t, its question: %t", errOptions, directed, opts.Question.Directed)
	}
	if err := opts.checkEnds(g.Vertices()); err != nil {
		return nil, err
	}
	if err := cmp.Or(opts.checkMasses(g.Vertices()), opts.checkTrips(g.Vertices())); err != nil {
		return nil, err
	}
	opts.dropOnes()
	if opts.Question.Edges && opts.Question.Shares() {
		g = withUnits(g)
	}
	p = &Plan{Question: opts.Question, cutoff: cutoff, Vertices: g.Vertices(), Edges: g.Edges(), Reductions: reductions(searched(opts.Question, g.HasLengths(), cutoff), opts.Off, opts.Drawn)}
	r := &reducer{opts: opts, plan: p, graph: g, cutoff: cutoff}
	r.leaveBlocks()
	if err := r.fits(r.held()); err != nil {
		return nil, err
	}
	if p.Question.Edges {
		if r.edges = opts.Edges; r.edges == nil {
			if r.edges, err = building.NewEdgeList(ctx, g, opts.Threads); err != nil {
				return nil, err
			}
		}
		p.EdgeEnds = r.edges.Ends
	}
	parts := p.Question.Parts() || p.Question.EndsInPart()
	for _, m := range p.Question.Sums() {
		count := p.Vertices
		if m.Per == measures.PerEdge {
			count = int(p.Edges)
		} else if !slices.ContainsFunc(steps(), func(s step) bool { return s.adds == m.Name }) {
			continue
		}
		forms := wholes.NewForms(count, parts || p.Question.HasMasses())
		if parts {
			forms.Fraction = p.Question.Fraction(p.Vertices)
		}
		p.ClosedForms = append(p.ClosedForms, closedForm{m.Name, forms})
	}
	paths := p.Question.Searches(measures.Paths)
	for _, s := range steps() {
		if !s.always && !paths {
			continue
		}
		run := s.run
		if p.off(s.name) {
			run = s.without
		}
		if run == nil {
			continue
		}
		if err := cmp.Or(run(r, ctx, p.ClosedForm(s.adds)), ctx.Err()); err != nil {
			return nil, err
		}
	}
	if invariants.On {
		if err := p.check(r.size); err != nil {
			return nil, fmt.Errorf("invariant broken: %w", err)
		}
	}
	p.Fingerprint, err = fingerprint(ctx, p, opts.Threads)
	return p, err
}

// searched returns the question as searches see it. Where all lengths are equal, hops suffice; where no path is too
// long, there is no cutoff.
func searched(q question.Question, lengths bool, cutoff int64) question.Question {
	if cutoff == noCutoff {
		q.Cutoff = ""
	}
	if !lengths {
		q.Lengths = question.Lengths{}
	} else if q.Lengths.Column == "" {
		q.Lengths.Column = "1" // see withUnits
	}
	return q
}

// shadowGraph makes the undirected graph in which folding and blocks are found.
func (r *reducer) shadowGraph(ctx context.Context, _ wholes.Forms) (err error) {
	r.shadow, err = r.graph.Shadow(ctx, r.opts.Threads)
	return err
}

// makeBatches sorts the blocks by falling work and cuts their sources into batches.
func (r *reducer) makeBatches(ctx context.Context, _ wholes.Forms) error {
	p := r.plan
	p.sortBlocks()
	for i := range p.Blocks {
		p.Blocks[i].turned = false // edges are numbered
		if err := p.Blocks[i].orderSources(ctx, r.opts); err != nil {
			return err
		}
	}
	p.Batches = batches(p.Blocks)
	return nil
}

// check fills in defaults.
func (o Options) check() (Options, error) {
	if err := o.Question.Answerable(); err != nil {
		return o, fmt.Errorf("%w: %w", errOptions, err)
	}
	if err := checkOff(o.Off); err != nil {
		return o, err
	}
	if o.Threads < 0 {
		return o, fmt.Errorf("%w: %d threads", errOptions, o.Threads)
	}
	if o.Lanes < 0 || o.Lanes > engine.MaxLanes {
		return o, fmt.Errorf("%w: %d lanes, want 1 to %d, or 0 for a choice per block", errOptions, o.Lanes, engine.MaxLanes)
	}
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	return o, nil
}
