package wave

import "bcstage/gpu/internal/driver"

// Strategies level, ragged and solo add up the flows over edges of a block with Flows by arc: see methods/over.go.
// Otherwise kernels/flows.cl adds them up after both passes. A wave's rows then hold c, and S, which the method's
// kernel named send makes of D.
//
// Strategy level does the latter too where a block's vertices have few edges. It has no 32 work-items there that read
// the arcs together in the backward pass (see methods/patches.go), and caches hold most of the data of a separate pass.
// Counts kept in 32 bits are S already. A result asks for the sums of its own packs.

// FlowsSum is the call of kernels/flows.cl.
type FlowsSum struct {
	Edges, N, Planes         uint32
	First, Last, Begin, Arcs uint32
	EdgeFrom, EdgeTo, EdgeOf driver.Buffer
	Depths, SourceMass       driver.Buffer
	Paths, Shares            driver.Buffer
	Flows                    driver.Buffer
}

// Send launches the method's kernel named send, as Tally does. The kernel restores S in rows, and adds up the target
// mass that each source has reached; arrived has these sums.
func (s *Wave) Send(call any) error {
	if err := s.Tally(call); err != nil {
		return err
	}
	return s.FoldParts("Arrived")
}

// flowBytes is the largest memory of the packs' rows that one launch reads, in bytes: it fits in caches.
const flowBytes = 32 << 20

// rowFlows leaves the flows of packs first..end-1 on the device, computed from rows.
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

// SumFlows leaves the flows of packs first..end-1 on the device.
func (s *Wave) SumFlows(first, end int) error {
	if s.Shape.Arcs > 0 {
		return s.overArcs(first, end)
	}
	return s.rowFlows(first, end)
}
