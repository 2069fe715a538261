package pipeline

import (
	"context"
	"fmt"
	"time"

	"bcstage/cpu/searches"
	"bcstage/gpu"
	onedevice "bcstage/gpu/searches"
	"bcstage/preprocess"
)

// Devices that Distances uses: those that are asked for. By themselves cores are as
// fast, since most of the time goes into rows, which cores make either way.

func (s *searchSet) close() {
	if s == nil {
		return
	}
	for _, d := range s.devices {
		d.Close()
	}
}

// openSearches opens OpenCL devices.
func openSearches(ctx context.Context, selection string) (*searchSet, error) {
	list, failed, err := gpu.OpenEach(ctx, selection)
	if err != nil {
		return nil, err
	}
	set := &searchSet{failed: failed}
	for _, d := range list {
		set.devices = append(set.devices, &openCLSearch{Single: d, on: onedevice.New(d)})
	}
	return set, nil
}

// openCLSearch is an OpenCL device.
type openCLSearch struct {
	gpu.Single
	on     *onedevice.Searches
	search interface{ Release() } // nil: none
}

func (o *openCLSearch) Name() string { return o.Label }

func (o *openCLSearch) Search(ctx context.Context, g *preprocess.Graph, cutoff int64, sources []uint32, threads int, spare *searches.Spare) (searcher, DeviceChoice, error) {
	o.on.Spare = spare
	if g.HasLengths() {
		s, err := o.on.NewByLengths(ctx, g, cutoff, sources[0], threads)
		if err != nil {
			return nil, DeviceChoice{}, err
		}
		o.search = s
		return s, DeviceChoice{Strategy: string(s.Strategy()), Lanes: 1, Packs: 1, WorkGroup: s.Group(), Bytes: s.Bytes(), Reason: "asked for"}, nil
	}
	s, err := o.on.NewLanes(g, cutoff, len(sources), threads)
	if err != nil {
		return nil, DeviceChoice{}, err
	}
	o.search = s
	return s, DeviceChoice{Strategy: "lanes", Lanes: s.Lanes(), Packs: 1, WorkGroup: s.Group(), Bytes: s.Bytes(), Reason: "asked for"}, nil
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

// open opens the devices, beside reading, if they are asked for.
func (d *distances) open(ctx context.Context) error {
	if !asksForDevices(d.engine, d.opts.Device) {
		d.opened <- nil
		return nil
	}
	set, err := d.openSearches(ctx)
	d.opened <- set
	return err
}

// asksForDevices is whether cores alone would not be what was asked for.
func asksForDevices(engine Engine, devices string) bool {
	return engine == EngineGPU || engine != EngineCPU && devices != "all" && devices != "cpu"
}

func (r *run) openSearches(ctx context.Context) (*searchSet, error) {
	if open := r.opts.openSearches; open != nil {
		return open(ctx)
	}
	return openSearches(ctx, r.opts.Device)
}

// waitForDevices has the devices that are asked for.
func (d *distances) waitForDevices(ctx context.Context) (err error) {
	return timed(&d.stats.Seconds.DeviceWait, time.Now(), func() error {
		d.devices, err = receive(ctx, d.opened)
		return err
	})
}

// onDevices are the searches of devices that take the graph, each with its place in
// stats.Engines, and how many bytes of the room on the host they take. Why others do not
// is in the statistics.
func (d *distances) onDevices(ctx context.Context, g *preprocess.Graph, sources []uint32, room int64) (list []searcher, taken int64) {
	if d.devices == nil || len(sources) == 0 {
		return nil, 0
	}
	for _, err := range d.devices.failed {
		d.stats.Warnings = append(d.stats.Warnings, err.Error())
	}
	for _, device := range d.devices.devices {
		var search searcher
		var choice DeviceChoice
		var err error
		threads := d.opts.Threads // make rows of what it finds
		for threads > 1 && onedevice.HostBytes(g, threads) > room-taken {
			threads--
		}
		rows := onedevice.HostBytes(g, threads)
		switch {
		case d.paths:
			choice.Declined = "cores count paths"
		case rows > room-taken:
			choice.Declined = fmt.Sprintf("its rows take %s of memory, there are %s", bytesText(rows), bytesText(room-taken))
		default:
			if search, choice, err = device.Search(ctx, g, d.limit(), sources, threads, &d.spare.rows); err != nil {
				choice.Declined = err.Error()
			}
		}
		choice.Device, choice.Vertices, choice.Edges, choice.Precision = device.Name(), g.Vertices(), g.Edges(), Float64
		d.stats.DeviceChoices = append(d.stats.DeviceChoices, choice)
		if choice.Declined == "" {
			list, taken = append(list, search), taken+rows
			d.stats.Engines = append(d.stats.Engines, EngineStat{Name: device.Name()})
		}
	}
	return list, taken
}

// deviceTakes searches on a device from what is left. If it fails, instead searches from
// the sources of its batch behind those that are done. The error is instead's, or the
// context's.
func (q *queue) deviceTakes(ctx context.Context, device searcher, share *EngineStat, instead func(b batch, done int) error) error {
	for {
		b, err := q.take(ctx, device.Lanes())
		if err != nil || len(b.sources) == 0 {
			return err
		}
		done := 0
		err = device.Run(ctx, b.sources, func(r searches.Rows) error {
			done++
			return b.give(ctx, rows{Rows: r})
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q.done(share, done)
		if err == nil && done < len(b.sources) {
			err = fmt.Errorf("rows of %d of %d sources", done, len(b.sources))
		}
		if err != nil {
			share.Failed = err.Error()
			return instead(b, done)
		}
	}
}
