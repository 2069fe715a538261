package pipeline

import (
	"context"
	"fmt"
	"time"

	"bcstage/internal/budget"
	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
	"bcstage/internal/gpu/opened"
	onedevice "bcstage/internal/gpu/searches"
	"bcstage/internal/parallel"
)

// Devices that Distances uses, if they are asked for. Otherwise cores search: they are as fast,
// since most of the time goes into rows, which cores make either way.

// open opens the devices while edges are read, if they are asked for.
func (d *distances) open(ctx context.Context) error {
	if !asksForDevices(d.engine, d.opts.Device) {
		d.opened <- nil
		return nil
	}
	set, err := d.opts.startSearches(ctx)
	d.opened <- set
	return err
}

// waitForDevices receives the devices that were asked for.
func (d *distances) waitForDevices(ctx context.Context) (err error) {
	return timed(&d.stats.Seconds.DeviceWait, time.Now(), func() error {
		d.devices, err = parallel.Receive(ctx, d.opened)
		return err
	})
}

// onDevices returns the searches of the devices that take the graph, each with its place in
// stats.Engines, and the bytes of host memory that they take. The statistics say why other devices
// decline.
func (d *distances) onDevices(ctx context.Context, g *csr.Graph, sources []uint32, room int64) (list []opened.Searcher, taken int64) {
	if d.devices == nil || len(sources) == 0 {
		return nil, 0
	}
	for _, err := range d.devices.Failed {
		d.stats.Warnings = append(d.stats.Warnings, err.Error())
	}
	for _, device := range d.devices.Devices {
		var search opened.Searcher
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
			choice.Declined = fmt.Sprintf("its rows need %s of memory, %s are free", budget.Text(rows), budget.Text(room-taken))
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

// deviceTakes searches on a device while sources are left. If the device fails, instead searches
// from the unfinished sources of its batch. The error is instead's, or the context's.
func (q *queue) deviceTakes(ctx context.Context, device opened.Searcher, share *EngineStat, instead func(b batch, done int) error) error {
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
