package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/spill"
	"bcstage/preprocess"
)

func newRun(opts Options) *run {
	r := &run{
		opts:      opts,
		allowance: allowance{memory: memoryLimit(opts), sets: opts.Files.Budget.Held(), files: spill.New(os.TempDir())},
		advance:   advance{began: time.Now(), reports: opts.Reports, stage: "read", written: make(chan struct{})},
		lanes:     opts.Lanes,
		vertices:  make(chan int, 1),
	}
	r.advance.stats = &r.stats
	r.devices = newDeviceStart(opts, opts.startDevices)
	r.planned.Store("")
	r.in = newIntake(&r.opts, &r.allowance, &r.stats, &r.advance)
	r.in.worth = func() { r.devices.wanted() }
	return r
}

// close releases resources that outlive the stages.
func (r *run) close() error {
	err := errors.Join(r.devices.close(), r.files.Close())
	if r.opened != nil {
		err = errors.Join(err, r.opened.Close())
	}
	return err
}

// end closes the run after its stages. The error is theirs, or that of closing.
func (r *run) end(err error) (*Stats, error) {
	if closing := r.close(); err == nil {
		err = closing
	}
	if err != nil {
		return &Stats{Warnings: r.stats.Warnings}, err
	}
	return r.finish(), nil
}

// timed runs a stage's work and records the wall time since began.
func timed(seconds *float64, began time.Time, work func() error) error {
	err := work()
	*seconds = time.Since(began).Seconds()
	return err
}

func (r *run) reduce(ctx context.Context, inputs <-chan gathered, plans chan<- namedPlan) error {
	in, err := parallel.Receive(ctx, inputs)
	if err != nil {
		return err
	}
	r.vertices <- in.Graph.Vertices()
	r.enter("reduce")
	return timed(&r.stats.Seconds.Reduce, time.Now(), func() error {
		of, err := namesOf(in.IDs, in.Scopes, in.summary.IDs, in.summary.By, r.opts.Files.Bipartite || in.Side != nil)
		if err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		sources, targets, err := r.ends(ctx, &of)
		if err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		asked := r.opts.Question.Exact()
		asked.Lengths.Unit = in.Scale.Unit
		origins, destinations, err := r.masses(ctx, &asked, &of)
		if err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		trips, err := r.trips(ctx, &asked, &of)
		if err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		named := r.named(&of) + 8*int64(len(origins)+len(destinations))
		reduce := preprocess.Options{
			Question: asked, Sources: sources, Targets: targets, Origins: origins, Destinations: destinations, Trips: trips, Edges: in.Edges, Copies: in.Copies, Divisor: in.Scale.Divisor, Threads: r.opts.Threads, Lanes: r.lanes, ComponentSizes: r.preparing, Drawn: r.opts.Question.Sample.Way != "",
			Independent: r.independent(), Spend: r.spends(), Files: r.files,
			Fits: func(bytes int64) error { return r.need(named-r.sets+bytes, "reduce it") },
		}
		reduced, err := preprocess.Reduce(ctx, &in.Graph, reduce)
		if err != nil {
			return fmt.Errorf("pipeline: reduce: %w", err)
		}
		fits := r.fitting()
		for lanes := fits.lanesToFit(reduced, named); lanes > 0 && lanes != reduce.Lanes && !reduce.Spend; lanes = fits.lanesToFit(reduced, named) {
			reduce.Lanes, reduced = lanes, nil
			if reduced, err = preprocess.Reduce(ctx, &in.Graph, reduce); err != nil {
				return fmt.Errorf("pipeline: reduce: %w", err)
			}
		}
		if r.stats.InFiles = r.files.Written(); r.stats.InFiles > 0 {
			r.stats.Notes = append(r.stats.Notes, fmt.Sprintf("edges did not fit memory of %s: %s went through a file in %s", budget.Text(r.memory), budget.Text(r.stats.InFiles), os.TempDir()))
		}
		if reduce.Lanes != r.lanes {
			r.stats.Notes = append(r.stats.Notes, fmt.Sprintf("%d sources are searched at once, in place of the usual 64: memory of %s has no room for more", reduce.Lanes, budget.Text(r.memory)))
		}
		r.stats.describe(reduced)
		r.stats.Demand.summed(reduced)
		if r.stats.Lengths != nil {
			r.stats.Lengths.Pruned = reduced.Pruned
		}
		if r.opts.Engine == EngineGPU && leavesEdges(reduced) {
			r.stats.Notes = append(r.stats.Notes, "path searches were left to the cores: devices do not compute scores of edges with lengths")
		}
		if what := leavesMasses(reduced); r.opts.Engine == EngineGPU && what != "" {
			r.stats.Notes = append(r.stats.Notes, what+" were left to the cores")
		}
		of.Ends = in.ends
		of.Rounding = r.stats.Lengths.rounding()
		of.One = oneText(asked, in.Scale)
		p := namedPlan{Plan: reduced, names: of}
		if err := r.unrouted(ctx, p); err != nil {
			return err
		}
		r.stats.Graphs = p.names.graphs(func(v int) uint32 { return degree(&in.Graph, v) })
		if r.preparing {
			p.degrees = degrees(&in.Graph)
			p.upward = in.Graph.Upward()
		}
		if r.opts.Since != nil {
			if p, err = r.since(ctx, p, &in.Graph, in.Scale, [2][]int64{origins, destinations}); err != nil {
				return err
			}
		}
		plans <- p
		return nil
	})
}

// spends reports whether nobody needs the graph once it is reduced. Searches may: a new plan with fewer lanes.
func (r *run) spends() bool {
	way := r.opts.Question.Sample.Way
	return (way == "pairs" || way == "auto") && !r.preparing && r.opts.Since == nil
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

// write turns sums into scores, or a partial, and passes them to the sink.
func (r *run) write(ctx context.Context, results <-chan finished, sink Sink) error {
	defer close(r.written)
	p, err := parallel.Receive(ctx, results)
	if err != nil {
		return err
	}
	if err := r.devices.demanded(ctx); err != nil {
		return err
	}
	r.enter("write")
	began := time.Now()
	var table tables.Table
	switch {
	case r.opts.partial():
		table = p.Table(Version())
	case r.update != nil:
		table = r.update.table(p.Partial, p.estimate, r.opts.Sort)
	default:
		table = scoreTable(p.Partial, p.estimate, r.opts.Sort)
	}
	if !r.opts.partial() {
		table.Kept, table.Geo = r.in.kept.output(r.opts.keep), r.in.kept.geo
	}
	table.Threads = r.opts.Threads
	r.stats.Seconds.Restore = time.Since(began).Seconds()
	return timed(&r.stats.Seconds.Write, time.Now(), func() error {
		if r.opts.Edges != nil && !r.opts.partial() {
			edges := edgeTable(p.Partial)
			if r.opts.byRow() {
				r.in.rows.table(&edges, r.opts.Question.KeepsRepeats())
			}
			edges.Threads = r.opts.Threads
			Arrange(&edges, r.opts.Sort)
			if err := r.opts.Edges(ctx, edges); err != nil {
				return err
			}
		}
		return sink(ctx, table)
	})
}
