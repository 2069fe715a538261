package pipeline

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// intake turns a source into a simple graph in three stages. Its state belongs to the later stages once the
// graph has been sent.
type intake struct {
	call
	worth   func()               // called when the input is worth a device; often
	opened  *preprocess.Prepared // a prepared graph that is read instead; nil: none
	lanes   int                  // of the plan: as the options say, or as that graph has
	twoWays bool                 // edges were read with Files.OneWay, also by prepare: removing one removes both directions

	summaries chan tables.Summary // from read to build: sent only when the source ended without error
	built     chan struct{}       // closed when build has ended
	tables    int64               // bytes of Files.Budget that build holds
	kept      kept
	rows      edgeRows
	seen      shape
}

func newIntake(of call) *intake {
	return &intake{
		call:      of,
		worth:     func() {},
		lanes:     of.opts.Lanes,
		twoWays:   of.opts.Files.OneWay != "",
		summaries: make(chan tables.Summary, 1),
		built:     make(chan struct{}),
	}
}

// start starts the stages and returns the channel of the graph.
func (in *intake) start(ctx context.Context, group *errgroup.Group) <-chan gathered {
	edges := make(chan tables.Batch, batchesInFlight)
	graphs := make(chan gathered, 1)
	group.Go(func() error { return in.read(ctx, edges) })          // source -> key columns
	group.Go(func() error { return in.build(ctx, edges, graphs) }) // -> simple graph
	group.Go(func() error { return in.drain(edges) })
	return graphs
}

func (in *intake) read(ctx context.Context, edges chan<- tables.Batch) error {
	return timed(&in.stats.Seconds.Read, time.Now(), func() error {
		summary, err := in.opts.Source(ctx, edges)
		if err != nil {
			return err
		}
		in.summaries <- summary
		return nil
	})
}

// build numbers the vertices of every batch as it comes, and makes the graph of all. Seconds.Build counts
// from the end of the input: earlier work ran beside reading.
func (in *intake) build(ctx context.Context, edges <-chan tables.Batch, inputs chan<- gathered) error {
	defer close(in.built)
	builder := building.NewBuilder(in.opts.Threads)
	builder.Bipartite = in.opts.Files.Bipartite
	builder.Directed = in.opts.Question.Directed
	builder.Repeats = in.opts.Question.Lengths.Repeats
	builder.KeepEdges = in.opts.Question.Edges
	builder.KeepRows = in.opts.byRow()
	vertices := 0
	builder.Files = in.files
	builder.Fits = func(bytes int64) error {
		return in.need(bytes+in.kept.held(vertices)+in.rows.held(nil), "build the graph")
	}
	declared, brought := 0, 0 // vertices: announced by headers and not there yet; in the previous batch
	for batch := range edges {
		declared += int(batch.Declared)
		err := in.checkBatch(builder, batch, max(declared, brought))
		before := builder.Vertices()
		if err == nil && in.opts.Question.Lengths.Column != "" && batch.Src.Len() > batch.Weights.Len() {
			err = errNoLengths
		}
		if err == nil {
			err = inputLengths(in.opts.Question.Lengths.Column, addBatch(builder, batch))
		}
		if err == nil && len(batch.Kept) > 0 && batch.Src.Len() > 0 {
			in.rows.kept.append(batch.Kept, batch.Src.Len(), nil)
		} else if err == nil && len(batch.Kept) > 0 {
			err = in.kept.add(builder, batch, before)
		}
		if err == nil {
			err = in.hold(builder, builder.Held()+in.kept.held(builder.Vertices())+in.rows.held(nil))
		}
		vertices = builder.Vertices()
		brought = vertices - before
		declared = max(declared-batch.Vertices.Len(), 0)
		rows := in.edgesRead.Add(int64(batch.Src.Len()))
		if rows < worthEdges {
			in.seen.add(batch.Src.Ints, batch.Dst.Ints)
		}
		if worthReading(in.opts.Question, vertices, rows, &in.seen, in.opts.Threads) {
			in.worth()
		}
		batch.Release()
		if err != nil {
			return fmt.Errorf("pipeline: build: %w", err)
		}
	}
	var summary tables.Summary
	select {
	case summary = <-in.summaries:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	in.enter("build")
	in.stats.IDs = summary.IDs
	in.stats.Files = summary.Files
	in.stats.NullsDropped = summary.NullsDropped
	in.stats.Unused = summary.Unused
	in.stats.Notes = append(summary.Notes, in.kept.note()...)
	in.stats.Warnings = append(summary.Warnings, strengths(in.opts.Question.Lengths.Column)...)
	in.kept.of, in.kept.geo = summary.Kept, summary.Geo
	in.rows.kept.of, in.rows.kept.geo = summary.EdgeKept, summary.EdgeGeo
	return timed(&in.stats.Seconds.Build, time.Now(), func() error {
		built, err := builder.Build(ctx)
		if err != nil {
			return fmt.Errorf("pipeline: build: %w", inputLengths(in.opts.Question.Lengths.Column, err))
		}
		in.stats.EdgesRead = built.EdgesRead
		in.stats.Duplicates = built.Duplicates
		in.stats.SelfLoops = built.SelfLoops
		in.stats.Notes = append(in.stats.Notes, in.stats.left()...)
		if built.Graph.Vertices() == 0 {
			in.stats.Warnings = append(in.stats.Warnings, "the input has no rows, and neither has the output")
		}
		if built.Copies != nil && !in.opts.Question.Directed && built.Copies.Twice() {
			in.stats.Warnings = append(in.stats.Warnings, fmt.Sprintf("every edge is there twice and counts as two paths; Options.Question.Lengths.Repeats %q wants each edge once", question.RepeatsKeep))
		}
		in.stats.Lengths = lengthsOf(in.opts.Question.Lengths, built)
		in.stats.Notes = append(in.stats.Notes, in.stats.Lengths.notes()...)
		if o := built.Overlap; o.ByChance() {
			in.stats.Notes = append(in.stats.Notes, fmt.Sprintf("%d ids occur in both columns, of %d sources and %d destinations, no more than by chance; they count as the same vertices; Options.Input.Files.Bipartite keeps the two sets of ids apart", o.Both, o.Sources, o.Destinations))
		}
		in.rows.edges, built.Rows = built.Rows, nil
		inputs <- gathered{*built, summary, [2]string{in.opts.Files.Src, in.opts.Files.Dst}}
		return nil
	})
}

// drain releases the batches that the source still sends when build has failed. It waits for build to return,
// which cancels the source.
func (in *intake) drain(edges <-chan tables.Batch) error {
	<-in.built
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

// batchesInFlight between reader and builder: enough that neither waits for the other's delays, few enough to
// stay in cache.
const batchesInFlight = 8

// checkBatch takes edges to files where they do not fit memory with the batch. It refuses a batch with which the input cannot fit: its numbering and the graph take too much
// memory, or its vertices alone are too many to reduce. Argument expected is the number of new vertices: the
// announced ones of a header that are still missing, or as many as in the previous batch.
func (in *intake) checkBatch(builder *building.Builder, batch tables.Batch, expected int) error {
	rows := batch.Src.Len()
	vertices := builder.Vertices() + max(expected, batch.Vertices.Len())
	need := func() error {
		bytes := max(builder.Bytes(vertices-builder.Vertices(), rows), preprocess.ReduceBytes(vertices, 0)) + in.keptWith(vertices, batch)
		return in.need(bytes, "read and reduce it")
	}
	err := need()
	if err != nil && builder.Spills() {
		if err := builder.Spill(); err != nil {
			return in.afterSoMuch(builder, err)
		}
		err = need()
	}
	if err != nil {
		if batch.Declared > 0 {
			return fmt.Errorf("%d vertices that a header declares: %w", batch.Declared, err)
		}
		return in.afterSoMuch(builder, err)
	}
	return in.hold(builder, builder.Adding(vertices-builder.Vertices(), rows)+in.keptWith(vertices, batch))
}

// keptWith is the memory of kept columns after a batch that brings the vertices to this number.
func (in *intake) keptWith(vertices int, batch tables.Batch) int64 {
	if batch.Src.Len() > 0 {
		return in.kept.held(vertices) + in.rows.held(batch.Kept)
	}
	return in.kept.heldWith(vertices, batch.Kept) + in.rows.held(nil)
}

func (in *intake) afterSoMuch(builder *building.Builder, err error) error {
	return fmt.Errorf("after %d edges and %d vertices: %w", in.edgesRead.Load(), builder.Vertices(), err)
}

// hold reports to readers how much memory the tables of vertices and the edges hold now.
func (in *intake) hold(builder *building.Builder, bytes int64) error {
	if err := in.opts.Files.Budget.Hold(bytes - in.tables); err != nil {
		return in.afterSoMuch(builder, err)
	}
	in.tables = bytes
	return nil
}
