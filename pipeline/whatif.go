package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/refusals"
	"bcstage/pipeline/internal/change"
)

// Columns of WhatIf. Beside each of the last four is another, with changeSuffix: by how much it is more than before.
const (
	removedEdgesColumn       = "edges_removed"       // with all edges of removed vertices
	removedVerticesColumn    = "vertices_removed"    // these two name the one row of everything
	totalBetweennessColumn   = "total_betweenness"   // sum of the scores of all vertices
	largestBetweennessColumn = "largest_betweenness" // of a vertex
	reachColumn              = "reach"               // ordered pairs of vertices of which the first reaches the second
	meanDistanceColumn       = "mean_distance"       // of these; 0: there are none
	totalFlowColumn          = "total_flow"          // with masses, in place of the first three
	largestFlowColumn        = "largest_flow"
	routedColumn             = "routed" // sum of the products of the masses of all pairs with a path
	changeSuffix             = "_change"
)

// WhatIfStats is what statistics say of WhatIf.
type WhatIfStats struct {
	Rows    int `json:"rows"`                    // of the output
	Repeats int `json:"repeats"`                 // rows that named an edge or a vertex again
	Nulls   int `json:"nulls_dropped,omitempty"` // rows of removed edges or vertices with a null
	ByBlock int `json:"by_block"`                // rows that took searches of the removal's blocks; the others took a whole run
}

// WhatIf reads edges as Run does, and hands the sink a table of what the graph has without the removed edges or vertices. There is
// one row for all together, or with each a row for every one, removed by itself, which begins with src and dst, or vertex.
// The row for all together begins with edges_removed and vertices_removed. Then come total_betweenness, largest_betweenness,
// reach and mean_distance, each with its change: reach_change is by how much reach is more than before.
//
// A removed vertex stays, without edges. A removed edge goes with its parallels: in both directions of an undirected graph, and with
// Options.Input.Files.OneWay, also of a prepared graph; of other directed graphs in that from src to dst. Scores are those of Run, distances are in edges or lengths.
//
// With masses, a pair counts the mass that begins at the one times the mass that ends at the other. The columns
// total_flow, largest_flow and routed then take the place of total_betweenness, largest_betweenness and reach. routed is the sum over
// pairs with a path.
//
// It answers directions, lengths and masses of the question, and anything else is ErrOptions, as are several graphs, two sides, and parts
// of a run. A removed edge or vertex that the graph lacks is tables.ErrInput, with its row.
//
// Cores compute, several rows side by side. In an undirected graph a row searches the blocks of its removal, from the smaller sides of the
// edges; in a directed one, and where that is thought to cost as much, it is a run of the graph that is left.
func WhatIf(ctx context.Context, opts Options, removed *Removed, each bool, sink Sink) (*Stats, error) {
	if sink == nil {
		return nil, errNoSink
	}
	if removed == nil {
		return nil, fmt.Errorf("%w: what if: nothing is removed", ErrOptions)
	}
	opts.calls, opts.Engine = []string{refusals.WhatIf}, EngineCPU
	opts, err := opts.complete()
	if err != nil {
		return nil, err
	}
	w := &whatIf{run: newRun(opts), removed: removed, each: each, sink: sink}
	group, ctx := errgroup.WithContext(ctx)
	graphs := w.in.gather(ctx, group)                        // source -> simple graph
	group.Go(func() error { return w.compute(ctx, graphs) }) // -> rows -> sink
	group.Go(func() error { return w.report(ctx) })          // -> opts.Progress
	return w.end(group.Wait())
}

// whatIf is one call of WhatIf.
type whatIf struct {
	*run
	removed *Removed
	each    bool
	sink    Sink

	graph    *csr.Graph
	names    names
	scale    building.Scale
	ends     change.Ends      // masses; nil: 1 at each vertex
	one      unit             // value of 1 in flows
	removals *change.Removals // of an undirected graph
	before   figures
	scores   []float64 // by vertex, before
	ranked   []uint32  // vertices, the highest of these first
	byBlock  atomic.Int64
	noting   sync.Mutex // held while statistics are added to
}

// figures are those of a graph in a row. Distances are in units of the graph's lengths.
type figures struct {
	total, largest float64
	reach          float64 // of all pairs with a path: 1 each, or the products of their masses
	distances      float64 // sum over these pairs
}

// compute finds what is removed, computes the rows and hands them over.
func (w *whatIf) compute(ctx context.Context, graphs <-chan gathered) error {
	in, err := parallel.Receive(ctx, graphs)
	if err != nil {
		return err
	}
	defer close(w.written)
	if len(in.summary.By) > 0 || in.Side != nil { // of a prepared graph
		return fmt.Errorf("pipeline: %s: %w: what if: want one graph, of one set of vertices", w.opts.prepared, ErrOptions)
	}
	w.graph, w.scale = &in.Graph, in.Scale
	if w.names, err = namesOf(in.IDs, in.Scopes, in.summary.IDs, in.summary.By, false); err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	asked := w.opts.Question
	if w.ends.Origins, w.ends.Destinations, err = w.in.masses(ctx, &asked, &w.names); err != nil {
		return fmt.Errorf("pipeline: %w", err)
	}
	w.one = flowOne(asked)
	w.stats.Vertices, w.stats.Edges = w.graph.Vertices(), w.graph.Edges()
	w.stats.Engines = []EngineStat{{Name: "cpu", Share: 1}}
	removals, ends, err := w.removed.find(ctx, w.graph, &w.names, w.in.twoWays)
	if err != nil {
		return fmt.Errorf("pipeline: removed: %w", err)
	}
	repeats := len(w.removed.rows) - len(removals)
	w.stats.WhatIf = &WhatIfStats{Repeats: repeats, Nulls: w.removed.dropped}
	w.stats.noteNulls(w.removed.dropped)
	if repeats > 0 {
		w.stats.Notes = append(w.stats.Notes, fmt.Sprintf("rows that name an edge or a vertex again, and are left out: %d", repeats))
	}
	sets := make([][]change.Removal, 0, len(removals))
	if w.each {
		for i := range removals {
			sets = append(sets, removals[i:i+1])
		}
	} else {
		sets = append(sets, removals)
	}
	w.enter("compute")
	var found []figures
	err = timed(&w.stats.Seconds.Compute, time.Now(), func() error {
		found, err = w.rows(ctx, sets)
		return err
	})
	if err != nil {
		return fmt.Errorf("pipeline: what if: %w", err)
	}
	w.stats.WhatIf.Rows, w.stats.WhatIf.ByBlock = len(sets), int(w.byBlock.Load())
	w.enter("write")
	return timed(&w.stats.Seconds.Write, time.Now(), func() error { return w.sink(ctx, w.table(removals, ends, found)) })
}

// table is the rows as a table.
func (w *whatIf) table(removals []change.Removal, ends [][2]uint32, found []figures) tables.Table {
	t := tables.Table{Type: w.names.Type, Threads: w.opts.Threads}
	switch {
	case !w.each:
		edges, vertices := w.count(removals)
		t.IDs, t.Type = tables.Keys{Ints: []uint64{uint64(edges), uint64(vertices)}}, tables.Int64IDs()
		t.Pairs = &tables.Pairs{Names: [2]string{removedEdgesColumn, removedVerticesColumn}, Ends: [2][]uint32{{0}, {1}}}
	default:
		var of [2][]uint32
		for _, row := range ends {
			of[0], of[1] = append(of[0], row[0]), append(of[1], row[1])
		}
		if w.removed.vertices {
			t.IDs = tables.Keys(building.Keys(w.names.IDs).Pick(of[0]))
			break
		}
		t.IDs, t.Pairs = w.names.IDs, &tables.Pairs{Names: [2]string{cmp.Or(w.opts.Files.Src, "src"), cmp.Or(w.opts.Files.Dst, "dst")}, Ends: of}
	}
	unit, weighed := newUnit(w.scale.One()), w.opts.Question.HasMasses()
	mean := func(f figures) float64 { return unit.of(f.distances / max(1, f.reach)) }
	names := [4]string{totalBetweennessColumn, largestBetweennessColumn, reachColumn, meanDistanceColumn}
	if weighed {
		names = [4]string{totalFlowColumn, largestFlowColumn, routedColumn, meanDistanceColumn}
	}
	for i, of := range []func(figures) float64{
		func(f figures) float64 { return w.one.of(f.total) },
		func(f figures) float64 { return w.one.of(f.largest) },
		func(f figures) float64 { return w.one.of(f.reach) },
		mean,
	} {
		name, values, changes := names[i], make(tables.Floats, len(found)), make(tables.Floats, len(found))
		for i, f := range found {
			values[i] = of(f)
			changes[i] = values[i] - of(w.before)
			if name == meanDistanceColumn && f.reach == w.before.reach { // rounded once
				f.distances -= w.before.distances
				changes[i] = mean(f)
			}
		}
		columns := []tables.Column{{Name: name, Values: values}, {Name: name + changeSuffix, Values: changes}}
		if name == reachColumn { // pairs
			columns[0].Values, columns[1].Values = whole(values), whole(changes)
		}
		t.Columns = append(t.Columns, columns...)
	}
	t.Metadata = append([]tables.KeyValue{
		{Key: "version", Value: Version()},
		{Key: "n", Value: strconv.Itoa(w.stats.Vertices)},
		{Key: "m", Value: strconv.FormatInt(w.stats.Edges, 10)},
		{Key: "question", Value: w.opts.Question.Identity()},
	}, w.names.Metadata()...)
	return t
}

// whole are values that are whole numbers.
func whole(values tables.Floats) tables.Ints {
	list := make(tables.Ints, len(values))
	for i, x := range values {
		list[i] = int64(x)
	}
	return list
}

// count is how many edges and vertices go.
func (w *whatIf) count(removals []change.Removal) (edges, vertices int) {
	arcs := map[[2]uint32]bool{}
	w.arcs(removals, func(u, v uint32) { arcs[[2]uint32{u, v}] = true })
	if edges = len(arcs); !w.graph.Directed() {
		edges /= 2
	}
	if w.removed.vertices {
		vertices = len(removals)
	}
	return edges, vertices
}
