package wave

import "bcstage/gpu/internal/driver"

// What goes over the edges of a block with Flows is added up by arc by strategies level, ragged and solo (see
// methods/over.go), and otherwise after both passes, by
// kernels/flows.cl: a wave's rows then hold c, and S, which a method's kernel of the name
// send makes of D. Strategy level does so, too, where a block's vertices have few edges: it has no arcs that are read
// on the way back by 32 work-items at once (see methods/patches.go), and most of what a pass of its own reads lies in caches;
// counts that are kept in 32 bits are S already. A result asks for the sums of its own packs.

// FlowsSum is the call of kernels/flows.cl.
type FlowsSum struct {
	Edges, N, Planes         uint32
	First, Last, Begin, Arcs uint32
	EdgeFrom, EdgeTo, EdgeOf driver.Buffer
	Depths, SourceMass       driver.Buffer
	Paths, Shares            driver.Buffer
	Flows                    driver.Buffer
}

// Send launches a method's kernel of that name, as tally does, which has rows hold S
// again, and adds up what target mass each source has reached. arrived has these sums.
func (s *Wave) Send(call any) error {
	if err := s.Tally(call); err != nil {
		return err
	}
	words := s.Shape.Packs * s.Shape.Words
	return s.Launch(FoldParts{Words: uint32(words), Chunks: uint32(s.Shape.Chunks()), Sums: s.Memory["Arrived"]}, words, 1)
}

// flowBytes is how much memory the rows of the packs take, at most, that one launch goes
// through: what caches hold.
const flowBytes = 32 << 20

// rowFlows has the flows of packs first..end-1 on the device, of what rows hold.
func (s *Wave) rowFlows(first, end int) error {
	shape := s.Shape
	group := s.Group()
	number := shape.Number // bytes of a path count
	if shape.Narrow {
		number = 4
	}
	each := max(flowBytes/(shape.Vertices*shape.Lanes()*(shape.Number+number)), 1)
	for at := first; at < end; at += each {
		call := FlowsSum{
			Edges: uint32(shape.Edges), N: uint32(shape.Vertices), Planes: uint32(shape.LevelPlanes()),
			First: uint32(at), Last: uint32(min(at+each, end)),
		}
		if shape.Narrow {
			call.Paths = s.Memory["Counts"]
		}
		if shape.Ways {
			call.Arcs = 1
		}
		if at == first {
			call.Begin = 1
		}
		if err := s.Launch(call, (shape.Edges+group-1)/group, 1); err != nil {
			return err
		}
	}
	return nil
}

// SumFlows has the flows of packs first..end-1 on the device.
func (s *Wave) SumFlows(first, end int) error {
	if s.Shape.Arcs > 0 {
		return s.overArcs(first, end)
	}
	return s.rowFlows(first, end)
}
