package lengths

// lanes is how many sources are searched together: the 32-bit numbers of a
// cache line.
const lanes = 16

// shortLanes is how many sources are searched together for distances alone in 16 bits.
const shortLanes = 32

const (
	farShort = 1<<15 - 1 // the value at which sums of distances and lengths in 16 bits saturate

	// farNarrow and farWide are distances of vertices that a lane has not reached. Adding a length to them
	// does not overflow, and the distance of a reached vertex plus a length is less: see farthest.
	farNarrow = 1 << 30
	farWide   = 1 << 62
)

// arcs are the arcs of a graph: v has arcs offsets[v]..offsets[v+1]-1.
type arcs struct {
	offsets []int64
	targets []uint32
	lengths []int64
}

// links are the arcs on shortest paths on one side of a vertex, by its rank: rank r has
// links first[r]..first[r+1]-1.
type links struct {
	first []int64
	rank  []uint32 // of the other end
	mask  []uint16 // lanes that have the arc on a shortest path
}

// frame is the part of a search that kernels see. Lane i is source i of the group; a mask
// has one bit per lane. Rows of distances are by vertex, everything after them is
// by rank.
type frame struct {
	out, in arcs // in has the same arcs by their end

	short  []int16 // rows of distances, of shortLanes each
	narrow []int32 // rows of distances, if they fit
	wide   []int64 // if they do not

	order []uint32 // vertex of each rank
	rank  []uint32 // rank of each vertex

	changed []uint32 // room: neighbours whose rows have changed

	before links // in-arcs of a vertex
	after  links // out-arcs of a vertex

	start   []uint16 // lanes whose source this is
	counted []uint16 // lanes that have their path count
	passed  []uint16 // lanes that have their dependency

	rows         []float64 // S, then c from the backward sweep on
	weight       []float64 // by vertex: target mass
	multiplicity []float64 // by vertex; nil: all 1
	scores       []float64 // by vertex
	byLane

	rowLoads int64

	drawing
}

// byLane has numbers of the sources.
type byLane struct {
	source  [lanes]float64 // source mass
	reached [lanes]float64 // target mass of the vertices that a lane has reached
	most    [lanes]float64 // largest path count
	got     [lanes]float64 // dependency of the source itself
	counts  []float64      // copy of rows before the backward sweep, in a block with Flows
	flowing []float64      // likewise: the flow over each link of a rank

	sown     []float64 // rows of target masses beside weight: that of rank r is number r & sownRows
	sownRows uint64
	shares   []float64 // by distance: the share of the target mass; nil: all 1
}

type drawing struct {
	draws          [lanes]float64 // Block.Draws of the sources
	drawn, squares []float64      // by vertex, if a block has Draws; else nil
}
