package gpu

import (
	"context"

	"bcstage/cpu/searches"
	onedevice "bcstage/gpu/searches"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// Starter starts devices for a run: OpenCL does. Who asks for one by this interface alone, as
// package pipeline does, is built without engines and kernels where nobody hands it OpenCL.
type Starter interface {
	// Start starts the selected devices: see Open.
	Start(ctx context.Context, selection string, options Options) (Set, error)
	// Searches opens them for distances: see OpenEach.
	Searches(ctx context.Context, selection string) (*SearchSet, error)
}

// Set is started devices, before they know a plan: a Session.
type Set interface {
	// Engines puts the plan on the devices: see Session.
	Engines(ctx context.Context, plan *preprocess.Plan, surveys Surveys) ([]engine.Device, error)
	Close() error
}

// Searcher searches from several sources at once.
type Searcher interface {
	// Lanes is the most sources of a Run.
	Lanes() int
	// Run calls emit with the rows of each source, in their order.
	Run(ctx context.Context, sources []uint32, emit func(searches.Rows) error) error
}

// SearchSet is devices that are opened for distances.
type SearchSet struct {
	Devices []SearchDevice
	Failed  []error // why others are not among them
}

// SearchDevice is one of them.
type SearchDevice interface {
	Name() string
	// Search has a graph on the device, for hops, or lengths if it has them, up to the
	// cutoff (below 0: all), from these sources; threads make rows, of spare memory. The choice says what
	// it takes, if there is no error.
	Search(ctx context.Context, g *preprocess.Graph, cutoff int64, sources []uint32, threads int, spare *searches.Spare) (Searcher, engine.Choice, error)
	// Independent finds a maximal independent set: see preprocess.Options.
	Independent(ctx context.Context, g *preprocess.Graph) ([]uint32, error)
	Close()
}

// Close closes the devices; a nil set has none.
func (s *SearchSet) Close() {
	if s == nil {
		return
	}
	for _, d := range s.Devices {
		d.Close()
	}
}

// OpenCL starts OpenCL devices.
type OpenCL struct{}

func (OpenCL) Start(ctx context.Context, selection string, options Options) (Set, error) {
	session, err := Open(ctx, selection, options)
	if err != nil {
		return nil, err // not a nil session, which would be a Set to close
	}
	return session, nil
}

func (OpenCL) Searches(ctx context.Context, selection string) (*SearchSet, error) {
	list, failed, err := OpenEach(ctx, selection)
	if err != nil {
		return nil, err
	}
	set := &SearchSet{Failed: failed}
	for _, d := range list {
		set.Devices = append(set.Devices, &openCLSearch{Single: d, on: onedevice.New(d)})
	}
	return set, nil
}

// openCLSearch is an OpenCL device.
type openCLSearch struct {
	Single
	on     *onedevice.Searches
	search interface{ Release() } // nil: none
}

func (o *openCLSearch) Name() string { return o.Label }

func (o *openCLSearch) Search(ctx context.Context, g *preprocess.Graph, cutoff int64, sources []uint32, threads int, spare *searches.Spare) (Searcher, engine.Choice, error) {
	o.on.Spare = spare
	if g.HasLengths() {
		s, err := o.on.NewByLengths(ctx, g, cutoff, sources[0], threads)
		if err != nil {
			return nil, engine.Choice{}, err
		}
		o.search = s
		return s, engine.Choice{Strategy: string(s.Strategy()), Lanes: 1, Packs: 1, WorkGroup: s.Group(), Bytes: s.Bytes(), Reason: "asked for"}, nil
	}
	s, err := o.on.NewLanes(g, cutoff, len(sources), threads)
	if err != nil {
		return nil, engine.Choice{}, err
	}
	o.search = s
	return s, engine.Choice{Strategy: "lanes", Lanes: s.Lanes(), Packs: 1, WorkGroup: s.Group(), Bytes: s.Bytes(), Reason: "asked for"}, nil
}

func (o *openCLSearch) Independent(ctx context.Context, g *preprocess.Graph) ([]uint32, error) {
	return o.on.Independent(ctx, g)
}

func (o *openCLSearch) Close() {
	if o.search != nil {
		o.search.Release()
	}
	o.on.Release()
	o.Single.Close()
}
