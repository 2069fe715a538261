// Package searchbench measures the strategies of searches from one source on a device, beside one another.
//
//	Bench.Check  problems, strategies and the number of sources
//	Bench.Fit    how many searches on cores fit in memory
//	Bench.Run    Figures of every strategy, all of whose results are compared with those of cores
package searchbench

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	cpusearches "bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
	"bcstage/internal/gpu/searches"
)

// samples is the number of searches that a choosing strategy may look at.
const samples = 4

// Bench selects measurements.
type Bench struct {
	Problems   []searches.Problem  // one after the other
	Strategies []searches.Strategy // of searches.Choices; each problem takes those that suit it
	Sources    int                 // at least 1
}

// Figures are the figures of one strategy on one graph. Slices are by source.
type Figures struct {
	Device          string
	Problem         searches.Problem
	Strategy        searches.Strategy // as asked for
	Chosen          searches.Strategy // the one that ran
	Reason          string            // of the choice
	Vertices        int               // of the graph as read
	Edges           int64
	Component       int // vertices of its largest component
	Seconds         []float64
	TEPS            []float64 // edges reached, each once, per second
	Rounds          []int
	Bytes           int64 // of device memory
	Err             error // why it could not run; otherwise nil
	LengthsInvented bool  // for SSSP, if the graph has none: see Bench.Run
}

// contest holds the strategies for one problem, while they are measured, and the expected results of their searches.
type contest struct {
	Bench
	graph     *csr.Graph
	invented  bool
	component int
	workers   int // searches on cores at the same time
	sources   []uint32
	expected  []*searches.Expected
	on        *searches.Searches
	list      []*contender
}

// Check refuses fewer sources than one, unknown problems, and strategies that suit none of the problems.
func (b Bench) Check() error {
	if b.Sources < 1 {
		return fmt.Errorf("%d sources: want 1 or more", b.Sources)
	}
	var known []searches.Strategy
	for _, p := range b.Problems {
		if !slices.Contains(searches.Problems(), p) {
			return fmt.Errorf("problem %q: want of %v", p, searches.Problems())
		}
		known = append(known, searches.Choices(p)...)
	}
	for _, name := range b.Strategies {
		if !slices.Contains(known, name) {
			return fmt.Errorf("strategy %q: no strategy for %v", name, b.Problems)
		}
	}
	return nil
}

// Fit returns how many searches on cores, at most threads, fit in so many bytes beside the expected results, for the
// problem with the largest results, and the memory of both.
func (b Bench) Fit(g csr.Graph, room int64, threads int) (workers int, bytes int64) {
	found := int64(4) // bytes by vertex of a core's results
	if slices.Contains(b.Problems, searches.BC) {
		found += 8 + 8
	}
	bytes = (int64(b.Sources) + 1) * found * int64(g.Vertices())
	if b.invents(&g) {
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
	workers = int(min(max((room-bytes)/worker, 1), int64(min(b.Sources, threads))))
	return workers, bytes + int64(workers)*worker
}

// invents reports whether the graph lacks lengths that a problem needs.
func (b Bench) invents(g *csr.Graph) bool {
	return !g.HasLengths() && slices.Contains(b.Problems, searches.SSSP)
}

// Run searches a graph on a device from vertices of its largest component, drawn with a fixed seed. It passes on the
// figures of one strategy after the other, problem by problem. Every search is compared with one on a core, of which
// workers run at the same time: a difference is searches.ErrDiffers. A strategy that lacks memory says so in its
// figures; so do all strategies for BC where the shortest paths are too many for float64. A graph without lengths gets
// lengths from 1 to 100, which follow from the numbers of the ends.
//
// A search's time runs from its start to the end of its last round. It includes clearing the results of the previous
// search, not reading its own. Strategies search in turn, three times over, short searches up to nine times; the median
// of a source's times counts. Strategies that take more than twice as long as the best search once. One search in each
// turn does not count.
func (b Bench) Run(ctx context.Context, g csr.Graph, workers int, open func() (searches.Device, error), each func(Figures) error) (err error) {
	c := &contest{Bench: b, graph: &g, invented: b.invents(&g), workers: workers}
	if c.invented {
		if g.Lengths, err = inventedLengths(ctx, &g); err != nil {
			return err
		}
	}
	if err := c.draw(ctx); err != nil {
		return err
	}
	device, err := open()
	if err != nil {
		return err
	}
	defer device.Close()
	c.on = searches.New(device)
	defer c.on.Release()
	c.on.Keep(&g)
	for _, problem := range b.Problems {
		uncounted := c.expect(ctx, problem)
		if uncounted != nil && !errors.Is(uncounted, cpusearches.ErrPaths) {
			return uncounted
		}
		c.list = nil
		for _, name := range b.Strategies {
			if !slices.Contains(searches.Choices(problem), name) {
				continue
			}
			f := Figures{Device: device.Name(), Problem: problem, Strategy: name, Vertices: g.Vertices(), Edges: g.Edges(), Component: c.component}
			f.LengthsInvented = c.invented && problem == searches.SSSP
			if f.Err = uncounted; f.Err != nil {
				c.list = append(c.list, &contender{figures: f})
				continue
			}
			f.Chosen, f.Reason, err = c.on.Choose(ctx, &g, problem, name, c.sources[:min(samples, len(c.sources))])
			if ctx.Err() == nil && lacking(err) {
				f.Err, err = err, nil
			}
			if err != nil {
				return fmt.Errorf("searches: %s by strategy %s: %w", problem, name, err)
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

// expect computes the expected results on cores, once for all strategies.
func (c *contest) expect(ctx context.Context, p searches.Problem) error {
	c.expected = make([]*searches.Expected, len(c.sources))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.workers)
	for i, source := range c.sources {
		group.Go(func() (err error) {
			c.expected[i], err = searches.Expect(ctx, c.graph, p, source)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("searches: %w", err)
	}
	return nil
}
