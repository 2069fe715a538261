package lanes

// kernels are the inner loops over frontier entries. The number of lanes of a row is
// a power of two, eight or more (frame.rowBytes). Rows hold S until the backward pass reaches them, then c.
//
// All kernels of a precision give the same bits. Sums run in the order of the neighbours, and the lanes of a score are
// added as in scoreSum. No operation is fused, except for flows and with hop.
type kernels[T float32 | float64] struct {
	// forward finds, for from <= i < to, the lanes of mask[i] that reach vertex[i] from the level
	// here by an in-arc. It stores their S, seen and next, and adds to
	// reached. Entries that some lane reaches move to out, out+1, ..., with
	// those lanes as mask. forward returns where the moved entries end.
	forward func(f *frame, rows []T, from, to, out int) int

	// backward computes D and c of the entries from..to-1, in the lanes of their masks.
	// It sums the c of their successors in the level next. It adds to
	// scores and got, and marks the entries in here.
	backward func(f *frame, rows []T, from, to int)

	// backwardDrawn is backward for a block with Draws or Decay: targets count with a share of their mass. If the frame
	// has drawn, D is stretch times the sum of the rows, and drawn and squares are added up as scores are.
	// It may be the same kernel as backward, which then multiplies by share, 1 in other blocks.
	backwardDrawn func(f *frame, rows []T, from, to int)

	// backwardFlows is backward that also adds to the flow of each arc: the products of
	// source, S, and the c of the arc's end. Rows of float32 have no such kernel. Of float64, this and backwardDrawn
	// take S from counts, if the frame has any.
	backwardFlows func(f *frame, rows []T, from, to int)
}

// rowKernels are the kernels of a precision: for rows of any number of lanes, and for rows of
// MaxLanes, as nearly all batches have.
type rowKernels[T float32 | float64] struct{ any, full kernels[T] }

// of returns the kernels for rows of so many lanes.
func (k *rowKernels[T]) of(lanes int) kernels[T] {
	if lanes == MaxLanes {
		return k.full
	}
	return k.any
}

// Set holds the kernels of one instruction set.
type Set struct {
	Name    string // avx512, avx2 or go
	float64 rowKernels[float64]
	float32 rowKernels[float32]

	line     lineKernels   // of float64
	entries  *entryKernels // likewise
	linesOut *entryKernels // for a forward pass of byLines by entries; nil: it runs by lines

	WideEntries bool // undirected blocks are searched by entries where possible, and not line by line, however many rows they have

	SumFlows FlowSums
}

// Portable returns the set that runs on all processors, the twin of all others.
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
