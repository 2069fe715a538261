package pipeline

import (
	"context"

	"bcstage/gpu"
	"bcstage/preprocess"
)

// startOpenCL opens the OpenCL devices of a run.
func startOpenCL(ctx context.Context, opts Options) (deviceSet, error) {
	options := gpu.Options{Strategy: gpu.Strategy(opts.Strategy), Mdeg: opts.Mdeg}
	if opts.Precision == Float32 {
		options.Precision = gpu.Float32
	}
	session, err := gpu.Open(ctx, opts.Device, options)
	if err != nil {
		return nil, err
	}
	return openCL{session}, nil
}

var precisions = map[gpu.Precision]Precision{gpu.Float64: Float64, gpu.Float32: Float32}

// openCL is a session as the schedule sees it.
type openCL struct{ session *gpu.Session }

func (o openCL) engines(ctx context.Context, plan *preprocess.Plan, surveys gpu.Surveys) ([]deviceEngine, error) {
	engines, err := o.session.Engines(ctx, plan, surveys)
	if err != nil {
		return nil, err
	}
	list := make([]deviceEngine, len(engines))
	for i, engine := range engines {
		list[i] = openCLEngine{engine}
	}
	return list, nil
}

func (o openCL) close() error { return o.session.Close() }

type openCLEngine struct{ *gpu.Engine }

func (e openCLEngine) name() string           { return e.Name() }
func (e openCLEngine) accepts(block int) bool { return e.Accepts(block) }

// choices says how the device deals with each block that is large enough.
func (e openCLEngine) choices() []DeviceChoice {
	list := e.Choices()
	choices := make([]DeviceChoice, len(list))
	for i, c := range list {
		choices[i] = DeviceChoice{
			Device:    e.Name(),
			Block:     c.Block,
			Vertices:  c.Vertices,
			Strategy:  string(c.Strategy),
			Precision: precisions[c.Precision],
			Lanes:     c.Lanes,
			Packs:     c.Packs,
			WorkGroup: c.WorkGroup,
			Reason:    c.Reason,
			Declined:  c.Declined,
		}
	}
	return choices
}
