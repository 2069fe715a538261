package meshes

import "bcstage/preprocess"

// lanes is the number of sources that one search holds: the bits of a mask. A row has so
// many numbers.
const lanes = preprocess.MaxLanes

// frame is what the kernels see of a search. Vertices go by their ranks: their places in
// breadth-first order from the first source of the batch. Lane i is source i of the
// batch, or the first source again if there are fewer; a mask has one bit per lane. Rows,
// by rank and lane, hold S until the way back has passed, then c.
type frame struct {
	order   []uint32 // vertex, by rank
	offsets []uint32 // by rank: where its targets begin; and where the last ones end
	targets []uint32 // ranks of neighbours, in the order that the block has them in

	levels []uint16 // by rank, place of a lane: the level that the vertex is in; of short ones, two in each
	sums   []uint32 // by rank: of its levels
	done   []uint64 // by rank: lanes whose S is there

	// If distances alone are asked for, sums are over several rows of levels, and so are these.
	most    []uint32 // by rank: the largest of its levels
	inverse []uint64 // by rank: the sum of their inverses
	digits  []uint8  // of the inverses of short levels: see digitsOf

	weight       []float64 // target mass, by vertex
	multiplicity []float64 // by vertex; nil: all 1
	scores       []float64 // by vertex

	// Visits, in the order of the way out. A vertex that is visited once in all lanes
	// has slot 0, and every other one its own.
	rank []uint32
	mask []uint64 // lanes whose S the visit computes
	slot []uint32 // twice that of the vertex, and 1 more at its first visit; only where not all lanes are in the mask

	sent     []float64    // by slot, lane: D, weighted with the mass of the source
	buckets  [][8]float64 // by level, lane mod 8: room for the parts of a score, all 0
	list     []uint32     // room for the neighbours of one vertex that take part
	listMask []uint64     // and for their lanes

	// What goes over edges, of a block with Flows.
	slots    []uint32       // by arc, beside targets: the number of its edge; nil: none of this is asked for
	flows    []float64      // by edge
	listSlot []uint32       // beside list
	listFlow []float64      // likewise, four for each: room for sums over the lanes four apart
	sending  [lanes]float64 // room for what the vertex of a visit sends: the mass of the source times S

	everyLane uint64         // lanes with a source of their own
	perLane   [lanes]uint16  // by place: sum of levels, of measure
	source    [lanes]float64 // source mass of each source
	got       [lanes]float64 // by lane: sum of D
	visits    int            // from margin on
	ahead     int            // how many visits ahead of one the levels of its vertex are asked for
	rowLoads  int64

	// For drawn sources: a target at distance d counts 1/x of its mass, and a vertex there
	// stretch * x of its D, x being slope * d + level.
	parts                 [][4]float64        // by rank: sums over lanes of D, weighted with the masses of sources, of D and of its square, with their draws, and the last again
	draws                 [DrawnLanes]float64 // of each source
	from                  [DrawnLanes]float64 // level of each source
	slope, level, stretch float64
}

// place is where a row of levels has a lane: of every four groups of eight lanes, the two
// in the middle have changed places, so that instructions which make one vector of two,
// half by half, put lanes in their order.
func place(lane int) int { return lane&^24 | lane>>1&8 | lane<<1&16 }

func (f *frame) levelsOf(r uint32) *[lanes]uint16 { return (*[lanes]uint16)(f.levels[int(r)*lanes:]) }

func (f *frame) neighbours(r uint32) []uint32 { return f.targets[f.offsets[r]:f.offsets[r+1]] }
