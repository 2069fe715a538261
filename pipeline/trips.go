package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// TripTable says how much goes from each vertex to each: see Options.Trips. Rows of equal pairs add up.
type TripTable struct {
	ids   *VertexSet
	rows  [][2]uint32 // by row: numbers of both ids
	trips tables.KeptColumn
	names [3]string
}

// TripColumns are the usual names of the columns of a table of trips.
func TripColumns() [3]string { return [3]string{"origin", "destination", "trips"} }

// readTrips is arrowio.ReadTrips.
type readTrips = func(ctx context.Context, files tables.Options, columns [3]string, take func(origins, destinations tables.Keys, trips tables.KeptValues, of tables.GroupColumn) error) error

// ReadTripTable reads a table of trips by read, which is arrowio.ReadTrips, from a file that may have any format but
// those without columns. The table holds its memory of files.Budget.
func ReadTripTable(ctx context.Context, read readTrips, files tables.Options, columns [3]string) (*TripTable, error) {
	t, held := &TripTable{ids: &VertexSet{ids: building.NewDistinct()}, names: columns}, int64(0)
	hold := func(bytes int64) error {
		if err := files.Budget.Hold(bytes - held); err != nil {
			return fmt.Errorf("trips %s: after %d rows: %w", strings.Join(files.Paths, " "), len(t.rows), err)
		}
		held = bytes
		return nil
	}
	err := read(ctx, files, columns, func(origins, destinations tables.Keys, trips tables.KeptValues, of tables.GroupColumn) error {
		t.trips.Name, t.trips.Type = of.Name, of.Type
		for _, ids := range []building.Keys{building.Keys(origins), building.Keys(destinations)} {
			if err := hold(t.held(ids, origins.Len(), trips)); err != nil {
				return err
			}
			if err := t.ids.add(ids); err != nil {
				return err
			}
		}
		t.add(origins, destinations, trips)
		return hold(t.held(building.Keys{}, 0, tables.KeptValues{}))
	})
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	t.close()
	return t, nil
}

// TripTableOf is a table of some integers: trips[i] go from origins[i] to destinations[i].
func TripTableOf[K Integer](origins, destinations []K, trips []int64) *TripTable {
	t := &TripTable{ids: VertexSetOf(slices.Concat(origins, destinations)...), names: TripColumns()}
	t.trips.Name, t.trips.Type = t.names[2], tables.Int64IDs()
	number := func(id K) uint32 {
		i, _ := t.ids.ids.Find(fmt.Append(nil, id))
		return uint32(i)
	}
	for i, count := range trips {
		t.rows = append(t.rows, [2]uint32{number(origins[i]), number(destinations[i])})
		t.trips.Keys.Ints = append(t.trips.Keys.Ints, uint64(count))
	}
	return t
}

// held is its memory once so many more rows with some ids have been added.
func (t *TripTable) held(ids building.Keys, rows int, trips tables.KeptValues) int64 {
	return t.ids.ids.Bytes(ids) + hashing(t.ids.count()+ids.Len()) + 2*8*int64(len(t.rows)+rows) + t.trips.Held(0, trips)
}

// add adds rows whose ids are there.
func (t *TripTable) add(origins, destinations tables.Keys, trips tables.KeptValues) {
	for i := range origins.Len() {
		var row [2]uint32
		for end, ids := range []tables.Keys{origins, destinations} {
			number, _ := t.ids.ids.Find(ids.Bytes[ids.Offsets[i]:ids.Offsets[i+1]])
			row[end] = uint32(number)
		}
		t.rows = append(t.rows, row)
	}
	t.trips.Append(trips, nil)
}

// close makes the hash of all ids.
func (t *TripTable) close() { t.ids.close() }

// vertices are those of the ids, by their numbers. The error counts the ids that no vertex has.
func (t *TripTable) vertices(ctx context.Context, n *names) ([]uint32, error) {
	const none = ^uint32(0)
	of := slices.Repeat([]uint32{none}, t.ids.count())
	same := map[int]int{} // ids that are others, written in another way
	if err := t.ids.meet(ctx, n, func(i, as int) { same[i] = as }, func(i int, v uint32) { of[i] = v }); err != nil {
		return nil, err
	}
	for i, as := range same {
		of[i] = of[as]
	}
	return of, t.ids.holdKnown("Options.Trips", func(i int) bool { return of[i] != none })
}

// completeTrips has the question be about the table, and refuses what no table is for.
func (o *Options) completeTrips() error {
	o.Question.Trips.Unit, o.Question.Trips.Total = "", 0 // which reading finds out
	if o.Trips != nil {
		o.Question.Trips.Column = o.Trips.names[2]
	}
	switch {
	case !o.Question.HasTrips() && o.Unrouted != nil:
		return fmt.Errorf("%w: Options.Output.Unrouted: there is no table of trips; Options.Trips names it", ErrOptions)
	case !o.Question.HasTrips():
		return nil
	case o.Trips == nil:
		return fmt.Errorf("%w: the question is about trips %q, and there is no table of them: Options.Trips", ErrOptions, o.Question.Trips.Column)
	case len(o.Files.By) > 0:
		return fmt.Errorf("%w: Options.Trips together with Options.Files.By: a table of trips does not say which graph its ids are of", ErrOptions)
	case o.Files.Bipartite:
		return fmt.Errorf("%w: Options.Trips together with Options.Files.Bipartite: a table of trips does not say which side its ids are of", ErrOptions)
	}
	return nil
}

// trips are the rows of the table, in a unit that asked then has; nil: the question is about none.
func (r *run) trips(ctx context.Context, asked *question.Question, of *names) ([]preprocess.Trip, error) {
	if !asked.HasTrips() {
		return nil, nil
	}
	t := r.opts.Trips
	const row = 16 + 3*8 // as it is summed up, and its number in decimal
	if err := r.need(r.named(of)-r.sets+row*int64(len(t.rows))+4*int64(t.ids.count()), "read trips"); err != nil {
		return nil, err
	}
	vertices, err := t.vertices(ctx, of)
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
	list := make([]preprocess.Trip, len(t.rows))
	for i, row := range t.rows {
		list[i] = preprocess.Trip{Source: vertices[row[0]], Target: vertices[row[1]], Count: units.Masses[i]}
	}
	list = preprocess.SumTrips(list)
	column := &TripColumn{Column: asked.Trips.Column, Unit: cmp.Or(units.Unit, "1"), Rows: len(t.rows), Pairs: len(list), Rounding: units.Error, Rounded: units.Rounded,
		Sum: tripOne(*asked).of(float64(units.Total))}
	r.stats.Demand = &Demand{Trips: column, Unit: flowUnit(*asked)}
	if units.Rounded > 0 {
		r.stats.Notes = append(r.stats.Notes, fmt.Sprintf("trips %q have more digits than fit together: %d rows are rounded to multiples of %s, by %.2g at most", column.Column, column.Rounded, column.Unit, column.Rounding))
	}
	return list, nil
}

// tripOne is what 1 stands for in sums of trips.
func tripOne(q question.Question) unit {
	return newUnit(building.Scale{Unit: q.Trips.Unit}.One())
}

// unrouted says which trips are on no path, and hands them over.
func (r *run) unrouted(ctx context.Context, p namedPlan) error {
	if !p.Question.HasTrips() {
		return nil
	}
	d, self := r.stats.Demand, 0
	d.Trips.Unrouted = len(p.Unrouted)
	for _, x := range p.Unrouted {
		if x.Source == x.Target {
			self++
		}
	}
	if self > 0 {
		r.stats.Notes = append(r.stats.Notes, fmt.Sprintf("trips from a vertex to itself, which pass no other: %d pairs, %v trips", self, d.Self))
	}
	if others := len(p.Unrouted) - self; others > 0 {
		r.stats.Notes = append(r.stats.Notes, fmt.Sprintf("trips between vertices that no path joins: %d pairs, %v trips", others, d.NoPath))
	}
	if r.opts.Unrouted == nil {
		return nil
	}
	columns, one := r.opts.Trips.names, tripOne(p.Question)
	counts, pairs := make(tables.Floats, len(p.Unrouted)), &tables.Pairs{Names: [2]string{columns[0], columns[1]}}
	for i, x := range p.Unrouted {
		pairs.Ends[0], pairs.Ends[1] = append(pairs.Ends[0], x.Source), append(pairs.Ends[1], x.Target)
		counts[i] = one.of(float64(x.Count))
	}
	table := p.names.Table()
	table.Pairs, table.Columns = pairs, []tables.Column{{Name: columns[2], Values: counts}}
	return r.opts.Unrouted(ctx, table)
}
