package cpu

import (
	"context"
	"slices"

	"bcstage/cpu/internal/acyclic"
	"bcstage/cpu/internal/balls"
	"bcstage/cpu/internal/chains"
	"bcstage/cpu/internal/distances"
	"bcstage/cpu/internal/lanes"
	"bcstage/cpu/internal/lengths"
	"bcstage/cpu/internal/meshes"
	"bcstage/cpu/internal/roads"
	"bcstage/cpu/internal/streets"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// walk is one way to search a block on a processor core. A new walk is a package in internal, an entry in
// walks, its tests, and a line in the package's documentation. All other code asks the table.
type walk struct {
	name string // what options, choices and documentation call it

	// suits says why the walk cannot search a block, or "" if it can: the least that a forced walk must meet.
	suits func(b *preprocess.Block, on core) string
	// pays says whether a block that the walk suits should go to it, and why. It follows from the plan and
	// the set, not from the machine's load, so that equal batches give equal bits. nil: always.
	pays func(b *preprocess.Block, on core) (bool, string)
	// why is the reason where pays is nil.
	why string
	// bytes is the memory that the walk comes to hold for a block in batches of Block.Lanes sources.
	bytes func(b *preprocess.Block, on core) int64
	// new makes what computes batches.
	new func(on core) lanes.Search

	sets   []string // instruction sets that it has kernels for, beside Go
	narrow bool     // it keeps numbers of 32 bits where Float32 is asked for; others keep float64

	// unfit is the error by which a batch shows that it is more than the walk can hold, and aside the walk that takes
	// the batch and the rest of its block. nil: every batch fits.
	unfit error
	aside string

	// parts says that the walk searches parts of blocks, too, for the walk balls: it asks nothing of the order of vertices.
	parts bool
}

// core is what a processor core computes with.
type core struct {
	set       lanes.Set
	precision engine.Precision
}

// portable says that kernels in Go alone are used.
func (on core) portable() bool { return on.set.Name == lanes.Portable().Name }

// narrow says that numbers of 32 bits are asked for.
func (on core) narrow() bool { return on.precision == engine.Float32 }

// walks are all there are. A block goes to the first that suits it and pays.
func walks() []walk {
	rowSets, wideSets := []string{"avx2", "avx512"}, []string{"avx2"}
	return []walk{
		{
			name: "balls", suits: suitsBalls, pays: paysByBalls, sets: rowSets, narrow: true,
			bytes: ballBytes,
			new:   func(on core) lanes.Search { return balls.New(newPartWorker(on).search) },
		},
		{
			name: "acyclic", suits: suitsAcyclic, pays: paysAcyclic, sets: rowSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return acyclic.Bytes(b) },
			new:   func(on core) lanes.Search { return acyclic.New(on.set.Name) },
		},
		{
			name: "mesh-draws", suits: suitsMeshDraws, pays: paysAsMesh, sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return meshes.DrawnBytes(b) },
			new:   func(on core) lanes.Search { return meshes.NewDrawn(on.portable()) },
		},
		{
			name: "meshes", suits: suitsMeshes, pays: paysAsMesh, sets: wideSets, // float64 in either precision: float32 is slower there
			bytes: meshBytes,
			new: func(on core) lanes.Search {
				return &meshFlows{Search: meshes.New(on.portable()), sums: on.set.SumFlows}
			},
		},
		{
			name: "lines", suits: suitsLines, pays: paysByLines, sets: rowSets,
			bytes: func(b *preprocess.Block, on core) int64 { return lanes.LinesBytes(b, on.set) },
			new:   func(on core) lanes.Search { return lanes.NewLines(on.set) },
		},
		{
			name: "entries", suits: suitsEntries, pays: paysByEntries, sets: rowSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return lanes.EntriesBytes(b) },
			new:   func(on core) lanes.Search { return lanes.NewEntries(on.set) },
			unfit: lanes.ErrManyPaths, aside: "rows",
			parts: true,
		},
		{
			name: "rows", suits: ofKind(preprocess.KindHops), why: "no other walk gains here", sets: rowSets, narrow: true,
			bytes: func(b *preprocess.Block, on core) int64 { return lanes.RowsBytes(b, on.narrow()) },
			new:   func(on core) lanes.Search { return lanes.NewRows(on.set, on.narrow()) },
			parts: true,
		},
		{
			name: "chains", suits: ofKind(preprocess.KindChains), why: "few junctions",
			bytes: func(b *preprocess.Block, _ core) int64 { return chains.Bytes(b, b.Lanes) },
			new:   func(core) lanes.Search { return new(chains.Search) },
		},
		{
			name: "chain-lengths", suits: ofKind(preprocess.KindChainLengths), why: "few junctions",
			bytes: func(b *preprocess.Block, _ core) int64 { return streets.Bytes(b, b.Lanes) },
			new:   func(core) lanes.Search { return new(streets.Search) },
		},
		{
			name: "lengths", suits: ofKind(preprocess.KindLengths), why: "arcs have lengths", sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return lengths.Bytes(b) },
			new:   func(on core) lanes.Search { return lengths.New(on.portable()) },
			parts: true,
		},
		{
			name: "mesh-reach", suits: suitsMeshReach, pays: paysAsMeshReach, sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return meshes.DistanceBytes(b) },
			new:   func(on core) lanes.Search { return meshes.NewDistances(on.portable()) },
			unfit: meshes.ErrDeep, aside: "reach",
		},
		{
			name: "reach", suits: ofKind(preprocess.KindReach), why: "a bit for each source is enough", sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return distances.Bytes(b) },
			new:   func(on core) lanes.Search { return distances.New(on.portable()) },
			parts: true,
		},
		{
			name: "acyclic-reach", suits: suitsAcyclicReach, why: "arcs make no cycle", sets: rowSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return acyclic.DistanceBytes(b) },
			new:   func(on core) lanes.Search { return acyclicReach{acyclic.New(on.set.Name)} },
		},
		{
			name: "length-reach", suits: ofKind(preprocess.KindLengthReach), why: "arcs have lengths", sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return lengths.DistanceBytes(b) },
			new:   func(on core) lanes.Search { return byDistance{lengths.New(on.portable())} },
			parts: true,
		},
		{
			name: "chain-reach", suits: ofKind(preprocess.KindChainReach), why: "few junctions", sets: wideSets,
			bytes: func(b *preprocess.Block, _ core) int64 { return roads.Bytes(b) },
			new:   func(on core) lanes.Search { return roads.New(on.portable()) },
		},
	}
}

// partWalks are those that search parts of blocks.
func partWalks() []walk { return slices.DeleteFunc(walks(), func(w walk) bool { return !w.parts }) }

// byDistance computes batches of blocks whose arcs have lengths and that are searched
// for distances alone.
type byDistance struct{ *lengths.Search }

func (s byDistance) Run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	return s.RunDistances(ctx, b, batch)
}

// acyclicReach does so where arcs make no cycle.
type acyclicReach struct{ *acyclic.Search }

func (s acyclicReach) Run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	return s.RunDistances(ctx, b, batch)
}

// ofKind suits all blocks of a kind.
func ofKind(kind preprocess.Kind) func(*preprocess.Block, core) string {
	return func(b *preprocess.Block, _ core) string {
		if b.Kind() != kind {
			return "the walk searches blocks of kind " + kind.String()
		}
		return ""
	}
}
