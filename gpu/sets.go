package gpu

import (
	"context"

	"bcstage/gpu/internal/driver"
	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/gpu/opened"
	onedevice "bcstage/internal/gpu/searches"
	"bcstage/preprocess"
)

// Starter starts devices for a run: On does. A program that uses only this interface, as package pipeline
// does, is built without engines and kernels unless it passes On.
type Starter interface {
	// Start starts the selected devices: "" or "all" are all usable ones that are not a CPU, "0,2" those of these numbers.
	Start(ctx context.Context, selection string, options Options) (Set, error)
	// Searches opens the selected devices for distances.
	Searches(ctx context.Context, selection string) (*opened.Set, error)
	// Single opens one device for searches from one source at a time, the first of those selected. The caller
	// closes it.
	Single(selection string) (onedevice.Device, error)
}

// Set is started devices, before they know a plan.
type Set interface {
	// Engines puts the plan on the devices, one engine each, or two.
	Engines(ctx context.Context, plan *preprocess.Plan, surveys Surveys) ([]engine.Device, error)
	Close() error
}

// On starts the devices of a platform.
type On struct{ driver.Platform }

func (o On) Start(ctx context.Context, selection string, options Options) (Set, error) {
	session, err := openSelected(ctx, o.Platform, selection, options)
	if err != nil {
		return nil, err // not a nil session, which would be a Set to close
	}
	return session, nil
}

func (o On) Searches(ctx context.Context, selection string) (*opened.Set, error) {
	return openEach(ctx, o.Platform, selection)
}

func (o On) Single(selection string) (onedevice.Device, error) {
	chosen, err := selected(o.Platform, selection)
	if err != nil {
		return nil, err
	}
	return openSingle(o.Platform, chosen[0])
}

// searchDevice is an opened device as an opened.Device.
type searchDevice struct {
	onedevice.Device
	label  string // number and name, as engines are named
	on     *onedevice.Searches
	search interface{ Release() } // nil: none
}

func (d *searchDevice) Name() string { return d.label }

func (d *searchDevice) Search(ctx context.Context, g *csr.Graph, cutoff int64, sources []uint32, threads int, spare *searches.Spare) (opened.Searcher, engine.Choice, error) {
	d.on.Spare = spare
	if g.HasLengths() {
		s, err := d.on.NewByLengths(ctx, g, cutoff, sources[0], threads)
		if err != nil {
			return nil, engine.Choice{}, err
		}
		d.search = s
		return s, engine.Choice{Strategy: string(s.Strategy()), Lanes: 1, Packs: 1, WorkGroup: s.Group(), Bytes: s.Bytes(), Reason: "asked for"}, nil
	}
	s, err := d.on.NewLanes(g, cutoff, len(sources), threads)
	if err != nil {
		return nil, engine.Choice{}, err
	}
	d.search = s
	return s, engine.Choice{Strategy: "lanes", Lanes: s.Lanes(), Packs: 1, WorkGroup: s.Group(), Bytes: s.Bytes(), Reason: "asked for"}, nil
}

func (d *searchDevice) Independent(ctx context.Context, g *csr.Graph) ([]uint32, error) {
	return d.on.Independent(ctx, g)
}

func (d *searchDevice) Close() {
	if d.search != nil {
		d.search.Release()
	}
	d.on.Release()
	d.Device.Close()
}
