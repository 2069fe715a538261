package pipeline

import (
	"context"
	"fmt"
	"os"
	"time"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// planner turns a graph into the plan of what is searched.
type planner struct {
	call
	in        *intake
	preparing bool     // the plan goes into a file
	vertices  chan int // number of the graph's vertices, from reduce to compute, before the reduction; 0: the graph is reduced
	update    *update  // turns the sums into scores; set before compute gets the plan; nil: the sums are the scores
}

func (p *planner) reduce(ctx context.Context, inputs <-chan gathered, plans chan<- namedPlan) error {
	in, err := parallel.Receive(ctx, inputs)
	if err != nil {
		return err
	}
	p.vertices <- in.Graph.Vertices()
	p.enter("reduce")
	return timed(&p.stats.Seconds.Reduce, time.Now(), func() error {
		of, err := namesOf(in.IDs, in.Scopes, in.summary.IDs, in.summary.By, p.opts.Files.Bipartite || in.Side != nil)
		if err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		sources, targets, err := p.in.ends(ctx, &of)
		if err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		asked := p.opts.Question.Exact()
		asked.Lengths.Unit = in.Scale.Unit
		origins, destinations, err := p.in.masses(ctx, &asked, &of)
		if err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		trips, lost, err := p.in.trips(ctx, &asked, &of)
		if err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		if worthBuilt(p.opts.Question, &in.Graph, [2][]int64{origins, destinations}, &p.in.seen, p.opts.Threads) {
			p.in.worth()
		}
		named := p.in.named(&of) + 8*int64(len(origins)+len(destinations))
		reduce := preprocess.Options{
			Question: asked, Sources: sources, Targets: targets, Origins: origins, Destinations: destinations, Trips: trips, Edges: in.Edges, Copies: in.Copies, Divisor: in.Scale.Divisor, Threads: p.opts.Threads, Lanes: p.in.lanes, ComponentSizes: p.preparing, Drawn: p.opts.Question.Sample.Way != "", Draws: drawsOf(p.opts.Question.Sample),
			Independent: p.independent(), Spend: p.spends(), Files: p.files,
			Fits: func(bytes int64) error { return p.need(named-p.sets+bytes, "reduce it") },
		}
		reduced, err := preprocess.Reduce(ctx, &in.Graph, reduce)
		if err != nil {
			return fmt.Errorf("pipeline: reduce: %w", err)
		}
		// The checkpoint may be of an estimate of few draws or of many, whose plans have other reductions. If it is of neither, the
		// plan is the one that is asked for.
		for _, other := range []drawing{{true, 1}, {true, 0}, {reduce.Drawn, reduce.Draws}} {
			if !p.opts.resumesOther(reduced) {
				break
			}
			reduce.Drawn, reduce.Draws, reduced = other.drawn, other.draws, nil
			if reduced, err = preprocess.Reduce(ctx, &in.Graph, reduce); err != nil {
				return fmt.Errorf("pipeline: reduce: %w", err)
			}
		}
		fits := p.fitting()
		for lanes := fits.lanesToFit(reduced, named); lanes > 0 && lanes != reduce.Lanes && !reduce.Spend; lanes = fits.lanesToFit(reduced, named) {
			reduce.Lanes, reduced = lanes, nil
			if reduced, err = preprocess.Reduce(ctx, &in.Graph, reduce); err != nil {
				return fmt.Errorf("pipeline: reduce: %w", err)
			}
		}
		if p.stats.InFiles = p.files.Written(); p.stats.InFiles > 0 {
			p.stats.Notes = append(p.stats.Notes, fmt.Sprintf("edges did not fit memory of %s: %s went through a file in %s", budget.Text(p.memory), budget.Text(p.stats.InFiles), os.TempDir()))
		}
		if reduce.Lanes != p.in.lanes {
			p.stats.Notes = append(p.stats.Notes, fmt.Sprintf("%d sources are searched at once, in place of the usual 64: memory of %s has no room for more", reduce.Lanes, budget.Text(p.memory)))
		}
		p.stats.describe(reduced)
		p.stats.Demand.summed(reduced)
		if p.stats.Lengths != nil {
			p.stats.Lengths.Pruned = reduced.Pruned
		}
		if p.opts.Engine == EngineGPU && leavesEdges(reduced) {
			p.stats.Notes = append(p.stats.Notes, "path searches were left to the cores: devices do not compute scores of edges with lengths")
		}
		if what := leavesMasses(reduced); p.opts.Engine == EngineGPU && what != "" {
			p.stats.Notes = append(p.stats.Notes, what+" were left to the cores")
		}
		of.Ends = in.ends
		of.Rounding = p.stats.Lengths.rounding()
		of.One = oneText(asked, in.Scale)
		plan := namedPlan{Plan: reduced, names: of}
		if err := p.unrouted(ctx, plan, lost); err != nil {
			return err
		}
		plan.Demand = p.stats.Demand.text()
		p.stats.Graphs = plan.names.graphs(func(v int) uint32 { return degree(&in.Graph, v) })
		if p.preparing {
			plan.degrees = degrees(&in.Graph)
			plan.upward = in.Graph.Upward()
		}
		if p.opts.Since != nil {
			if plan, err = p.since(ctx, plan, &in.Graph, in.Scale, counted{masses: [2][]int64{origins, destinations}, trips: trips}); err != nil {
				return err
			}
		}
		plans <- plan
		return nil
	})
}

// spends reports whether nobody needs the graph once it is reduced. Searches may: a new plan with fewer lanes.
func (p *planner) spends() bool {
	way := p.opts.Question.Sample.Way
	return (way == "pairs" || way == "auto") && !p.preparing && p.opts.Since == nil
}

// degrees returns the degrees by vertex.
func degrees(g *csr.Graph) []uint32 {
	list := make([]uint32, g.Vertices())
	for v := range list {
		list[v] = degree(g, v)
	}
	return list
}

// degree returns the neighbours of v, or its arcs of a directed graph, in and out.
func degree(g *csr.Graph, v int) uint32 {
	count := g.Offsets[v+1] - g.Offsets[v]
	if g.Directed() {
		count += g.In.Offsets[v+1] - g.In.Offsets[v]
	}
	return uint32(count)
}

// drawing says whether sources are drawn, and how many at most: Drawn and Draws of preprocess.Options.
type drawing struct {
	drawn bool
	draws int
}

// drawsOf returns the largest number of sources that an estimate draws; 0: any number.
func drawsOf(s question.Sample) int {
	if s.Way == "pairs" {
		return 0
	}
	return s.Samples
}
