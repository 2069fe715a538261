package meshes

import (
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/pages"
)

// lanes is the largest number of sources of a search: the bits of a mask, and the numbers of
// a row.
const lanes = engine.MaxLanes

// frame is the part of a search that kernels see. Vertices are named by rank: their place in
// breadth-first order from the first source of the batch. Lane i is source i of the
// batch, or the first source again if there are fewer; a mask has one bit per lane. Rows,
// by rank and lane, hold S until the backward pass reaches them, then c.
type frame struct {
	order []uint32 // vertex, by rank
	// The arcs of the current pass: from predecessors on the way forward, to successors on the way back.
	offsets []uint32 // by rank: where its targets begin; and where the last ones end
	targets []uint32 // ranks of neighbours, in the order of the block

	levels []uint16 // by rank, lane: the vertex's level, or two short levels
	sums   []uint32 // by rank: of its levels
	done   []uint64 // by rank: lanes whose S is known

	// For distances alone, sums and these run over several rows of levels.
	most    []uint32 // by rank: the largest of its levels
	inverse []uint64 // by rank: the sum of their inverses
	digits  []uint8  // of the inverses of short levels: see digitsOf

	weight       []float64 // target mass, by vertex
	multiplicity []float64 // by vertex; nil: all 1
	scores       []float64 // by vertex

	// Visits, in the order of the forward pass. A vertex that is visited once in all lanes
	// has slot 0, and every other one its own.
	rank []uint32
	mask []uint64 // lanes whose S the visit computes
	slot []uint32 // twice the vertex's slot, plus 1 at its first visit; only for visits without all lanes

	sent     []float64    // by slot, lane: D, weighted with the mass of the source
	buckets  [][8]float64 // by level, lane mod 8: room for the parts of a score, all 0
	list     []uint32     // room for the neighbours of one vertex that contribute
	listMask []uint64     // and for their lanes

	// For blocks with Flows:
	slots    []uint32       // by arc, beside targets: the number of its edge; nil: no flows are needed
	flows    []float64      // by edge
	listSlot []uint32       // beside list
	listFlow []float64      // likewise, four for each: room for sums over every fourth lane
	sending  [lanes]float64 // room for the mass of each source times S of the visited vertex

	everyLane uint64         // lanes with a source of their own
	perLane   [lanes]uint16  // sum of levels, of measure
	weighed   [lanes]float64 // sum of levels times target masses, likewise
	weighs    bool           // whether measure adds to it
	source    [lanes]float64 // source mass of each source
	got       [lanes]float64 // by lane: sum of D

	// The share of its mass that the vertex of a visit counts in each lane is in row ^visit & shareMask. One level before, c
	// counts for hop of itself. The numbers sent from vertices of a level count for its shareOf. Both are 1 except in
	// relative blocks.
	shares    [shareRows * lanes]float64
	shareMask uint64
	hop       [4]float64 // equal numbers
	shareOf   []float64  // by level, and one more

	visits   int // where visits end; they begin at margin
	ahead    int // how many visits ahead kernels prefetch levels
	rowLoads int64

	// For drawn sources. Let x be slope * d + level: a target at distance d counts 1/x of its
	// mass, and a vertex there stretch * x of its D.
	parts                 [][4]float64        // by rank, sums over lanes: of D by source mass; of D, and of its square twice, by draws
	draws                 [DrawnLanes]float64 // of each source
	from                  [DrawnLanes]float64 // level of each source
	slope, level, stretch float64
}

func (f *frame) levelsOf(r uint32) *[lanes]uint16 { return (*[lanes]uint16)(f.levels[int(r)*lanes:]) }

// arcs are those of a block, one way.
type arcs struct {
	offsets, targets []uint32 // as in frame
}

func (f *frame) neighbours(r uint32) []uint32 { return f.targets[f.offsets[r]:f.offsets[r+1]] }

func (a *arcs) neighbours(r uint32) []uint32 { return a.targets[a.offsets[r]:a.offsets[r+1]] }

// resize makes room for a graph.
func (a *arcs) resize(g *csr.Graph) {
	a.offsets, a.targets = pages.Resize(a.offsets, g.Vertices()+1), pages.Resize(a.targets, len(g.Targets))
}
