package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio"
	"bcstage/cpu/searches"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Names of the columns of Distances.
const (
	SourceColumn   = "source"
	DistanceColumn = "distance"
	PathsColumn    = "paths"
)

// Distances reads edges as Run does and sends tables by pair: for every vertex of
// opts.Sources a row for each vertex that it reaches, itself included, with its
// distance: source after source in the order in which the edges name them, near
// vertices first. Distances are hops, as integers, or lengths where the question has
// them; with paths there is a column of how many shortest paths there are.
//
// The parts of one table are as in arrowio.WriteParts, at least one of them. The
// channel is closed when Distances returns. What waits for its turn is bounded by
// the threads and the graph, not by the number of sources. Of the question it
// answers directions, lengths and the cutoff; anything else is ErrOptions, as are
// parts of a run and a prepared graph, which has lost what was reduced. More paths than
// float64 counts are searches.ErrPaths, for the first such pair.
func Distances(ctx context.Context, opts Options, paths bool, parts chan<- arrowio.Table) (*Stats, error) {
	defer close(parts)
	opts, cutoff, err := distanceOptions(opts)
	if err != nil {
		return nil, err
	}
	r := newRun(opts)
	d := &distances{run: r, cutoff: cutoff, paths: paths, parts: parts}
	group, ctx := errgroup.WithContext(ctx)
	edges := make(chan arrowio.Batch, batchesInFlight)
	inputs := make(chan gathered, 1)
	group.Go(func() error { return r.read(ctx, edges) })          // source -> key columns
	group.Go(func() error { return r.build(ctx, edges, inputs) }) // -> simple graph
	group.Go(func() error { return r.drain(edges) })
	group.Go(func() error { return d.compute(ctx, inputs) }) // -> tables
	group.Go(func() error { return r.report(ctx) })          // -> opts.Progress
	return r.end(group.Wait())
}

// distanceOptions fills in defaults, and refuses what has no meaning here.
func distanceOptions(opts Options) (_ Options, cutoff string, err error) {
	fail := func(format string, args ...any) (Options, string, error) {
		return opts, "", fmt.Errorf("%w: distances: %s", ErrOptions, fmt.Sprintf(format, args...))
	}
	asked := opts.Question
	if err := asked.Check(); err != nil {
		return opts, "", fmt.Errorf("%w: distances: %w", ErrOptions, err)
	}
	opts.Question = question.Question{Directed: asked.Directed, Lengths: asked.Lengths}
	asked.Directed, asked.Lengths, asked.Sources, asked.Cutoff, cutoff = false, question.Lengths{}, question.Set{}, "", asked.Cutoff
	switch {
	case asked.Identity() != "" || opts.Targets != nil:
		return fail("%s says nothing about them", asked.Identity())
	case opts.Sources == nil:
		return fail("no sources")
	case opts.partial() || opts.Resume != nil || opts.Save != nil:
		return fail("they have no parts")
	}
	sources := opts.Sources
	opts.Sources, opts.Engine = nil, EngineCPU
	if opts, err = opts.complete(); err != nil {
		return opts, "", err
	}
	opts.Sources = sources
	if opts.prepared != "" {
		return fail("%s is a prepared graph, which has not all edges", opts.prepared)
	}
	return opts, cutoff, nil
}

// distances is the stage of Distances.
type distances struct {
	*run
	cutoff string
	paths  bool
	parts  chan<- arrowio.Table

	names names
	scale preprocess.Scale
	ready *part // rows that wait for more
}

// part is rows of several sources.
type part struct {
	sources, vertices []uint32
	distances         []int64
	paths             []float64
}

// compute searches from all sources, several at once, and sends their rows.
func (d *distances) compute(ctx context.Context, inputs <-chan gathered) error {
	in, err := receive(ctx, inputs)
	if err != nil {
		return err
	}
	defer close(d.written)
	if d.names, err = namesOf(in.IDs, in.Scopes, in.summary.IDs, in.summary.By, d.opts.Files.Bipartite); err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	d.names.Ends = [2]string{d.opts.Files.Src, d.opts.Files.Dst}
	d.scale = in.Scale
	d.stats.Vertices, d.stats.Edges = in.Graph.Vertices(), in.Graph.Edges()
	d.stats.Threads, d.stats.Precision = d.opts.Threads, Float64
	sources, ends, err := d.opts.Sources.find(ctx, &d.names, "Options.Sources")
	if err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	d.stats.Sources = &ends
	d.enter("compute")
	return timed(&d.stats.Seconds.Compute, time.Now(), func() error {
		if err := d.send(ctx, &part{}); err != nil { // names and types, whatever follows
			return err
		}
		if err := d.search(ctx, &in, sources); err != nil {
			return fmt.Errorf("pipeline: distances: %w", err)
		}
		return d.flush(ctx)
	})
}

// search hands the sources out to the threads, some at a time, and takes their
// rows in order.
func (d *distances) search(ctx context.Context, in *gathered, sources []uint32) error {
	options := searches.Options{Cutoff: d.limit(), Paths: d.paths}
	lanes := searches.New(&in.Graph, options).Lanes()
	if fair := (len(sources) + d.opts.Threads - 1) / d.opts.Threads; fair < lanes {
		lanes = max(fair, 1) // few sources: rather all threads than all lanes
	}
	threads, err := d.threads(in, lanes)
	if err != nil {
		return err
	}
	type rows struct {
		searches.Rows
		err error
	}
	count := (len(sources) + lanes - 1) / lanes
	of := func(batch int) []uint32 { return sources[batch*lanes : min((batch+1)*lanes, len(sources))] }
	found := make([]chan rows, threads) // by batch modulo threads
	group, ctx := errgroup.WithContext(ctx)
	for t := range threads {
		found[t] = make(chan rows, 1)
		group.Go(func() error {
			search := searches.New(&in.Graph, options)
			give := func(r rows) error {
				select {
				case found[t] <- r:
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			for batch := t; batch < count; batch += threads {
				err := search.Run(ctx, of(batch), func(r searches.Rows) error { return give(rows{Rows: r}) })
				if err != nil {
					return give(rows{err: err}) // the first in the order of the sources is the one to tell
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		for batch := range count {
			for _, source := range of(batch) {
				r, err := receive(ctx, found[batch%threads])
				if err == nil {
					err = d.named(r.err)
				}
				if err == nil {
					err = d.add(ctx, source, r.Rows)
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	return group.Wait()
}

// limit is the cutoff in what the graph's lengths count; -1: none.
func (d *distances) limit() int64 {
	if d.cutoff == "" {
		return -1
	}
	if limit, fits := d.scale.Whole(d.cutoff); fits {
		return limit
	}
	return -1
}

// threads is how many searches memory has room for, beside the graph.
func (d *distances) threads(in *gathered, lanes int) (int, error) {
	graph := graphBytes(&in.Graph) + in.IDs.Held() + in.Scopes.Held()
	each := searches.Bytes(&in.Graph, lanes, d.paths)
	if err := d.need(graph+each, "search it"); err != nil {
		return 0, err
	}
	return max(int(min((d.memory-graph)/each, int64(d.opts.Threads))), 1), nil
}

// graphBytes is what a graph's arrays take.
func graphBytes(g *preprocess.Graph) int64 {
	if g == nil {
		return 0
	}
	return 8*int64(len(g.Offsets)+len(g.Lengths)) + 4*int64(len(g.Targets)) + graphBytes(g.In)
}

// named names the vertices of a pair with too many paths.
func (d *distances) named(err error) error {
	var pair *searches.TooManyPaths
	if !errors.As(err, &pair) {
		return err
	}
	id := func(v uint32) string { return d.names.Type.Format(d.names.IDs, int(v)) }
	return fmt.Errorf("from %q to %q: %w", id(pair.Source), id(pair.Vertex), searches.ErrPaths)
}

// partRows is how many rows a part has at least, but for the last.
const partRows = 1 << 16

// add takes the rows of a source over.
func (d *distances) add(ctx context.Context, source uint32, rows searches.Rows) error {
	if d.ready == nil {
		d.ready = &part{}
	}
	p := d.ready
	for range rows.Vertices {
		p.sources = append(p.sources, source)
	}
	p.vertices = append(p.vertices, rows.Vertices...)
	p.distances = append(p.distances, rows.Distances...)
	p.paths = append(p.paths, rows.Paths...)
	if len(p.vertices) < partRows {
		return nil
	}
	return d.flush(ctx)
}

// flush sends the rows that wait.
func (d *distances) flush(ctx context.Context) error {
	if d.ready == nil {
		return nil
	}
	p := d.ready
	d.ready = nil
	return d.send(ctx, p)
}

// send sends a part as a table.
func (d *distances) send(ctx context.Context, p *part) error {
	table := arrowio.Table{
		IDs: d.names.IDs, Type: d.names.Type, By: d.names.By, Graph: d.names.Graph, Side: d.names.Side,
		Pairs: &arrowio.Pairs{Names: [2]string{SourceColumn, arrowio.VertexColumn}, Ends: [2][]uint32{p.sources, p.vertices}},
		Metadata: append([]arrowio.KeyValue{
			{Key: "version", Value: Version()},
			{Key: "n", Value: strconv.Itoa(d.stats.Vertices)},
			{Key: "m", Value: strconv.FormatInt(d.stats.Edges, 10)},
		}, d.names.Metadata()...),
	}
	asked := d.opts.Question
	if asked.Cutoff = d.cutoff; asked.Identity() != "" {
		table.Metadata = append(table.Metadata, arrowio.KeyValue{Key: "question", Value: asked.Identity()})
	}
	distance := arrowio.Column{Name: DistanceColumn, Values: arrowio.Ints(p.distances)}
	if d.scale.Divisor > 0 {
		distance.Values = d.lengths(p.distances)
	}
	table.Columns = append(table.Columns, distance)
	if d.paths {
		table.Columns = append(table.Columns, arrowio.Column{Name: PathsColumn, Values: arrowio.Floats(p.paths)})
	}
	select {
	case d.parts <- table:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// lengths are distances in the column's own unit, each rounded once.
func (d *distances) lengths(units []int64) arrowio.Floats {
	unit := newUnit(d.scale.One())
	values := make(arrowio.Floats, len(units))
	for i, x := range units {
		if x < 1<<53 {
			values[i] = unit.of(float64(x))
			continue
		}
		values[i], _ = new(big.Rat).Mul(unit.one, new(big.Rat).SetInt64(x)).Float64()
	}
	return values
}
