package pipeline

import (
	"cmp"
	"context"
	"fmt"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/preprocess/question"
)

// trips returns the rows of the table, in a unit that asked then names; nil: the question is not
// about trips.
func (in *intake) trips(ctx context.Context, asked *question.Question, of *names) ([]building.Trip, error) {
	if !asked.HasTrips() {
		return nil, nil
	}
	t := in.opts.Trips
	ends, err := in.tripEnds(ctx, of, 16+3*8) // a row as summed, its decimal number
	if err != nil {
		return nil, err
	}
	numbers, err := t.trips.Masses(ctx)
	if err != nil {
		return nil, fmt.Errorf("Options.Trips: %w", err)
	}
	units, err := building.MassUnitsOf(ctx, building.Weights(numbers))
	if err != nil {
		return nil, err
	}
	asked.Trips.Unit, asked.Trips.Total = units.Unit, units.Total
	list := make([]building.Trip, len(t.rows))
	for i, row := range ends {
		list[i] = building.Trip{Source: row[0], Target: row[1], Count: units.Masses[i]}
	}
	list = building.SumTrips(list)
	column := &TripColumn{Column: asked.Trips.Column, Unit: cmp.Or(units.Unit, "1"), Rows: len(t.rows), Pairs: len(list), Rounding: units.Error, Rounded: units.Rounded,
		Sum: tripOne(*asked).of(float64(units.Total))}
	in.stats.Demand = &Demand{Trips: column, Unit: flowUnit(*asked)}
	if units.Rounded > 0 {
		in.stats.Notes = append(in.stats.Notes, fmt.Sprintf("trips %q have too many digits: %d rows are rounded to multiples of %s, by %.2g at most", column.Column, column.Rounded, column.Unit, column.Rounding))
	}
	return list, nil
}

// tripEnds returns the vertices of each row of Options.Trips, if memory has room for them and so many more bytes a row.
func (in *intake) tripEnds(ctx context.Context, of *names, more int64) ([][2]uint32, error) {
	t := in.opts.Trips
	const row = 3 * 4 // vertices and graph
	found := 4 * int64(t.ids.count())
	if len(t.by) > 0 {
		found = 40 * int64(of.IDs.Len()) // a map of the vertices
	}
	if err := in.need(in.named(of)-in.sets+(row+more)*int64(len(t.rows))+found, "read trips"); err != nil {
		return nil, err
	}
	ends, err := t.ends(ctx, of)
	if err != nil {
		return nil, fmt.Errorf("Options.Trips: %w", err)
	}
	return ends, nil
}

// unrouted notes the trips without a path, and passes them to Options.Unrouted.
func (p *planner) unrouted(ctx context.Context, of namedPlan) error {
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
	columns, one := p.opts.Trips.names, tripOne(of.Question)
	counts, pairs := make(tables.Floats, len(of.Unrouted)), &tables.Pairs{Names: [2]string{columns[0], columns[1]}}
	for i, x := range of.Unrouted {
		pairs.Ends[0], pairs.Ends[1] = append(pairs.Ends[0], x.Source), append(pairs.Ends[1], x.Target)
		counts[i] = one.of(float64(x.Count))
	}
	table := of.names.Table()
	table.Threads, table.Pairs, table.Columns = p.opts.Threads, pairs, []tables.Column{{Name: columns[2], Values: counts}}
	return p.opts.Unrouted(ctx, table)
}
