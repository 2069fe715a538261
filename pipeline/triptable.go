package pipeline

import (
	"context"
	"fmt"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
)

// TripTable gives the amount from each vertex to each: see Options.Trips. Rows of equal pairs add up.
type TripTable struct {
	idPairs
	trips   tables.KeptColumn
	names   [3]string
	dropped int // rows with a null
}

// TripColumns returns the usual names of the columns of a table of trips.
func TripColumns() [3]string { return [3]string{"origin", "destination", "trips"} }

// readTrips is arrowio.ReadTrips.
type readTrips = func(ctx context.Context, files tables.Options, columns [3]string, take func(ids []tables.Keys, trips tables.KeptValues, of tables.GroupColumn) error) (dropped int64, err error)

// ReadTripTable reads a table of trips with read, which is arrowio.ReadTrips. Every format with columns will do. Columns
// of files.By name the graph of each row, where a run has several. The table's memory counts in files.Budget.
func ReadTripTable(ctx context.Context, read readTrips, files tables.Options, columns [3]string) (*TripTable, error) {
	t := &TripTable{idPairs: newIDPairs(files.By...), names: columns}
	hold := holding(files.Budget, func() string {
		return fmt.Sprintf("trips %s: after %d rows", strings.Join(files.Paths, " "), len(t.rows))
	})
	dropped, err := read(ctx, files, columns, func(ids []tables.Keys, trips tables.KeptValues, of tables.GroupColumn) error {
		t.trips.Name, t.trips.Type = of.Name, of.Type
		room := func(ids building.Keys, rows int) error { return hold(t.held(ids, rows) + t.trips.Held(0, trips)) }
		texts := make([]building.Keys, len(ids))
		for i := range ids {
			texts[i] = building.Keys(ids[i])
		}
		if err := t.add(room, texts[:2]...); err != nil {
			return err
		}
		if err := t.name(texts[2:]); err != nil {
			return err
		}
		t.trips.Append(trips, nil)
		return hold(t.held(building.Keys{}, 0) + t.trips.Held(0, tables.KeptValues{}))
	})
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	t.close()
	t.dropped = int(dropped)
	return t, nil
}

// TripTableOf makes a table of integers: trips[i] go from origins[i] to destinations[i].
func TripTableOf[K Integer](origins, destinations []K, trips []int64) *TripTable {
	t := &TripTable{idPairs: idPairsOf(origins, destinations), names: TripColumns()}
	t.trips.Name, t.trips.Type = t.names[2], tables.Int64IDs()
	t.rows = t.rows[:len(trips)]
	for _, count := range trips {
		t.trips.Keys.Ints = append(t.trips.Keys.Ints, uint64(count))
	}
	return t
}
