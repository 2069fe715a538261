package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/preprocess/question"
)

// strangers are ids of a table of trips that the graph lacks. Trips number them behind the vertices.
type strangers struct {
	known int         // vertices of the graph
	texts bool        // ids are no numbers
	ids   [][2]uint32 // graph and number in the table, ascending
	trips []building.Trip
}

// trips returns the rows of the table, in a unit that asked then names, and apart those of ids that the graph lacks; nil:
// the question is not about trips.
func (in *intake) trips(ctx context.Context, asked *question.Question, of *names) (list []building.Trip, lost strangers, err error) {
	if !asked.HasTrips() {
		return nil, lost, nil
	}
	t := in.opts.Trips
	if err := in.needTrips(of, 16+3*8+2*8); err != nil { // a row as summed, its decimal number, strange ids
		return nil, lost, err
	}
	var ends [][2]uint32
	if ends, lost, err = t.tripEnds(ctx, of); err != nil {
		return nil, lost, fmt.Errorf("Options.Trips: %w", err)
	}
	numbers, err := t.trips.Masses(ctx)
	if err != nil {
		return nil, lost, fmt.Errorf("Options.Trips: %w", err)
	}
	units, err := building.MassUnitsOf(ctx, building.Weights(numbers))
	if err != nil {
		return nil, lost, err
	}
	asked.Trips.Unit, asked.Trips.Total = units.Unit, units.Total
	all := make([]building.Trip, len(t.rows))
	for i, row := range ends {
		all[i] = building.Trip{Source: row[0], Target: row[1], Count: units.Masses[i]}
	}
	all = building.SumTrips(all)
	one, sum := tripOne(*asked), int64(0)
	for _, x := range all {
		if int(max(x.Source, x.Target)) < lost.known {
			list = append(list, x)
			continue
		}
		sum += x.Count
		lost.trips = append(lost.trips, x)
	}
	column := &TripColumn{Column: asked.Trips.Column, Unit: cmp.Or(units.Unit, "1"), Rows: len(t.rows), Pairs: len(all), Unknown: len(lost.trips), Rounding: units.Error, Rounded: units.Rounded,
		Sum: one.of(float64(units.Total))}
	in.stats.Demand = &Demand{Trips: column, Unit: flowUnit(*asked), Unknown: one.of(float64(sum))}
	if units.Rounded > 0 {
		in.stats.Notes = append(in.stats.Notes, fmt.Sprintf("trips %q have too many digits: %d rows are rounded to multiples of %s, by %.2g at most", column.Column, column.Rounded, column.Unit, column.Rounding))
	}
	if column.Unknown > 0 {
		in.stats.Warnings = append(in.stats.Warnings, fmt.Sprintf("trips from or to ids that the graph lacks: %d pairs, %v trips", column.Unknown, in.stats.Demand.Unknown))
	}
	return list, lost, nil
}

// tripEnds returns the vertices of each row, or numbers of strangers.
func (t *TripTable) tripEnds(ctx context.Context, of *names) (list [][2]uint32, lost strangers, err error) {
	find, err := t.finder(ctx, of)
	if err != nil {
		return nil, lost, err
	}
	lost.known, lost.texts = of.IDs.Len(), of.IDs.Offsets != nil || !of.Type.IsInteger()
	stranger := func(i int, id uint32) (key [2]uint32) {
		if find.graphs != nil {
			key[0] = find.graphs[i]
		}
		key[1] = id
		if as, again := find.same[int(id)]; again && !lost.texts {
			key[1] = uint32(as)
		}
		return key
	}
	list = make([][2]uint32, len(t.rows))
	for i, row := range t.rows {
		for end, id := range row {
			if list[i][end] = find.vertex(i, id); list[i][end] != csr.None {
				continue
			}
			if !lost.texts {
				if _, ok := numberIn(of.Type, string(t.ids.id(int(id)))); !ok {
					return nil, lost, t.unknown(i, id)
				}
			}
			lost.ids = append(lost.ids, stranger(i, id))
		}
	}
	slices.SortFunc(lost.ids, func(x, y [2]uint32) int { return slices.Compare(x[:], y[:]) })
	lost.ids = slices.Compact(lost.ids)
	for i := range list {
		for end, v := range list[i] {
			if v == csr.None {
				at, _ := slices.BinarySearchFunc(lost.ids, stranger(i, t.rows[i][end]), func(x, y [2]uint32) int { return slices.Compare(x[:], y[:]) })
				list[i][end] = uint32(lost.known + at)
			}
		}
	}
	return list, lost, nil
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

// unrouted notes the trips without a path, and passes them to Options.Unrouted.
func (p *planner) unrouted(ctx context.Context, of namedPlan, lost strangers) error {
	if !of.Question.HasTrips() {
		return nil
	}
	d, self := p.stats.Demand, 0
	list := slices.Concat(of.Unrouted, lost.trips)
	d.Trips.Unrouted = len(list)
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
	slices.SortFunc(list, building.Trip.Compare)
	columns, one := p.opts.Trips.names, tripOne(of.Question)
	counts, pairs := make(tables.Floats, len(list)), &tables.Pairs{Names: [2]string{columns[0], columns[1]}}
	for i, x := range list {
		pairs.Ends[0], pairs.Ends[1] = append(pairs.Ends[0], x.Source), append(pairs.Ends[1], x.Target)
		counts[i] = one.of(float64(x.Count))
	}
	named := lost.names(&of.names, p.opts.Trips, pairs)
	table := named.Table()
	table.Threads, table.Pairs, table.Columns = p.opts.Threads, pairs, []tables.Column{{Name: columns[2], Values: counts}}
	return p.opts.Unrouted(ctx, table)
}

// names returns the names of vertices and strangers. If there are strangers, it returns the names of the pairs alone, and numbers
// these anew.
func (s *strangers) names(of *names, t *TripTable, pairs *tables.Pairs) *names {
	if len(s.ids) == 0 {
		return of
	}
	met := slices.Concat(pairs.Ends[0], pairs.Ends[1])
	slices.Sort(met)
	met = slices.Compact(met)
	for _, ends := range pairs.Ends {
		for i, v := range ends {
			at, _ := slices.BinarySearch(met, v)
			ends[i] = uint32(at)
		}
	}
	first, _ := slices.BinarySearch(met, uint32(s.known))
	few := *of
	ids := building.Keys(of.IDs).Pick(met[:first])
	if s.texts && ids.Offsets == nil { // a graph without vertices
		ids.Offsets = make([]int64, 1)
	}
	if few.Graph = nil; of.Graph != nil {
		few.Graph = csr.Pick(of.Graph, met[:first])
	}
	for _, v := range met[first:] {
		x := s.ids[int(v)-s.known]
		if text := t.ids.id(int(x[1])); !s.texts {
			bits, _ := numberIn(of.Type, string(text))
			ids.Ints = append(ids.Ints, bits)
		} else {
			ids.Bytes = append(ids.Bytes, text...)
			ids.Offsets = append(ids.Offsets, int64(len(ids.Bytes)))
		}
		if of.Graph != nil {
			few.Graph = append(few.Graph, x[0])
		}
	}
	few.IDs = tables.Keys(ids)
	return &few
}
