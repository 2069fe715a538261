package cpu

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bcstage/cpu/internal/acyclic"
	"bcstage/cpu/internal/alone"
	"bcstage/cpu/internal/balls"
	"bcstage/cpu/internal/chains"
	"bcstage/cpu/internal/dial"
	"bcstage/cpu/internal/distances"
	"bcstage/cpu/internal/lanes"
	"bcstage/cpu/internal/lengths"
	"bcstage/cpu/internal/meshes"
	"bcstage/cpu/internal/roads"
	"bcstage/cpu/internal/streets"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// kinds are some kinds of blocks.
type kinds []engine.Kind

// walk is one way to search a block on a processor core. A new walk is a package in internal, an entry in
// walks, its tests, and a line in the package's documentation. All other code uses the table.
type walk struct {
	name  string // in options, choices and documentation
	kinds kinds  // of blocks that it searches

	// suits says why the walk cannot search a block of these kinds, or "" if it can. nil: it can search all. A forced walk must
	// meet this condition, too.
	suits func(b *preprocess.Block, on core) string
	// pays says whether the walk should search a block that it suits, and why. The answer depends on the plan and
	// the set, not on the machine's load, so that equal batches give equal bits. nil: always.
	pays func(b *preprocess.Block, on core) (bool, string)
	// why is the reason where pays is nil.
	why string
	// bytes returns the memory that the walk needs for a block, with batches of Block.Lanes sources.
	bytes func(b *preprocess.Block, on core) int64
	// new makes the search that computes batches.
	new func(on core) lanes.Search

	sets   []string // instruction sets that it has kernels for, beside Go
	narrow bool     // it keeps 32-bit numbers if Float32 is requested; others keep float64

	// unfit is the error of a batch that exceeds the range of the walk. The walk aside then takes
	// the batch and the rest of its block. nil: every batch fits.
	unfit error
	aside string

	// parts says that the walk also searches parts of blocks, for the walk balls: it does not depend on the order of vertices.
	parts bool
}

// core is the instruction set and the precision of a processor core.
type core struct {
	set       lanes.Set
	precision engine.Precision
}

// portable says that only kernels in Go are used.
func (on core) portable() bool { return on.set.Name == lanes.Portable().Name }

// narrow says that 32-bit numbers are requested.
func (on core) narrow() bool { return on.precision == engine.Float32 }

// walks returns all walks. The first one that suits a block and pays searches it.
func walks() []walk {
	rowSets, wideSets := []string{"avx2", "avx512"}, []string{"avx2"}
	chainBytes := func(b *preprocess.Block, _ core) int64 { return chains.Bytes(b, b.Lanes) }
	newChains := func(core) lanes.Search { return new(chains.Search) }
	return []walk{
		{
			name: "alone", kinds: kinds{engine.KindHops}, suits: suitsAlone, pays: paysAlone,
			bytes: func(b *preprocess.Block, _ core) int64 { return alone.Bytes(b) + flowSumsBytes(b) },
			new:   func(on core) lanes.Search { return &flowSums{Search: new(alone.Search), sums: on.set.SumFlows} },
		},
		{
			name: "alone-lengths", kinds: kinds{engine.KindLengths, engine.KindLengthReach}, suits: suitsAloneLengths, pays: paysAloneLengths, sets: []string{"avx512"},
			bytes: func(b *preprocess.Block, _ core) int64 { return dial.Bytes(b) + flowSumsBytes(b) },
			new:   func(on core) lanes.Search { return &flowSums{Search: dial.New(on.set.Name), sums: on.set.SumFlows} },
		},
		{
			name: "streets", kinds: kinds{engine.KindLengths}, suits: suitsStreets, pays: paysAsStreets, sets: wideSets,
			bytes: streetBytes,
			new:   func(on core) lanes.Search { return streets.New(on.portable()) },
		},
		{
			name: "balls", kinds: kinds{engine.KindHops, engine.KindLengths, engine.KindReach, engine.KindLengthReach}, suits: suitsBalls, pays: paysByBalls, sets: rowSets, narrow: true,
			bytes: ballBytes,
			new:   func(on core) lanes.Search { return balls.New(newPartWorker(on).search) },
		},
		{
			name: "acyclic", kinds: kinds{engine.KindHops, engine.KindLengths}, suits: suitsAcyclic, pays: paysAcyclic, sets: rowSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return acyclic.Bytes(b) },
			new:   func(on core) lanes.Search { return acyclic.New(on.set.Name) },
		},
		{
			name: "mesh-draws", kinds: kinds{engine.KindHops}, suits: suitsMeshDraws, pays: paysAsMesh, sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return meshes.DrawnBytes(b) },
			new:   func(on core) lanes.Search { return meshes.NewDrawn(on.portable()) },
		},
		{
			name: "meshes", kinds: kinds{engine.KindHops}, suits: suitsMeshes, pays: paysAsMesh, sets: rowSets, // float64 in either precision: float32 is slower there
			bytes: meshBytes,
			new: func(on core) lanes.Search {
				return &flowSums{Search: meshes.New(on.set.Name), sums: on.set.SumFlows}
			},
		},
		{
			name: "lines", kinds: kinds{engine.KindHops}, suits: suitsLines, pays: paysByLines, sets: rowSets,
			bytes: func(b *preprocess.Block, on core) int64 { return lanes.LinesBytes(b, on.set) },
			new:   func(on core) lanes.Search { return lanes.NewLines(on.set) },
		},
		{
			name: "entries", kinds: kinds{engine.KindHops}, suits: suitsEntries, pays: paysByEntries, sets: rowSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return lanes.EntriesBytes(b) },
			new:   func(on core) lanes.Search { return lanes.NewEntries(on.set) },
			unfit: lanes.ErrManyPaths, aside: "rows",
			parts: true,
		},
		{
			name: "rows", kinds: kinds{engine.KindHops}, why: "no other walk gains here", sets: rowSets, narrow: true,
			bytes: func(b *preprocess.Block, on core) int64 { return lanes.RowsBytes(b, on.narrow()) },
			new:   func(on core) lanes.Search { return lanes.NewRows(on.set, on.narrow()) },
			parts: true,
		},
		{
			name: "chains", kinds: kinds{engine.KindChains}, why: "few junctions",
			bytes: chainBytes, new: newChains,
		},
		{
			name: "chain-lengths", kinds: kinds{engine.KindChainLengths}, why: "few junctions",
			bytes: chainBytes, new: newChains,
		},
		{
			name: "lengths", kinds: kinds{engine.KindLengths}, why: "arcs have lengths", sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return lengths.Bytes(b) },
			new:   func(on core) lanes.Search { return lengths.New(on.portable()) },
			parts: true,
		},
		{
			name: "acyclic-reach", kinds: kinds{engine.KindReach, engine.KindLengthReach}, suits: suitsAcyclicReach, pays: paysAcyclicReach, sets: rowSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return acyclic.DistanceBytes(b) },
			new:   func(on core) lanes.Search { return acyclicReach{acyclic.New(on.set.Name)} },
		},
		{
			name: "mesh-reach", kinds: kinds{engine.KindReach}, suits: suitsMeshReach, pays: paysAsMeshReach, sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return meshes.DistanceBytes(b) },
			new:   func(on core) lanes.Search { return meshes.NewDistances(on.portable()) },
			unfit: meshes.ErrDeep, aside: "reach",
		},
		{
			name: "reach", kinds: kinds{engine.KindReach}, why: "a bit for each source is enough", sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return distances.Bytes(b) },
			new:   func(on core) lanes.Search { return distances.New(on.portable()) },
			parts: true,
		},
		{
			name: "length-reach", kinds: kinds{engine.KindLengthReach}, why: "arcs have lengths", sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return lengths.DistanceBytes(b) },
			new:   func(on core) lanes.Search { return byDistance{lengths.New(on.portable())} },
			parts: true,
		},
		{
			name: "chain-reach", kinds: kinds{engine.KindChainReach}, why: "few junctions", sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return roads.Bytes(b) },
			new:   func(on core) lanes.Search { return roads.New(on.portable()) },
		},
	}
}

// partWalks returns the walks that search parts of blocks.
func partWalks() []walk { return slices.DeleteFunc(walks(), func(w walk) bool { return !w.parts }) }

// byDistance computes distances alone in blocks whose arcs have lengths.
type byDistance struct{ *lengths.Search }

func (s byDistance) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	return s.RunDistances(ctx, b, batch)
}

// acyclicReach computes distances alone in blocks with few arcs on cycles.
type acyclicReach struct{ *acyclic.Search }

func (s acyclicReach) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	return s.RunDistances(ctx, b, batch)
}

// refuses says why the walk cannot search a block, or "" if it can.
func (w *walk) refuses(b *preprocess.Block, on core) string {
	switch {
	case !slices.Contains(w.kinds, b.Kind()):
		return "the walk searches blocks of kind " + strings.ReplaceAll(strings.Trim(fmt.Sprint(w.kinds), "[]"), " ", " or ")
	case w.suits == nil:
		return ""
	}
	return w.suits(b, on)
}
