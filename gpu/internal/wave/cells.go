package wave

import (
	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/seating"
)

// Methods add up flows over arcs in a number for each arc and pack. These are the calls of kernels/flows.cl
// for that:
type (
	OverClear struct {
		Packs, Arcs uint32
		Cells       driver.Buffer
	}
	OverNumber struct {
		Arcs                      uint32
		ArcEdge, EdgeAt, EdgeBack driver.Buffer
	}
	OverPacks struct {
		Arcs, First, Last uint32
		Cells             driver.Buffer
	}
	OverJoin struct {
		Edges, Arcs, First, Ways       uint32
		EdgeAt, EdgeBack, Cells, Flows driver.Buffer
	}
)

// ClearCells empties the numbers of all arcs.
func (s *Wave) ClearCells() error {
	return s.Launch(OverClear{Packs: uint32(s.Shape.Packs), Arcs: uint32(s.Shape.Arcs)}, s.Flat(s.Shape.Arcs*s.Shape.Packs), 1)
}

// overArcs leaves the flows of packs first..end-1 on the device.
func (s *Wave) overArcs(first, end int) error {
	if err := s.numberEdges(); err != nil {
		return err
	}
	arcs := uint32(s.Shape.Arcs)
	if err := s.Launch(OverPacks{Arcs: arcs, First: uint32(first), Last: uint32(end)}, s.Flat(s.Shape.Arcs), 1); err != nil {
		return err
	}
	call := OverJoin{Edges: uint32(s.Shape.Edges), Arcs: arcs, First: uint32(first)}
	if s.Shape.Ways {
		call.Ways = 1
	}
	return s.Launch(call, s.Flat(s.Shape.Edges), 1)
}

// numberEdges finds the arcs of all edges, once for all streams.
func (s *Wave) numberEdges() error {
	g := s.Graph
	g.Numbering.Lock()
	defer g.Numbering.Unlock()
	if g.Numbered {
		return nil
	}
	for _, clear := range []Fill{{Value: seating.NoLane, Out: g.Memory["EdgeAt"]}, {Out: g.Memory["EdgeBack"]}} {
		clear.Words = uint32(s.Shape.Edges)
		if err := s.Launch(clear, s.Flat(s.Shape.Edges), 1); err != nil {
			return err
		}
	}
	if err := s.Launch(OverNumber{Arcs: uint32(s.Shape.Arcs)}, s.Flat(s.Shape.Arcs), 1); err != nil {
		return err
	}
	g.Numbered = true
	return s.Queue.Finish() // other streams have queues of their own
}
