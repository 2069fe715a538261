package pipeline

import (
	"context"
	"math/big"
	"slices"
	"strconv"
	"sync"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/cpu/searches"
	"bcstage/internal/gpu/opened"
	"bcstage/internal/parallel"
)

// How rows of distances become tables.

// Names of the columns of Distances.
const (
	sourceColumn   = "source"
	distanceColumn = "distance"
	pathsColumn    = "paths"
)

// part holds rows of several sources.
type part struct {
	sources []uint32
	searches.Rows
}

// spareParts keeps memory of parts and of their rows for reuse.
type spareParts struct {
	parts sync.Pool // of *part, with their sources' memory only
	rows  searches.Spare
}

// newPart returns an empty part with room for so many rows.
func (s *spareParts) newPart(rows int) *part {
	p, _ := s.parts.Get().(*part)
	if p == nil {
		p = &part{}
	}
	p.sources = slices.Grow(p.sources[:0], rows)
	return p
}

// reuse releases the part's memory for the next one.
func (s *spareParts) reuse(p *part) {
	s.rows.Reuse(p.Rows)
	p.Rows = searches.Rows{}
	s.parts.Put(p)
}

// partRows is the least number of rows of a part, the last excepted.
const partRows = 1 << 16

// add takes over the rows of a source. Enough rows for a part are sent as they are.
func (d *distances) add(ctx context.Context, source uint32, rows searches.Rows) error {
	switch {
	case d.pairs != nil:
		rows = d.pairs.of(source, rows)
	case d.targets != nil:
		rows = wanted(rows, d.targets)
	}
	count := len(rows.Vertices)
	whole := count >= partRows
	if whole {
		if err := d.flush(ctx); err != nil {
			return err
		}
	}
	if d.ready == nil {
		d.ready = d.spare.newPart(max(count, partRows))
	}
	p := d.ready
	for range count {
		p.sources = append(p.sources, source)
	}
	if whole {
		p.Rows = rows
		return d.flush(ctx)
	}
	if p.Vertices == nil {
		p.Rows = d.spare.rows.Rows(0, d.paths)
	}
	p.Vertices = append(p.Vertices, rows.Vertices...)
	p.Distances = append(p.Distances, rows.Distances...)
	p.Paths = append(p.Paths, rows.Paths...)
	d.spare.rows.Reuse(rows)
	if len(p.Vertices) < partRows {
		return nil
	}
	return d.flush(ctx)
}

// wanted keeps the rows of some vertices, in the same memory.
func wanted(rows searches.Rows, vertices []bool) searches.Rows {
	count := 0
	for i, v := range rows.Vertices {
		if !vertices[v] {
			continue
		}
		rows.Vertices[count], rows.Distances[count] = v, rows.Distances[i]
		if rows.Paths != nil {
			rows.Paths[count] = rows.Paths[i]
		}
		count++
	}
	rows.Vertices, rows.Distances = rows.Vertices[:count], rows.Distances[:count]
	if rows.Paths != nil {
		rows.Paths = rows.Paths[:count]
	}
	return rows
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
	table := tables.Table{
		IDs: d.names.IDs, Type: d.names.Type, By: d.names.By, Graph: d.names.Graph, Side: d.names.Side,
		Pairs: &tables.Pairs{Names: [2]string{sourceColumn, tables.VertexColumn}, Ends: [2][]uint32{p.sources, p.Vertices}},
		Metadata: append([]tables.KeyValue{
			{Key: "version", Value: Version()},
			{Key: "n", Value: strconv.Itoa(d.stats.Vertices)},
			{Key: "m", Value: strconv.FormatInt(d.stats.Edges, 10)},
		}, d.names.Metadata()...),
		Threads: d.opts.Threads,
		Release: func() { d.spare.reuse(p) },
	}
	asked := d.opts.Question
	if d.pairs != nil && d.pairs.swapped {
		table.Pairs.Ends = [2][]uint32{p.Vertices, p.sources}
	}
	if d.opts.Targets != nil {
		asked.Targets = d.opts.Targets.set
	}
	if asked.Cutoff = d.cutoff; asked.Identity() != "" {
		table.Metadata = append(table.Metadata, tables.KeyValue{Key: "question", Value: asked.Identity()})
	}
	distance := tables.Column{Name: distanceColumn, Values: tables.Ints(p.Distances)}
	if d.scale.Divisor > 0 {
		distance.Values = d.lengths(p.Distances)
	}
	table.Columns = append(table.Columns, distance)
	if d.paths {
		table.Columns = append(table.Columns, tables.Column{Name: pathsColumn, Values: tables.Floats(p.Paths)})
	}
	began := time.Now()
	defer func() { d.waited += time.Since(began).Seconds() }()
	return parallel.Send(ctx, d.parts, table)
}

// lengths converts distances to the column's unit, each rounded once.
func (d *distances) lengths(units []int64) tables.Floats {
	unit := newUnit(d.scale.One())
	values := make(tables.Floats, len(units))
	for i, x := range units {
		if x < 1<<53 {
			values[i] = unit.of(float64(x))
			continue
		}
		values[i], _ = new(big.Rat).Mul(unit.one, new(big.Rat).SetInt64(x)).Float64()
	}
	return values
}

// distances is the stage of Distances.
type distances struct {
	*run
	cutoff string
	paths  bool
	parts  chan<- tables.Table
	engine Engine

	opened  chan *opened.Set
	devices *opened.Set // set when compute has received it; nil: none
	names   names
	targets []bool         // by vertex: rows are wanted; nil: all
	pairs   *distancePairs // whose rows are wanted; nil: those of targets
	scale   building.Scale
	ready   *part // rows that wait for more
	spare   spareParts
	waited  float64 // seconds, for parts to be taken
}

// limit is the cutoff in units of the graph's lengths; -1: none.
func (d *distances) limit() int64 {
	if d.cutoff == "" {
		return -1
	}
	if limit, fits := d.scale.Whole(d.cutoff); fits {
		return limit
	}
	return -1
}
