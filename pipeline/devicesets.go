package pipeline

import (
	"context"

	"bcstage/cpu/searches"
	"bcstage/gpu"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// deviceSet is started devices, before they know a plan: a gpu.Session.
type deviceSet interface {
	// Engines puts the plan on the devices: see gpu.Session.
	Engines(ctx context.Context, plan *preprocess.Plan, surveys gpu.Surveys) ([]engine.Device, error)
	Close() error
}

// searcher searches from several sources at once.
type searcher interface {
	// Lanes is the most sources of a Run.
	Lanes() int
	// Run calls emit with the rows of each source, in their order.
	Run(ctx context.Context, sources []uint32, emit func(searches.Rows) error) error
}

// searchSet is opened devices.
type searchSet struct {
	devices []searchDevice
	failed  []error // why others are not among them
}

// searchDevice is one of them.
type searchDevice interface {
	Name() string
	// Search has a graph on the device, for hops, or lengths if it has them, up to the
	// cutoff (below 0: all), from these sources; threads make rows, of spare memory. The choice says what
	// it takes, if there is no error.
	Search(ctx context.Context, g *preprocess.Graph, cutoff int64, sources []uint32, threads int, spare *searches.Spare) (searcher, DeviceChoice, error)
	// Independent finds a maximal independent set: see preprocess.Options.
	Independent(ctx context.Context, g *preprocess.Graph) ([]uint32, error)
	Close()
}
