// Package opened has devices that are opened for distances and independent sets.
package opened

import (
	"context"

	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
)

// Searcher searches from several sources at once.
type Searcher interface {
	// Lanes is the most sources of a Run.
	Lanes() int
	// Run calls emit with the rows of each source, in their order.
	Run(ctx context.Context, sources []uint32, emit func(searches.Rows) error) error
}

// Set is a set of devices opened for distances.
type Set struct {
	Devices []Device
	Failed  []error // why other devices are missing
}

// Device is a device of a Set.
type Device interface {
	Name() string
	// Search puts a graph on the device, for distances in hops, or by lengths if it has them, up to the
	// cutoff (below 0: all), from these sources. threads goroutines make rows, in memory of spare. Without
	// an error, the choice says what the search takes.
	Search(ctx context.Context, g *csr.Graph, cutoff int64, sources []uint32, threads int, spare *searches.Spare) (Searcher, engine.Choice, error)
	// Independent finds a maximal independent set: see preprocess.Options.
	Independent(ctx context.Context, g *csr.Graph) ([]uint32, error)
	Close()
}

// Close closes the devices; a nil set has none.
func (s *Set) Close() {
	if s == nil {
		return
	}
	for _, d := range s.Devices {
		d.Close()
	}
}
