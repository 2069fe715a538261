package gpu

import (
	_ "embed"
	"math/bits"
	"slices"

	"bcstage/preprocess"
)

// What goes over the edges of a block with Flows is added up by arc by strategies level, ragged and solo (see
// over.go), and otherwise after both passes, by
// kernels/flows.cl: a wave's rows then hold c, and S, which a method's kernel of the name
// send makes of D. Strategy level does so, too, where a block's vertices have few edges: it has no arcs that are read
// on the way back by 32 work-items at once (see patches.go), and most of what a pass of its own reads lies in caches;
// counts that are kept in 32 bits are S already. A result asks for the sums of its own packs.

//go:embed kernels/flows.cl
var flowsSource string

// levelPlanes are the bits that are kept of the level of a lane's vertex, one of them
// being whether the lane has reached it. Where edges run both ways, levels of neighbours
// are told apart by two; an arc may lead back by any number of levels.
func (s shape) levelPlanes() int {
	if !s.ways {
		return 1 + 2
	}
	return 1 + bits.Len(uint(s.levels+2))
}

// flowSizes are the bytes of what a wave of a block with Flows keeps.
func (s shape) flowSizes() map[string]int64 {
	if s.edges == 0 {
		return nil
	}
	words := int64(s.packs) * int64(s.words)
	sizes := map[string]int64{"Flows": int64(s.edges) * 8}
	if s.arrives() {
		sizes["Arrived"] = 2 * words * team * 8
	}
	if s.arcs > 0 {
		sizes["Cells"] = int64(s.packs) * int64(s.arcs) * 8
	} else {
		sizes["Depths"] = words * int64(s.vertices) * int64(s.levelPlanes()) * 4
	}
	return sizes
}

// flowsSum is the call of kernels/flows.cl.
type flowsSum struct {
	Edges, N, Planes         uint32
	First, Last, Begin, Arcs uint32
	EdgeFrom, EdgeTo, EdgeOf buffer
	Depths, SourceMass       buffer
	Paths, Shares            buffer
	Flows                    buffer
}

// edgeParts are the edges of a block with Flows, those of a vertex together, and their
// numbers.
func edgeParts(b *preprocess.Block) []part {
	each := rowsGrain(b)
	begins := make([]int, (b.Vertices()+each-1)/each+1) // of the edges of so many vertices
	inGrains(b.Vertices(), each, func(first, end int) {
		for v := first; v < end; v++ {
			begins[first/each+1] += len(edgesFrom(b, v))
		}
	})
	for i := range begins[1:] {
		begins[i+1] += begins[i]
	}
	count := begins[len(begins)-1]
	from, to, of := make([]uint32, count), make([]uint32, count), make([]uint32, count)
	inGrains(b.Vertices(), each, func(first, end int) {
		at := begins[first/each]
		for v := first; v < end; v++ {
			list := edgesFrom(b, v)
			for i, u := range list {
				from[at+i], to[at+i] = uint32(v), u
			}
			copy(of[at:], b.Flows.Of[int(b.Offsets[v+1])-len(list):b.Offsets[v+1]])
			at += len(list)
		}
	})
	return []part{{"EdgeFrom", bytesOf(from)}, {"EdgeTo", bytesOf(to)}, {"EdgeOf", bytesOf(of)}}
}

// edgesFrom are the ends of the edges that are listed with a vertex: without directions, the
// vertices after it, which its row ends with.
func edgesFrom(b *preprocess.Block, v int) []uint32 {
	row := b.Neighbours(uint32(v))
	if b.Directed() {
		return row
	}
	first, _ := slices.BinarySearch(row, uint32(v))
	return row[first:]
}

// send launches a method's kernel of that name, as tally does, which has rows hold S
// again, and adds up what target mass each source has reached. arrived has these sums.
func (s *stream) send(call any) error {
	if err := s.tally(call); err != nil {
		return err
	}
	words := s.shape.packs * s.shape.words
	return s.launch(foldParts{Words: uint32(words), Chunks: uint32(s.shape.chunks()), Sums: s.memory["Arrived"]}, words, 1)
}

// flowBytes is how much memory the rows of the packs take, at most, that one launch goes
// through: what caches hold.
const flowBytes = 32 << 20

// flowsOf delivers what goes over edges from packs first..end-1, and the two sides of its check.
func (s *stream) flowsOf(first, end int, r *preprocess.Result) error {
	shape := s.shape
	if shape.edges == 0 {
		return nil
	}
	sum := s.rowFlows
	if shape.arcs > 0 {
		sum = s.overArcs
	}
	if err := sum(first, end); err != nil {
		return err
	}
	s.room.Wait()
	s.flows = s.flows[:shape.edges]
	if err := s.queue.read(s.memory["Flows"], 0, bytesOf(s.flows)); err != nil {
		return err
	}
	r.Flows, r.FlowGot = s.flows, sumOf(s.flows)
	r.FlowWant = s.flowsWanted(first, end)
	return nil
}

// makeRoom has room for so many numbers that a stream is to read, and writes there for the first time, for which the system
// takes as long as to read them from the device: others do that while the device searches. s.room is to wait for.
func makeRoom[E any](s *stream, of *[]E, count int) {
	if cap(*of) >= count {
		return
	}
	list := make([]E, count)
	*of = list
	s.room.Go(func() { clear(list) })
}

// arrives says whether a device has to find out what target mass sources reach.
func (s shape) arrives() bool { return s.edges > 0 && !(s.whole && s.arcs > 0) }

// flowsWanted is what flows from packs first..end-1 add up to: for each pair of a source and a target, its masses times its
// distance, which is one more than paths have vertices between their ends.
func (s *stream) flowsWanted(first, end int) (sum float64) {
	shape, b, all := s.shape, s.task.block, len(s.seating.source)
	if shape.together { // sums are not told apart by source; but those of D by mass are scores
		for v, score := range s.scores {
			if b.Multiplicity != nil {
				score *= b.Multiplicity[v]
			}
			sum += score
		}
	}
	targets := total(b.To)
	for lane := first * shape.lanes(); lane < end*shape.lanes(); lane++ {
		reached := 0.0
		switch source := s.seating.source[lane]; {
		case shape.arrives():
			reached = s.arrived[all+lane]
		case source != noLane:
			reached = targets - b.To[source]
		}
		if !shape.together {
			reached += s.sums[all+lane]
		}
		sum += s.seating.mass[lane] * reached
	}
	return sum
}

// sumOf adds up on all cores, in parts that do not depend on their number.
func sumOf(list []float64) (sum float64) {
	sums := make([]float64, (len(list)+grain-1)/grain)
	onAllCores(len(list), func(first, end int) {
		var parts [4]float64 // none of which waits for another
		for i, x := range list[first:end] {
			parts[i%4] += x
		}
		sums[first/grain] = (parts[0] + parts[1]) + (parts[2] + parts[3])
	})
	for _, x := range sums {
		sum += x
	}
	return sum
}

// rowFlows has the flows of packs first..end-1 on the device, of what rows hold.
func (s *stream) rowFlows(first, end int) error {
	shape := s.shape
	group := s.group()
	number := shape.number // bytes of a path count
	if shape.narrow {
		number = 4
	}
	each := max(flowBytes/(shape.vertices*shape.lanes()*(shape.number+number)), 1)
	for at := first; at < end; at += each {
		call := flowsSum{
			Edges: uint32(shape.edges), N: uint32(shape.vertices), Planes: uint32(shape.levelPlanes()),
			First: uint32(at), Last: uint32(min(at+each, end)),
		}
		if shape.narrow {
			call.Paths = s.memory["Counts"]
		}
		if shape.ways {
			call.Arcs = 1
		}
		if at == first {
			call.Begin = 1
		}
		if err := s.launch(call, (shape.edges+group-1)/group, 1); err != nil {
			return err
		}
	}
	return nil
}
