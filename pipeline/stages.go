package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/preprocess"
)

func newRun(opts Options) *run {
	r := &run{
		opts:   opts,
		began:  time.Now(),
		memory: memoryLimit(opts),
		sets:   opts.Files.Budget.Held(),
		lanes:  opts.Lanes,
		signals: signals{
			summaries: make(chan tables.Summary, 1),
			built:     make(chan struct{}),
			vertices:  make(chan int, 1),
			written:   make(chan struct{}),
		},
	}
	r.devices = newDeviceStart(opts, opts.startDevices)
	r.stage = "read"
	r.planned.Store("")
	return r
}

// close gives back what outlives the stages.
func (r *run) close() error {
	err := r.devices.close()
	if r.opened != nil {
		err = errors.Join(err, r.opened.Close())
	}
	return err
}

// end closes the run when its stages have ended, with the error of one or none.
func (r *run) end(err error) (*Stats, error) {
	if closing := r.close(); err == nil {
		err = closing
	}
	if err != nil {
		return &Stats{Warnings: r.stats.Warnings}, err
	}
	return r.finish(), nil
}

// timed runs a stage's work and keeps the wall time since it began.
func timed(seconds *float64, began time.Time, work func() error) error {
	err := work()
	*seconds = time.Since(began).Seconds()
	return err
}

func (r *run) read(ctx context.Context, edges chan<- tables.Batch) error {
	return timed(&r.stats.Seconds.Read, time.Now(), func() error {
		summary, err := r.opts.Source(ctx, edges)
		if err != nil {
			return err
		}
		r.summaries <- summary
		return nil
	})
}

// build numbers the vertices of every batch as it comes and makes the graph of
// all. Seconds.Build counts from the end of the input: the rest ran beside it.
func (r *run) build(ctx context.Context, edges <-chan tables.Batch, inputs chan<- gathered) error {
	defer close(r.built)
	builder := building.NewBuilder(r.opts.Threads)
	builder.Bipartite = r.opts.Files.Bipartite
	builder.Directed = r.opts.Question.Directed
	builder.Repeats = r.opts.Question.Lengths.Repeats
	builder.KeepEdges = r.opts.Question.Edges
	builder.KeepRows = r.byRow()
	declared, brought := 0, 0 // vertices: by headers, and not there yet; by the batch before
	for batch := range edges {
		declared += int(batch.Declared)
		err := r.checkBatch(builder, batch, max(declared, brought))
		before := builder.Vertices()
		if err == nil && r.opts.Question.Lengths.Column != "" && batch.Src.Len() > batch.Weights.Len() {
			err = errNoLengths
		}
		if err == nil {
			err = inputLengths(r.opts.Question.Lengths.Column, addBatch(builder, batch))
		}
		if err == nil && len(batch.Kept) > 0 && batch.Src.Len() > 0 {
			r.rows.add(batch)
		} else if err == nil && len(batch.Kept) > 0 {
			err = r.kept.add(builder, batch, before)
		}
		if err == nil {
			err = r.hold(builder, builder.Held()+r.kept.held(builder.Vertices())+r.rows.held(nil))
		}
		brought = builder.Vertices() - before
		declared = max(declared-batch.Vertices.Len(), 0)
		rows := r.edgesRead.Add(int64(batch.Src.Len()))
		if worthReading(r.opts.Question, builder.Vertices(), rows, r.opts.Threads) {
			r.devices.wanted()
		}
		batch.Release()
		if err != nil {
			return fmt.Errorf("pipeline: build: %w", err)
		}
	}
	var summary tables.Summary
	select {
	case summary = <-r.summaries:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	r.enter("build")
	r.stats.IDs = summary.IDs
	r.stats.Files = summary.Files
	r.stats.NullsDropped = summary.NullsDropped
	r.stats.Unused = summary.Unused
	r.stats.Notes = append(summary.Notes, r.kept.note()...)
	r.stats.Warnings = append(summary.Warnings, strengths(r.opts.Question.Lengths.Column)...)
	r.keeps, r.geo = summary.Kept, summary.Geo
	r.rows.of, r.rows.geo = summary.EdgeKept, summary.EdgeGeo
	return timed(&r.stats.Seconds.Build, time.Now(), func() error {
		built, err := builder.Build(ctx)
		if err != nil {
			return fmt.Errorf("pipeline: build: %w", inputLengths(r.opts.Question.Lengths.Column, err))
		}
		r.stats.EdgesRead = built.EdgesRead
		r.stats.Duplicates = built.Duplicates
		r.stats.SelfLoops = built.SelfLoops
		r.stats.Notes = append(r.stats.Notes, r.stats.left()...)
		if built.Graph.Vertices() == 0 {
			r.stats.Warnings = append(r.stats.Warnings, "the input has no rows, and so has the output")
		}
		r.stats.Lengths = lengthsOf(r.opts.Question.Lengths, built)
		r.stats.Notes = append(r.stats.Notes, r.stats.Lengths.notes()...)
		if o := built.Overlap; o.ByChance() {
			r.stats.Notes = append(r.stats.Notes, fmt.Sprintf("%d ids occur in both columns, of %d sources and %d destinations: as few as by chance, but taken for the same vertices; Options.Input.Files.Bipartite keeps two sets of ids apart", o.Both, o.Sources, o.Destinations))
		}
		r.rows.edges, built.Rows = built.Rows, nil
		inputs <- gathered{*built, summary}
		return nil
	})
}

// drain releases what the source still sends when build has failed: build itself
// must have returned by then, or nobody would tell the source to stop.
func (r *run) drain(edges <-chan tables.Batch) error {
	<-r.built
	for batch := range edges {
		batch.Release()
	}
	return nil
}

func addBatch(builder *building.Builder, batch tables.Batch) error {
	by := make([]building.Keys, len(batch.By))
	for i, column := range batch.By {
		by[i] = building.Keys(column)
	}
	if batch.Vertices.Len() > 0 {
		if err := builder.AddVertices(building.Keys(batch.Vertices), batch.Side, by...); err != nil {
			return err
		}
	}
	if batch.Src.Len() == 0 {
		return nil
	}
	src, dst := building.Keys(batch.Src), building.Keys(batch.Dst)
	if batch.Ways != nil {
		return builder.AddMixedEdges(src, dst, building.Weights(batch.Weights), batch.Ways, by...)
	}
	add := func(src, dst building.Keys) error {
		if batch.Weights.Len() > 0 {
			return builder.AddWeightedEdges(src, dst, building.Weights(batch.Weights), by...)
		}
		return builder.AddEdges(src, dst, by...)
	}
	if builder.Directed && batch.BothWays {
		if err := add(dst, src); err != nil {
			return err
		}
	}
	return add(src, dst)
}

func (r *run) reduce(ctx context.Context, inputs <-chan gathered, plans chan<- namedPlan) error {
	in, err := receive(ctx, inputs)
	if err != nil {
		return err
	}
	r.vertices <- in.Graph.Vertices()
	r.enter("reduce")
	return timed(&r.stats.Seconds.Reduce, time.Now(), func() error {
		of, err := namesOf(in.IDs, in.Scopes, in.summary.IDs, in.summary.By, r.opts.Files.Bipartite)
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
			Question: asked, Sources: sources, Targets: targets, Origins: origins, Destinations: destinations, Trips: trips, Edges: in.Edges, Divisor: in.Scale.Divisor, Threads: r.opts.Threads, Lanes: r.opts.Lanes, ComponentSizes: r.preparing,
			Independent: r.independent(),
			Fits:        func(bytes int64) error { return r.need(named-r.sets+bytes, "reduce it") },
		}
		reduced, err := preprocess.Reduce(ctx, &in.Graph, reduce)
		if err != nil {
			return fmt.Errorf("pipeline: reduce: %w", err)
		}
		for lanes := r.lanesToFit(reduced, named); lanes > 0 && lanes != reduce.Lanes; lanes = r.lanesToFit(reduced, named) {
			reduce.Lanes, reduced = lanes, nil
			if reduced, err = preprocess.Reduce(ctx, &in.Graph, reduce); err != nil {
				return fmt.Errorf("pipeline: reduce: %w", err)
			}
		}
		if reduce.Lanes != r.opts.Lanes {
			r.stats.Notes = append(r.stats.Notes, fmt.Sprintf("%d sources are searched at once, where 64 are usual: memory of %s has no room for more", reduce.Lanes, bytesText(r.memory)))
		}
		r.stats.describe(reduced)
		r.stats.Demand.summed(reduced)
		if r.stats.Lengths != nil {
			r.stats.Lengths.Pruned = reduced.Pruned
		}
		if r.opts.Engine == EngineGPU && leavesEdges(reduced) {
			r.stats.Notes = append(r.stats.Notes, "what counts paths was left to the cores: devices do not add up scores of edges that have lengths")
		}
		if r.opts.Engine == EngineGPU && leavesMasses(reduced) {
			what := fmt.Sprintf("what has masses of more than %d units in all", csr.MaxVertices)
			switch {
			case asked.Shares():
				what = "what counts by its distance, or tells what vertices reach,"
			case asked.HasTrips():
				what = "what counts by a table of trips"
			}
			r.stats.Notes = append(r.stats.Notes, what+" was left to the cores")
		}
		of.Ends = [2]string{r.opts.Files.Src, r.opts.Files.Dst}
		of.Rounding = r.stats.Lengths.rounding()
		of.One = oneText(asked, in.Scale)
		p := namedPlan{Plan: reduced, names: of}
		if err := r.unrouted(ctx, p); err != nil {
			return err
		}
		r.stats.Graphs = p.names.graphs(func(v int) uint32 { return degree(&in.Graph, v) })
		if r.preparing {
			p.degrees = degrees(&in.Graph)
			if !in.Graph.Directed() && !in.Graph.HasLengths() {
				p.upward = in.Graph.Upward()
			}
		}
		if r.opts.Since != nil {
			if p, err = r.since(ctx, p, &in.Graph); err != nil {
				return err
			}
		}
		plans <- p
		return nil
	})
}

// degrees by vertex.
func degrees(g *csr.Graph) []uint32 {
	list := make([]uint32, g.Vertices())
	for v := range list {
		list[v] = degree(g, v)
	}
	return list
}

// degree of v: its neighbours, or of a directed graph its arcs, in and out.
func degree(g *csr.Graph, v int) uint32 {
	count := g.Offsets[v+1] - g.Offsets[v]
	if g.Directed() {
		count += g.In.Offsets[v+1] - g.In.Offsets[v]
	}
	return uint32(count)
}

// write turns sums into scores, or leaves them a partial, and hands them over.
func (r *run) write(ctx context.Context, results <-chan finished, sink Sink) error {
	defer close(r.written)
	p, err := receive(ctx, results)
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
		table = r.update.table(p.Partial, r.opts.Sort)
	default:
		table = scoreTable(p.Partial, p.estimate, r.opts.Sort)
	}
	if !r.opts.partial() {
		table.Kept, table.Geo = r.kept.columns(r.keeps[:min(r.opts.keep, len(r.keeps))]), r.geo
	}
	r.stats.Seconds.Restore = time.Since(began).Seconds()
	return timed(&r.stats.Seconds.Write, time.Now(), func() error {
		if r.opts.Edges != nil && !r.opts.partial() {
			edges := edgeTable(p.Partial)
			if r.byRow() {
				r.rows.table(&edges)
			}
			Arrange(&edges, r.opts.Sort)
			if err := r.opts.Edges(ctx, edges); err != nil {
				return err
			}
		}
		return sink(ctx, table)
	})
}

// batchesInFlight between reader and builder: enough that neither waits for
// the other's hiccups, few enough that they stay in cache.
const batchesInFlight = 8
