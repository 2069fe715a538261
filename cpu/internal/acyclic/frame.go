package acyclic

import "math"

// lanes is how many sources are searched together: a cache line of 16-bit numbers.
const lanes = 32

// Distances of vertices that a lane has not reached. Adding a length to them does not overflow.
const (
	farShort  = 1 << 14
	farNarrow = 1 << 30
	farWide   = 1 << 62
)

// fullCount is a path count that may not fit its 16 bits.
const fullCount = math.MaxUint16

// frame is the part of a search that kernels see. Lane i is source i of the group; a mask has
// one bit per lane. Rows are by vertex.
type frame struct {
	arcs

	list []uint32 // vertices reached, in topological order

	short  []int16 // rows of distances, of one of these types
	narrow []int32
	wide   []int64
	limit  int64 // the largest distance that counts

	// For kernels in assembly, which take distances of 16 bits and of 32:
	isNarrow bool // distances have 32 bits
	many     bool // path counts are in rows, not in counts
	sends    bool // flows are computed

	counts []uint16  // rows of path counts, while they fit
	rows   []float64 // rows of S, after the backward sweep of c; 0 in lanes that do not reach the vertex
	full   uint32    // lanes with a count that does not fit

	met          []uint32  // lanes that reach the vertex, as relax finds
	start        []uint32  // lanes whose source this is
	weight       []float64 // target mass
	multiplicity []float64 // nil: all 1
	scores       []float64
	byLane
	flowing
	drawing
}

type arcs struct {
	offsets []int64
	targets []uint32
	lengths []int64 // by arc
}

// byLane has numbers of the sources.
type byLane struct {
	source  [lanes]float64 // source mass
	most    [lanes]float64 // largest path count, if counted in rows
	reached [lanes]float64 // target mass of the vertices that a lane reaches, its source left out
	away    [lanes]float64 // the same times their distance
	got     [lanes]float64 // sum of D, the source's left out
	own     [lanes]float64 // D of the source
}

type flowing struct {
	arcFlow []uint32  // by arc: its edge
	flows   []float64 // by edge
	flowGot float64   // sum of flow times length
}

type drawing struct {
	draws          [lanes]float64 // Block.Draws of the sources
	drawn, squares []float64      // by vertex, if the block has Draws
	linear         bool
}

// distance is the type of distances.
type distance interface{ int16 | int32 | int64 }
