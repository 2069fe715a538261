package lanes

// MaxLanes is the number of sources that one search can hold: the bits of a mask.
const MaxLanes = 64

// frame is what the kernels see of a search. Lane i is source i of the batch; a
// mask has one bit per lane.
type frame struct {
	offsets      []int64
	targets      []uint32
	inOffsets    []int64 // of the arcs the other way round; undirected: offsets and targets again
	inTargets    []uint32
	weight       []float64 // target mass
	multiplicity []float64 // nil: all 1

	seen []uint64 // by vertex: lanes that have reached the vertex
	here []uint64 // by vertex: lanes that have the vertex in the level at hand
	next []uint64 // by vertex: lanes that have the vertex in the level after, farther from the sources

	vertex []uint32 // of each frontier entry, level by level
	mask   []uint64 // of each frontier entry

	list     []uint32 // room for the neighbours of one vertex that take part
	listMask []uint64 // and for their lanes

	parts [][2]uint32 // of each entry of a search line by line: where its rows begin in the list, and end
	line  lineFrame

	// For the dead ends of a search line by line, which are left out of it:
	deadEnds       []uint32
	deadEndOffsets []int64           // by dead end: where its predecessors begin
	deadEndTargets []uint32          // the predecessors of the first dead end, of the second, ..., and room to look ahead
	level          uint16            // that is being counted, counted down from levelZero
	near           []uint16          // by vertex, lane of the line at hand: likewise, the level that it is in, or 0; nil: nothing is left out
	more           []float64         // likewise: the c of the dead ends that paths lead to from there
	beyond         [MaxLanes]float64 // by lane: sum over dead ends of target mass times near of the nearest before

	sums [][lineLanes]float64 // likewise, for scores that lines are not added up to: eight parts of what the entry adds to its vertex's; nil: none

	rowBytes int // of one row
	rowLoads int64
	scores   []float64         // by vertex
	source   [MaxLanes]float64 // source mass of each source
	reached  [MaxLanes]float64 // by lane: sum of target mass over the vertices of a level
	got      [MaxLanes]float64 // by lane: sum of D

	// For backwardFlows:
	slots    []uint32  // by arc: its edge; nil: flows are not wanted
	listSlot []uint32  // room for the edges to the neighbours that take part
	listFlow []float64 // and for four parts of what goes over each, all 0 between entries
	flows    []float64 // by edge
	// What lines of kernels in assembly have no registers for, by lane from the first of four of them on:
	sent, lineSums [4 * lineLanes]float64

	// For backwardDrawn:
	drawn   []float64         // by vertex
	squares []float64         // by vertex
	draws   [MaxLanes]float64 // of each source
	share   [MaxLanes]float64 // of their mass, that targets in the level at hand count, by lane
	stretch [MaxLanes]float64 // D over D', by lane

	// For a search by entries: see byEntries.
	counts    []uint16          // by entry, lane: S, and 0 in the lanes that the entry does not have
	entryHere []uint32          // on the way out, by vertex: which entry it is of the level here
	entryNext []uint32          // likewise, of next
	many      map[int]float64   // by entry*MaxLanes + lane: S, where counts has manyPaths
	most      [16]uint16        // the largest of counts, in sixteen parts
	mass      [MaxLanes]float32 // what reached is elsewhere
}
