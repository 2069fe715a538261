package pipeline

import (
	"errors"
	"fmt"

	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// openCL is the set of a device's kernels.
const openCL = "opencl"

// coreChoices returns the walks of the cores; ErrOptions if Options.Walk suits no block of the
// plan.
func coreChoices(plan *preprocess.Plan, opts Options) (choices []Choice, err error) {
	chosen, err := cpu.Choices(plan, opts.core())
	if errors.Is(err, engine.ErrWalk) {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	for _, choice := range chosen {
		choices = append(choices, Choice{"cpu", choice})
	}
	return choices, err
}

// deviceChoices returns the strategies of a device, without the blocks that it declines.
func deviceChoices(plan *preprocess.Plan, chosen []DeviceChoice) (choices []Choice) {
	for _, c := range chosen {
		if c.Declined != "" {
			continue
		}
		b := &plan.Blocks[c.Block]
		choices = append(choices, Choice{c.Device, engine.WalkChoice{
			Block: c.Block, Blocks: 1, Kind: b.Kind().String(), Vertices: int64(b.Vertices()), Arcs: int64(len(b.Targets)),
			Walk: c.Strategy, Set: openCL, Precision: c.Precision, Why: c.Reason,
		}})
	}
	return choices
}
