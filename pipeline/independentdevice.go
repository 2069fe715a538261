package pipeline

import (
	"context"
	"fmt"

	"bcstage/internal/cpu/independent"
	"bcstage/internal/csr"
	"bcstage/internal/gpu/opened"
	"bcstage/internal/measures"
)

// independent finds the independent set on the first device if EngineGPU or a number asks for one:
// a device takes longer to start than cores take for all of it. If the device fails or its set is
// not independent, the cores do it.
func (p *planner) independent() func(context.Context, *csr.Graph) ([]uint32, error) {
	if !asksForDevices(p.opts.Engine, p.opts.Device) || !p.opts.Question.Asks(measures.IndependentSet) {
		return nil
	}
	return func(ctx context.Context, g *csr.Graph) ([]uint32, error) {
		set, by, err := p.opts.independentOnDevice(ctx, g)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			p.stats.Warnings = append(p.stats.Warnings, fmt.Sprintf("the independent set was found by the cores: %v", err))
			return nil, nil
		}
		p.stats.Notes = append(p.stats.Notes, "the independent set was found by device "+by)
		return set, nil
	}
}

func (o *Options) independentOnDevice(ctx context.Context, g *csr.Graph) (set []uint32, by string, err error) {
	devices, err := o.startSearches(ctx)
	if err != nil {
		return nil, "", err
	}
	defer devices.Close()
	device := devices.Devices[0]
	if set, err = device.Independent(ctx, g); err == nil {
		err = independent.Check(ctx, g, set, o.Threads)
	}
	if err != nil {
		err = fmt.Errorf("device %s: %w", device.Name(), err)
	}
	return set, device.Name(), err
}

// asksForDevices reports whether the options demand devices.
func asksForDevices(engine Engine, devices string) bool {
	return engine == EngineGPU || engine != EngineCPU && devices != "all" && devices != "cpu"
}

func (o *Options) startSearches(ctx context.Context) (*opened.Set, error) {
	if open := o.openSearches; open != nil {
		return open(ctx)
	}
	if o.Devices == nil {
		return nil, errNoStarter
	}
	return o.Devices.Searches(ctx, o.Device)
}
