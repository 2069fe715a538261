package pipeline

import (
	"cmp"
	"context"
	"fmt"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/preprocess/question"
)

// lostTrip is a row of the table with an id that the graph lacks.
type lostTrip struct {
	row   int
	graph uint32
	count int64
}

// routes are the rows of a table of trips in a graph.
type routes struct {
	list  []building.Trip // between its vertices, each pair once
	lost  []lostTrip      // with an id that it lacks
	units building.MassUnits
}

// unknown is the sum of the lost rows.
func (r *routes) unknown() (count int64) {
	for _, x := range r.lost {
		count += x.count
	}
	return count
}

// routes finds the rows of the table in a graph, in a unit that asked then names.
func (t *TripTable) routes(ctx context.Context, asked *question.Question, of *names) (r routes, err error) {
	find, graphs, err := t.finder(ctx, of)
	if err != nil {
		return r, err
	}
	numbers, err := t.trips.Masses(ctx, tables.NullsError)
	if err != nil {
		return r, err
	}
	if r.units, err = building.MassUnitsOf(ctx, building.Weights(numbers)); err != nil {
		return r, err
	}
	asked.Trips.Unit, asked.Trips.Total = r.units.Unit, r.units.Total
	r.list = make([]building.Trip, 0, len(t.rows))
	for i, row := range t.rows {
		x := building.Trip{Source: find(i, row[0]), Target: find(i, row[1]), Count: r.units.Masses[i]}
		if x.Source != csr.None && x.Target != csr.None {
			r.list = append(r.list, x)
			continue
		}
		for _, id := range row {
			if _, ok := t.ids.in(of, id); !ok {
				return r, t.unknown(i, id)
			}
		}
		if x.Count > 0 {
			one := lostTrip{row: i, count: x.Count}
			if graphs != nil {
				one.graph = graphs[i]
			}
			r.lost = append(r.lost, one)
		}
	}
	r.list = building.SumTrips(r.list)
	return r, nil
}

// trips returns the rows of the table, in a unit that asked then names, and apart those with an id that the graph lacks;
// nil: the question is not about trips.
func (in *intake) trips(ctx context.Context, asked *question.Question, of *names) (list []building.Trip, lost []lostTrip, err error) {
	if !asked.HasTrips() {
		return nil, nil, nil
	}
	t := in.opts.Trips
	if err := in.needTrips(of, 16+3*8); err != nil { // a row as summed, its decimal number
		return nil, nil, err
	}
	r, err := t.routes(ctx, asked, of)
	if err != nil {
		return nil, nil, fmt.Errorf("Options.Trips: %w", err)
	}
	one, units := tripOne(*asked), r.units
	column := &TripColumn{Column: asked.Trips.Column, Unit: cmp.Or(units.Unit, "1"), Rows: len(t.rows), Pairs: len(r.list), Unknown: len(r.lost), NullsDropped: t.dropped, Rounding: units.Error, Rounded: units.Rounded,
		Sum: one.of(float64(units.Total))}
	in.stats.Demand = &Demand{Trips: column, Unit: flowUnit(*asked), Unknown: one.of(float64(r.unknown()))}
	if t.dropped > 0 {
		in.stats.Notes = append(in.stats.Notes, fmt.Sprintf("trips without an origin, a destination or a number were left out: %d rows", t.dropped))
	}
	if units.Rounded > 0 {
		in.stats.Notes = append(in.stats.Notes, fmt.Sprintf("trips %q have too many digits: %d rows are rounded to multiples of %s, by %.2g at most", column.Column, column.Rounded, column.Unit, column.Rounding))
	}
	if len(r.lost) > 0 {
		in.stats.Warnings = append(in.stats.Warnings, fmt.Sprintf("trips from or to ids that the graph lacks: %d rows, %v trips", len(r.lost), in.stats.Demand.Unknown))
	}
	return r.list, r.lost, nil
}

// needTrips checks that memory has room for the vertices of all rows of Options.Trips, and for so many more bytes a row.
func (in *intake) needTrips(of *names, more int64) error {
	t := in.opts.Trips
	const row = 3 * 4 // vertices and graph
	found := 4 * int64(t.ids.count())
	if len(t.by) > 0 {
		found = 40 * int64(of.IDs.Len()) // a map of the vertices
	}
	return in.need(in.named(of)-in.sets+(row+more)*int64(len(t.rows))+found, "read trips")
}

// unrouted notes the trips without a path, and passes them and the lost ones to Options.Unrouted.
func (p *planner) unrouted(ctx context.Context, of namedPlan, lost []lostTrip) error {
	if !of.Question.HasTrips() {
		return nil
	}
	d, self := p.stats.Demand, 0
	d.Trips.Unrouted = len(of.Unrouted)
	for _, x := range of.Unrouted {
		if x.Source == x.Target {
			self++
		}
	}
	if self > 0 {
		p.stats.Notes = append(p.stats.Notes, fmt.Sprintf("trips from a vertex to itself pass no other vertex: %d pairs, %v trips", self, d.Self))
	}
	if others := len(of.Unrouted) - self; others > 0 {
		p.stats.Notes = append(p.stats.Notes, fmt.Sprintf("trips without a path: %d pairs, %v trips", others, d.NoPath))
	}
	if p.opts.Unrouted == nil {
		return nil
	}
	t, one, table := p.opts.Trips, tripOne(of.Question), of.names.Table()
	counts, pairs := make(tables.Floats, 0, len(of.Unrouted)+len(lost)), &tables.Pairs{Names: [2]string{t.names[0], t.names[1]}}
	var ends []uint32 // the vertices of each row
	for _, x := range of.Unrouted {
		ends = append(ends, x.Source, x.Target)
		counts = append(counts, one.of(float64(x.Count)))
	}
	ids := building.Keys(table.IDs).Pick(ends)
	if of.names.texts() && ids.Offsets == nil {
		ids.Offsets = make([]int64, 1)
	}
	table.Graph = csr.Pick(table.Graph, ends)
	for _, x := range lost {
		for _, id := range t.rows[x.row] {
			if bits, _ := t.ids.in(&of.names, id); of.names.texts() {
				ids.Bytes = append(ids.Bytes, t.ids.id(int(id))...)
				ids.Offsets = append(ids.Offsets, int64(len(ids.Bytes)))
			} else {
				ids.Ints = append(ids.Ints, bits)
			}
			if table.Graph != nil {
				table.Graph = append(table.Graph, x.graph)
			}
		}
		counts = append(counts, one.of(float64(x.count)))
	}
	for row := range uint32(len(counts)) {
		pairs.Ends[0], pairs.Ends[1] = append(pairs.Ends[0], 2*row), append(pairs.Ends[1], 2*row+1)
	}
	table.IDs, table.Threads, table.Pairs, table.Columns = tables.Keys(ids), p.opts.Threads, pairs, []tables.Column{{Name: t.names[2], Values: counts}}
	return p.opts.Unrouted(ctx, table)
}
