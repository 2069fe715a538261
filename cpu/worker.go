package cpu

import (
	"context"
	"fmt"

	"bcstage/cpu/internal/chains"
	"bcstage/cpu/internal/distances"
	"bcstage/cpu/internal/lengths"
	"bcstage/cpu/internal/meshes"
	"bcstage/cpu/internal/roads"
	"bcstage/cpu/internal/streets"
	"bcstage/pipeline/engine"
	"bcstage/preprocess"
)

// Options of New. The zero value asks for the defaults.
type Options struct {
	Precision engine.Precision // "": Float64

	// Kernels is the instruction set to use: avx512, avx2 or go. Empty: the
	// fastest that the processor has. The scores do not depend on it.
	Kernels string
}

// Worker is one processor core's share of the computation. A Worker keeps the
// state of one batch and reuses the memory from batch to batch. A Worker is for one goroutine
// at a time; its plan may be shared.
type Worker struct {
	Plan *preprocess.Plan // set before Run

	kernels   kernelSet
	search    runner
	lines     *byLines          // of blocks with many rows; nil in float32
	entries   runner            // of blocks whose vertices come in few levels of a batch; nil in float32
	meshes    runner            // of meshes
	drawn     runner            // of meshes whose sources are drawn; nil in float32
	asked     *preprocess.Block // a block
	byLanes   runner            // which of the searches by lanes has it
	flows     *search[float64]  // of other blocks that have flows, in either precision, and in float64 of all
	meshFlows *meshFlows        // of those that are meshes
	chains    chains.Search     // of blocks that have chains
	lengths   *lengths.Search   // of blocks whose arcs have lengths
	streets   streets.Search    // of blocks that have both
	distances byBits            // of blocks that are searched for distances alone
	roads     *roads.Search     // of those laid out as roads
}

// runner computes batches.
type runner interface {
	Run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error)
}

// byDistance computes batches of blocks whose arcs have lengths and that are searched
// for distances alone.
type byDistance struct{ *lengths.Search }

func (s byDistance) Run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	return s.RunDistances(ctx, b, batch)
}

// byBits computes batches of blocks without lengths that are searched for distances alone: with a
// bit for each source, or of meshes with a number for each.
type byBits struct {
	*distances.Search
	meshes *meshes.Distances
	asked  *preprocess.Block // a block
	isMesh bool              // whether it is one
}

func (s *byBits) Run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	if s.asked != b {
		isMesh, err := s.meshes.Suits(ctx, b)
		if err != nil {
			return preprocess.Result{}, err
		}
		s.asked, s.isMesh = b, isMesh
	}
	if s.isMesh {
		return s.meshes.Run(ctx, b, batch)
	}
	return s.Search.Run(ctx, b, batch)
}

var _ engine.Engine = (*Worker)(nil)

// New makes a worker for the batches of plan, which may also be set later.
func New(plan *preprocess.Plan, opts Options) (*Worker, error) {
	set, err := chooseKernels(opts.Kernels)
	if err != nil {
		return nil, err
	}
	portableOnly := set.name == portable().name
	w := &Worker{Plan: plan, kernels: set, flows: &search[float64]{sets: set.float64, sumFlows: set.sumFlows}, lengths: lengths.New(portableOnly), roads: roads.New(portableOnly)}
	w.distances.Search, w.distances.meshes = distances.New(portableOnly), meshes.NewDistances(portableOnly)
	w.meshFlows = &meshFlows{Search: meshes.New[float64](portableOnly), sums: set.sumFlows}
	switch opts.Precision {
	case engine.Float64, "":
		w.search = w.flows
		w.meshes = meshes.New[float64](portableOnly)
		w.drawn = meshes.NewDrawn(portableOnly)
		w.lines = newByLines(set, listRoom, entriesEach)
		w.entries = newByEntries(*set.entries, set.sumFlows, entriesEach, w.search)
	case engine.Float32:
		w.search = &search[float32]{sets: set.float32}
		w.meshes = meshes.New[float32](portableOnly)
	default:
		return nil, fmt.Errorf("cpu: unknown precision %q", opts.Precision)
	}
	return w, nil
}

// laneSearch is what searches a block by lanes, asked once for all batches of a block that
// follow each other.
func (w *Worker) laneSearch(b *preprocess.Block) runner {
	if w.asked != b {
		w.asked, w.byLanes = b, w.search
		switch mesh := isMesh(b); {
		case w.drawn != nil && isDrawnMesh(b):
			w.byLanes = w.drawn
		case mesh && b.Flows != nil:
			w.byLanes = w.meshFlows
		case mesh:
			w.byLanes = w.meshes
		case w.lines != nil && isByLines(b) && w.kernels.byLines(b):
			w.byLanes = w.lines
		case w.entries != nil && isByEntries(b):
			w.byLanes = w.entries
		case b.Flows != nil:
			w.byLanes = w.flows
		}
	}
	return w.byLanes
}

// Touch has the system give the memory that blocks of up to so many vertices take that are searched for
// distances alone, by bits.
func (w *Worker) Touch(vertices int) { w.distances.Touch(vertices) }

func chooseKernels(name string) (kernelSet, error) {
	sets := kernelSets()
	if name == "" {
		return sets[0], nil
	}
	for _, set := range sets {
		if set.name == name {
			return set, nil
		}
	}
	return kernelSet{}, fmt.Errorf("cpu: no kernels %q on this processor", name)
}

// Run takes batches until take returns none and hands each result to done. A
// result's slices are overwritten by the next batch. Run ends early with the
// context's error or the one that done returns. Equal batches give equal bits,
// whichever worker computes them.
func (w *Worker) Run(ctx context.Context, take engine.Take, done engine.Done) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		batches := take(ctx, 1)
		if len(batches) == 0 {
			return nil
		}
		for _, batch := range batches {
			block := &w.Plan.Blocks[batch.Block]
			var search runner
			switch {
			case block.Roads != nil:
				search = w.roads
			case block.Distances && block.Lengths != nil:
				search = byDistance{w.lengths}
			case block.Distances:
				search = &w.distances
			case block.Chains != nil && block.Lengths != nil:
				search = &w.streets
			case block.Chains != nil:
				search = &w.chains
			case block.Lengths != nil:
				search = w.lengths
			default:
				search = w.laneSearch(block)
			}
			result, err := search.Run(ctx, block, batch)
			if err != nil {
				return err
			}
			if err := done(result); err != nil {
				return err
			}
		}
	}
}
