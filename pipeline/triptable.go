package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
)

// TripTable gives the amount from each vertex to each: see Options.Trips. Rows of equal pairs add up.
type TripTable struct {
	ids   *VertexSet
	rows  [][2]uint32 // by row: numbers of both ids
	trips tables.KeptColumn
	names [3]string
}

// TripColumns returns the usual names of the columns of a table of trips.
func TripColumns() [3]string { return [3]string{"origin", "destination", "trips"} }

// readTrips is arrowio.ReadTrips.
type readTrips = func(ctx context.Context, files tables.Options, columns [3]string, take func(origins, destinations tables.Keys, trips tables.KeptValues, of tables.GroupColumn) error) error

// ReadTripTable reads a table of trips with read, which is arrowio.ReadTrips. Every format with columns will do. Its
// memory counts in files.Budget.
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

// TripTableOf makes a table of integers: trips[i] go from origins[i] to destinations[i].
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

// held is the memory of the table after so many more rows with some ids.
func (t *TripTable) held(ids building.Keys, rows int, trips tables.KeptValues) int64 {
	return t.ids.ids.Bytes(ids) + hashing(t.ids.count()+ids.Len()) + 2*8*int64(len(t.rows)+rows) + t.trips.Held(0, trips)
}

// add adds rows whose ids are known.
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

// close computes the hash of all ids.
func (t *TripTable) close() { t.ids.close() }

// vertices returns the vertices of the ids, by their numbers. The error counts the ids without a vertex.
func (t *TripTable) vertices(ctx context.Context, n *names) ([]uint32, error) {
	of, _, err := t.ids.met(ctx, n)
	if err != nil {
		return nil, err
	}
	return of, t.ids.holdKnown("Options.Trips", func(i int) bool { return of[i] != csr.None })
}
