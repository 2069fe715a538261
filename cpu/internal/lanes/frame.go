package lanes

// MaxLanes is the largest number of sources of a search: the bits of a mask.
const MaxLanes = 64

// frame is the part of a search that kernels see. Lane i is source i of the batch; a
// mask has one bit per lane.
type frame struct {
	offsets      []int64
	targets      []uint32
	inOffsets    []int64 // of the reversed arcs; undirected: offsets and targets again
	inTargets    []uint32
	weight       []float64 // target mass
	multiplicity []float64 // nil: all 1

	seen []uint64 // by vertex: lanes that have reached the vertex
	here []uint64 // by vertex: lanes that have the vertex in the current level
	next []uint64 // by vertex: lanes that have the vertex in the next level, farther from the sources

	vertex []uint32 // of each frontier entry, level by level
	mask   []uint64 // of each frontier entry

	list     []uint32 // room for the neighbours of one vertex that contribute
	listMask []uint64 // and for their lanes

	parts [][2]uint32 // by entry of a search line by line: where its rows begin and end in the list
	line  lineFrame

	sums [][lineLanes]float64 // by entry: eight parts of its score, kept until all lines are done; nil: scores are added up at once

	rowBytes int // of one row
	rowLoads int64
	scores   []float64         // by vertex
	source   [MaxLanes]float64 // source mass of each source
	reached  [MaxLanes]float64 // by lane: sum of target mass over the vertices of a level
	got      [MaxLanes]float64 // by lane: sum of D
	hop      [4]float64        // equal numbers: the part of c that counts one level before, 1 but in relative blocks

	// For backwardFlows:
	slots    []uint32  // by arc: its edge; nil: flows are not wanted
	listSlot []uint32  // room for the edges to the neighbours that contribute
	listFlow []float64 // and for four parts of the flow over each, all 0 between entries
	flows    []float64 // by edge
	// Sums that assembly kernels have no registers for, by lane:
	lineSums [MaxLanes]float64

	// For backwardDrawn:
	drawn   []float64         // by vertex
	squares []float64         // by vertex
	draws   [MaxLanes]float64 // of each source
	share   [MaxLanes]float64 // by lane: share of their mass that targets of the current level count
	stretch [MaxLanes]float64 // D over D', by lane

	// For a search by entries: see byEntries.
	counts    []uint16         // by entry, lane: S, and 0 in the lanes that the entry does not have
	entryHere []uint32         // on the forward pass, by vertex: its entry in the level here
	entryNext []uint32         // likewise in the level next
	many      map[int]float64  // by entry*MaxLanes + lane: S, where counts has manyPaths
	most      [16]uint16       // the largest of counts, in sixteen parts
	mass      [MaxLanes]uint32 // takes the place of reached
}
