package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"golang.org/x/sync/errgroup"

	cpusearches "bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
	"bcstage/internal/gpu/searches"
	"bcstage/internal/splitmix"
	"bcstage/preprocess/question"
)

// looksEvery is the number of vertices that a loop over a graph visits between looks at the context.
const looksEvery = 1 << 14

// samples is the number of searches that a choosing strategy may look at.
const samples = 4

// BenchSearches reads edges as Run does, and searches the graph on a device from vertices of its largest component,
// drawn with a fixed seed. It passes on the figures of one strategy after the other, problem by problem. Every search
// is compared with one on a core: a difference is searches.ErrDiffers. A strategy that lacks memory says so in its
// figures; so do all strategies for BC where the shortest paths are too many for float64. A graph without lengths gets
// lengths from 1 to 100, which follow from the numbers of the ends.
//
// A search's time runs from its start to the end of its last round. It includes clearing the results of the previous
// search, not reading its own. Strategies search in turn, three times over, short searches up to nine times; the median
// of a source's times counts. Strategies that take more than twice as long as the best search once. One search in each
// turn does not count.
func BenchSearches(ctx context.Context, opts Options, bench SearchBench, each func(SearchFigures) error) error {
	if bench.Sources < 1 {
		return fmt.Errorf("%w: %d sources: want 1 or more", ErrOptions, bench.Sources)
	}
	if err := bench.check(); err != nil {
		return err
	}
	opts, err := benchOptions(opts)
	if err != nil {
		return err
	}
	in, r, err := readGraph(ctx, opts)
	if err != nil {
		return err
	}
	g := in.Graph
	b := &searchBench{SearchBench: bench, graph: &g, invented: !g.HasLengths() && slices.Contains(bench.Problems, searches.SSSP)}
	if err := b.fit(in, r); err != nil {
		return err
	}
	if b.invented {
		if g.Lengths, err = inventedLengths(ctx, &g); err != nil {
			return err
		}
	}
	if err := b.draw(ctx); err != nil {
		return err
	}
	if opts.Devices == nil {
		return errNoStarter
	}
	device, err := opts.Devices.Single(opts.Device)
	if err != nil {
		return err
	}
	defer device.Close()
	on := searches.New(device)
	defer on.Release()
	on.Keep(&g)
	for _, problem := range bench.Problems {
		uncounted := b.expect(ctx, problem)
		if uncounted != nil && !errors.Is(uncounted, cpusearches.ErrPaths) {
			return uncounted
		}
		c := &contest{searchBench: b, on: on}
		for _, name := range bench.taken(problem) {
			f := SearchFigures{Device: device.Name(), Problem: problem, Strategy: name, Vertices: g.Vertices(), Edges: g.Edges(), Component: b.component}
			f.LengthsInvented = b.invented && problem == searches.SSSP
			if f.Err = uncounted; f.Err != nil {
				c.list = append(c.list, &contender{figures: f})
				continue
			}
			f.Chosen, f.Reason, err = on.Choose(ctx, &g, problem, name, b.sources[:min(samples, len(b.sources))])
			if ctx.Err() == nil && lacking(err) {
				f.Err, err = err, nil
			}
			if err != nil {
				return fmt.Errorf("pipeline: %s by strategy %s: %w", problem, name, err)
			}
			c.list = append(c.list, &contender{figures: f})
		}
		if err := c.measure(ctx); err != nil {
			return err
		}
		for _, s := range c.list {
			if err := each(s.figures); err != nil {
				return err
			}
		}
	}
	return nil
}

// taken returns the strategies for a problem.
func (b *SearchBench) taken(p searches.Problem) (list []searches.Strategy) {
	for _, name := range b.Strategies {
		if slices.Contains(searches.Choices(p), name) {
			list = append(list, name)
		}
	}
	return list
}

// check refuses unknown problems, and strategies that suit none of the problems.
func (b *SearchBench) check() error {
	var known []searches.Strategy
	for _, p := range b.Problems {
		if !slices.Contains(searches.Problems(), p) {
			return fmt.Errorf("%w: problem %q: want of %v", ErrOptions, p, searches.Problems())
		}
		known = append(known, searches.Choices(p)...)
	}
	for _, name := range b.Strategies {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%w: strategy %q: no strategy for %v", ErrOptions, name, b.Problems)
		}
	}
	return nil
}

// fit finds how many searches on cores fit in memory beside the graph and the expected results, for the problem with
// the largest results.
func (b *searchBench) fit(in gathered, r *run) error {
	g := *b.graph
	found := int64(4) // bytes by vertex of a core's results
	if slices.Contains(b.Problems, searches.BC) {
		found += 8 + 8
	}
	bytes := graphBytes(&g) + in.IDs.Held() + (int64(b.Sources)+1)*found*int64(g.Vertices())
	if b.invented {
		bytes += 8 * int64(len(g.Targets))
		g.Lengths = make([]int64, 0) // for the memory of a search by lengths, before there are any
	}
	var worker int64
	for _, p := range b.Problems {
		searched := g
		if p != searches.SSSP {
			searched.Lengths = nil
		}
		worker = max(worker, cpusearches.Bytes(&searched, 1, p == searches.BC))
	}
	b.workers = int(min(max((r.memory-bytes)/worker, 1), int64(min(b.Sources, r.opts.Threads))))
	return r.need(bytes+int64(b.workers)*worker, "keep what is expected of every search")
}

// benchOptions refuses options that a search from one source does not take.
func benchOptions(opts Options) (Options, error) {
	asked := opts.Question
	opts.Question = question.Question{Directed: asked.Directed, Lengths: asked.Lengths}
	asked.Directed, asked.Lengths = false, question.Lengths{}
	if asked.Identity() != "" || opts.Sources != nil || opts.Targets != nil {
		return opts, fmt.Errorf("%w: searches from one source take directions and lengths only", ErrOptions)
	}
	opts.Engine = EngineCPU // no device for batches
	opts, err := opts.complete()
	if err == nil && opts.prepared != "" {
		err = fmt.Errorf("%w: %s is a prepared graph, which lacks reduced edges", ErrOptions, opts.prepared)
	}
	return opts, err
}

// readGraph reads and builds a graph, without reducing it.
func readGraph(ctx context.Context, opts Options) (in gathered, _ *run, err error) {
	r := newRun(opts)
	group, ctx := errgroup.WithContext(ctx)
	graphs := r.in.start(ctx, group)
	if err := errors.Join(group.Wait(), r.close()); err != nil {
		return gathered{}, nil, err
	}
	return <-graphs, r, nil
}

// draw draws sources, without repeats while there are enough vertices.
func (b *searchBench) draw(ctx context.Context) error {
	members, err := largestComponent(ctx, b.graph)
	if err != nil {
		return err
	}
	b.component = len(members)
	if len(members) == 0 {
		return fmt.Errorf("pipeline: %w: a graph without vertices", searches.ErrProblem)
	}
	random := rand.New(rand.NewPCG(1, 0))
	random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	for i := range b.Sources {
		b.sources = append(b.sources, members[i%len(members)])
	}
	return nil
}

// expect computes the expected results on cores, once for all strategies.
func (b *searchBench) expect(ctx context.Context, p searches.Problem) error {
	b.expected = make([]*searches.Expected, len(b.sources))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(b.workers)
	for i, source := range b.sources {
		group.Go(func() (err error) {
			b.expected[i], err = searches.Expect(ctx, b.graph, p, source)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	return nil
}

// largestComponent returns the vertices of the largest weakly connected component; of equal ones that with the lowest
// vertex. The only error is the context's.
func largestComponent(ctx context.Context, g *csr.Graph) ([]uint32, error) {
	seen := make([]bool, g.Vertices())
	var largest, members []uint32
	visited := 0
	for root := range uint32(g.Vertices()) {
		if seen[root] {
			continue
		}
		seen[root] = true
		members = append(members[:0], root)
		for head := 0; head < len(members); head++ {
			if visited++; visited%looksEvery == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for _, way := range []*csr.Graph{g, g.In} {
				if way == nil {
					continue
				}
				for _, v := range way.Neighbours(members[head]) {
					if !seen[v] {
						seen[v] = true
						members = append(members, v)
					}
				}
			}
		}
		if len(members) > len(largest) {
			largest = slices.Clone(members)
		}
	}
	return largest, nil
}

// inventedLengths returns lengths from 1 to 100, the same both ways. The only error is the context's.
func inventedLengths(ctx context.Context, g *csr.Graph) ([]int64, error) {
	list := make([]int64, 0, len(g.Targets))
	for u := range uint32(g.Vertices()) {
		if u%looksEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, v := range g.Neighbours(u) {
			x := uint64(min(u, v))<<32 | uint64(max(u, v))
			list = append(list, 1+int64(splitmix.Mix(x)%100))
		}
	}
	return list, nil
}
