package lanes

// kernels are the inner loops over frontier entries for rows of a number of lanes
// that is a power of two, eight or more: frame.rowBytes says which. Rows hold S until the way back has passed, then c.
//
// Every kernel of a precision gives the same bits: sums run in the order of the
// neighbours, nothing but a flow is fused, and the lanes of a score are added as in
// scoreSum.
type kernels[T float32 | float64] struct {
	// forward finds out which lanes of mask[i] reach vertex[i] from the level
	// here, by the arcs that lead to the vertex, for from <= i < to, stores their S, seen and next and adds to
	// reached. Entries that some lane reaches move up to out, out+1, ..., with
	// those lanes as mask. The return value is where the moved entries end.
	forward func(f *frame, rows []T, from, to, out int) int

	// backward computes D and c in the lanes mask[i] of vertex[i], for from <= i
	// < to, from the c of the level next, by the arcs that lead there, adds to
	// scores and got, and marks the entries in here.
	backward func(f *frame, rows []T, from, to int)

	// backwardDrawn is backward for a block that has Draws: targets count by share of
	// their mass, D is stretch times what the rows add up to, and drawn and squares
	// are added to as scores are. It may be backward, if that sees that drawn is there.
	backwardDrawn func(f *frame, rows []T, from, to int)

	// backwardFlows is backward that adds to flows, too: of an arc, the products of
	// source, S and the c of the vertex that it leads to. Rows of float32 have no such kernel.
	backwardFlows func(f *frame, rows []T, from, to int)
}

// rowKernels are the kernels of a precision: for rows of any number of lanes, and for those of
// MaxLanes, which nearly all batches have.
type rowKernels[T float32 | float64] struct{ any, full kernels[T] }

// of is the kernels for rows of so many lanes.
func (k *rowKernels[T]) of(lanes int) kernels[T] {
	if lanes == MaxLanes {
		return k.full
	}
	return k.any
}

// Set is the kernels of one instruction set.
type Set struct {
	Name    string // avx512, avx2 or go
	float64 rowKernels[float64]
	float32 rowKernels[float32]

	line     lineKernels   // of float64
	entries  *entryKernels // likewise
	linesOut *entryKernels // of the way out that byLines goes by entries; nil: it goes by lines

	WideEntries bool // undirected blocks go by entries where they can, however many rows they have, and not line by line

	SumFlows FlowSums
}

// Portable is the set of all processors and the twin of every other.
func Portable() Set {
	return Set{
		Name: "go",
		line: goLineKernels(), entries: portableEntries(), linesOut: portableEntries(), SumFlows: sumFlows,
		float64: rowKernels[float64]{goKernels[float64](), goKernels[float64]()},
		float32: rowKernels[float32]{goKernels[float32](), goKernels[float32]()},
	}
}

// scoreSum adds eight partial sums: lane i went to sum i%8.
func scoreSum(p *[8]float64) float64 {
	return ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7]))
}
