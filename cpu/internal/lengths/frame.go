package lengths

// lanes is how many sources are searched together: the numbers of 32 bits of a
// cache line.
const lanes = 16

// shortLanes is how many are searched together for distances alone that 16 bits hold.
const shortLanes = 32

const (
	farShort = 1<<15 - 1 // where a sum of distances and lengths of 16 bits ends

	// farNarrow and farWide are the distance of what a lane has not reached. It and a
	// length make no overflow, and no arc from what the lane has reached leads as far: see farthest.
	farNarrow = 1 << 30
	farWide   = 1 << 62
)

// arcs of a graph: those of v are offsets[v]..offsets[v+1]-1.
type arcs struct {
	offsets []int64
	targets []uint32
	lengths []int64
}

// links are the arcs on shortest paths that meet a vertex, by its rank: of rank r
// those from first[r] to first[r+1]-1.
type links struct {
	first []int64
	rank  []uint32 // of the other end
	mask  []uint16 // lanes that have the arc on a shortest path
}

// frame is what the kernels see of a search. Lane i is source i of the group; a mask
// has one bit per lane. Rows of distances are by vertex, everything after them is
// by rank.
type frame struct {
	out, in arcs // and the same arcs by the vertex that they lead to

	short  []int16 // rows of distances, of shortLanes each
	narrow []int32 // rows of distances, if they fit
	wide   []int64 // if they do not

	order []uint32 // vertex of each rank
	rank  []uint32 // rank of each vertex

	changed []uint32 // room: neighbours whose rows have changed

	before links // arcs that lead to a vertex
	after  links // arcs that leave it

	start   []uint16 // lanes whose source this is
	counted []uint16 // lanes that have their path count
	passed  []uint16 // lanes that have their dependency

	rows         []float64 // S, from the way back on c
	weight       []float64 // by vertex: target mass
	multiplicity []float64 // by vertex; nil: all 1
	scores       []float64 // by vertex
	source       [lanes]float64
	reached      [lanes]float64 // target mass of the vertices that a lane has reached
	most         [lanes]float64 // largest path count
	got          [lanes]float64 // dependency of the source itself

	rowLoads int64

	draws          [lanes]float64 // Block.Draws of the sources
	drawn, squares []float64      // by vertex, where a block has those; else nil
}
