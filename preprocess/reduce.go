package preprocess

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
)

// Reduce takes away everything about g that has a closed form and lays out
// what is left as blocks and batches of sources. Its result depends on g and
// on the options, not on the number of threads. It fails if an option is out
// of its limits or the question is one that cannot be answered yet (ErrOptions,
// and question.ErrUnanswered), if g is too large (ErrTooLarge) or when ctx is done.
func Reduce(ctx context.Context, g *Graph, opts Options) (*Plan, error) {
	opts, err := opts.check()
	if err != nil {
		return nil, fmt.Errorf("preprocess: %w", err)
	}
	p, err := reduce(ctx, g, opts)
	if err != nil {
		return nil, fmt.Errorf("preprocess: reduce: %w", err)
	}
	return p, nil
}

func reduce(ctx context.Context, g *Graph, opts Options) (*Plan, error) {
	n := g.Vertices()
	if n > MaxVertices {
		return nil, ErrTooLarge
	}
	p := &Plan{Base: make([]int64, n), Question: opts.Question, Vertices: n, Edges: g.Edges()}
	f, err := fold(ctx, g, p.Base)
	if err != nil {
		return nil, err
	}
	if opts.Fits != nil {
		vertices, edges := f.core()
		if err := opts.Fits(ReduceBytes(n, g.Edges()) + coreBytes(vertices, edges, opts.Lanes)); err != nil {
			return nil, err
		}
	}
	c, err := findCore(ctx, g, f, opts.Threads)
	if err != nil {
		return nil, err
	}
	p.Folded = len(f.order)
	p.Components = f.trees + len(c.roots)

	size := make([]uint32, n)
	for i, total := range c.size {
		lo, hi := c.component(i)
		for _, v := range c.vertex[lo:hi] {
			size[v] = total
		}
	}
	f.outside(size, p.Base)
	if opts.ComponentSizes {
		p.ComponentSizes = size
	}

	b, err := findBlocks(ctx, c, opts.Threads)
	if err != nil {
		return nil, err
	}
	b.weigh(c, p.Base)
	p.BlockCount = b.count()

	l, err := newLayout(ctx, c, b, opts.Threads)
	if err != nil {
		return nil, err
	}
	var shapes []shape
	for _, s := range l.shapes() {
		p.LargestBlock = max(p.LargestBlock, s.size)
		switch {
		case s.clique(): // no vertex lies between two others
		case s.cycle():
			l.addCycle(s.block, p.Base)
		default:
			shapes = append(shapes, s)
		}
	}
	p.Blocks, err = l.copyBlocks(ctx, shapes, opts.Threads)
	if err != nil {
		return nil, err
	}
	if !opts.NoChains {
		if err := p.findChains(ctx); err != nil {
			return nil, err
		}
	}
	if !opts.NoTwins {
		if err := p.mergeTwins(ctx, opts.Threads); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(p.Blocks, func(x, y Block) int { return cmp.Compare(y.work(), x.work()) })
	for i := range p.Blocks {
		if err := p.Blocks[i].layOut(ctx, opts); err != nil {
			return nil, err
		}
	}
	p.Batches = batches(p.Blocks)
	if Invariants {
		if err := p.check(size); err != nil {
			return nil, fmt.Errorf("invariant broken: %w", err)
		}
	}
	p.Fingerprint, err = fingerprint(ctx, p, opts.Threads)
	return p, err
}

// layOut orders the sources and says how many make a batch.
func (b *Block) layOut(ctx context.Context, opts Options) error {
	b.Lanes = opts.Lanes
	if b.Chains != nil {
		if b.Lanes == 0 {
			b.Lanes = min(chainLanes, b.Vertices())
		}
		b.Sources = b.Chains.Sources()
		return nil
	}
	if b.Lanes == 0 {
		b.Lanes = chooseLanes(b.Vertices())
	}
	return b.arrange(ctx, b.Lanes, opts.Threads)
}

// check fills in defaults.
func (o Options) check() (Options, error) {
	if err := o.Question.Answerable(); err != nil {
		return o, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if o.Threads < 0 {
		return o, fmt.Errorf("%w: %d threads", ErrOptions, o.Threads)
	}
	if o.Lanes < 0 || o.Lanes > MaxLanes {
		return o, fmt.Errorf("%w: %d lanes, want 1 to %d, or 0 for a choice per block", ErrOptions, o.Lanes, MaxLanes)
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	return o, nil
}
