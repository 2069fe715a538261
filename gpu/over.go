package gpu

import _ "embed"

// What goes over edges, by strategy level: kernels/over.cl. It is added up level by level
// on the way back, while the rows that it is made of are read anyway, in a number for each arc
// and pack.

//go:embed kernels/over.cl
var overSource string

// overOf is kernels/over.cl with what it pulls rows by.
func overOf() string {
	return "#ifdef FLOWS\n#ifdef WARP\n#define SENDS\n" + pullOf("over", "real", "real") + "#undef SENDS\n#endif\n" + overSource + "#endif\n"
}

// Calls of kernels/over.cl.
type (
	overClear struct {
		Packs, Arcs uint32
		Cells       buffer
	}
	overLevel struct {
		N, Packs, Arcs, Level, LastLevel      uint32
		Ptr, Adj, Frontier, Found, SourceMass buffer
		Counts, Shares, Cells                 buffer
	}
	overSettle struct {
		N, Packs, Arcs, Level, LastLevel, Hubs, Most, Span uint32
		Ptr, Adj, Hub, TargetMass, Multiplicity            buffer
		Frontier, SourceMass, Counts, Paths, Shares        buffer
		Found, Cells                                       buffer
	}
	overSources struct {
		N, Packs, Arcs, LastLevel           uint32
		Ptr, Adj, Source, SourceMass, Found buffer
		Shares, Cells                       buffer
	}
	overArrive struct {
		N, Packs, LastLevel, Chunks        uint32
		TargetMass, Frontier, Found, Parts buffer
	}
	levelsSend struct {
		N, Packs, LastLevel, Chunks, Planes uint32
		TargetMass, Multiplicity            buffer
		Frontier, Found, Paths, Shares      buffer
		Depths, Parts                       buffer
	}
	overNumber struct {
		Arcs                      uint32
		ArcEdge, EdgeAt, EdgeBack buffer
	}
	overPacks struct {
		Arcs, First, Last uint32
		Cells             buffer
	}
	overJoin struct {
		Edges, Arcs, First, Ways       uint32
		EdgeAt, EdgeBack, Cells, Flows buffer
	}
)

// clearCells empties the numbers of all arcs.
func (s *stream) clearCells() error {
	return s.launch(overClear{Packs: uint32(s.shape.packs), Arcs: uint32(s.shape.arcs)}, s.flat(s.shape.arcs*s.shape.packs), 1)
}

// levelsBack settles a level, and adds up what goes over the arcs from there on.
func (s *stream) levelsBack(call levelsBackward, groups int) error {
	if s.shape.patched {
		return s.launch(patchesBackward{N: call.N, Packs: call.Packs, Level: call.Level, LastLevel: call.LastLevel, Counts: call.Counts}, s.shape.patches(), s.shape.packs)
	}
	if s.shape.arcs == 0 {
		return s.launch(call, groups, s.shape.packs)
	}
	if !s.engine.device.warp {
		if err := s.over(overLevel{N: call.N, Packs: call.Packs, Level: call.Level, LastLevel: call.LastLevel, Counts: call.Counts}); err != nil {
			return err
		}
		return s.launch(call, groups, s.shape.packs)
	}
	return s.launch(overSettle{
		N: call.N, Packs: call.Packs, Arcs: uint32(s.shape.arcs), Level: call.Level, LastLevel: call.LastLevel, Hubs: call.Hubs, Most: call.Most, Span: call.Span,
		Counts: call.Counts,
	}, groups, s.shape.packs)
}

// over adds up what goes over the arcs from a level, which is not settled.
func (s *stream) over(call overLevel) error {
	call.Arcs = uint32(s.shape.arcs)
	return s.launch(call, s.flat(s.shape.vertices*team), s.shape.packs)
}

// overArcs has the flows of packs first..end-1 on the device.
func (s *stream) overArcs(first, end int) error {
	if err := s.numberEdges(); err != nil {
		return err
	}
	arcs := uint32(s.shape.arcs)
	if err := s.launch(overPacks{Arcs: arcs, First: uint32(first), Last: uint32(end)}, s.flat(s.shape.arcs), 1); err != nil {
		return err
	}
	call := overJoin{Edges: uint32(s.shape.edges), Arcs: arcs, First: uint32(first)}
	if s.shape.ways {
		call.Ways = 1
	}
	return s.launch(call, s.flat(s.shape.edges), 1)
}

// numberEdges finds the arcs of all edges, once for all streams.
func (s *stream) numberEdges() error {
	s.task.mu.Lock()
	defer s.task.mu.Unlock()
	g := s.graph
	if g.numbered {
		return nil
	}
	for _, clear := range []fill{{Value: noLane, Out: g.memory["EdgeAt"]}, {Out: g.memory["EdgeBack"]}} {
		clear.Words = uint32(s.shape.edges)
		if err := s.launch(clear, s.flat(s.shape.edges), 1); err != nil {
			return err
		}
	}
	if err := s.launch(overNumber{Arcs: uint32(s.shape.arcs)}, s.flat(s.shape.arcs), 1); err != nil {
		return err
	}
	g.numbered = true
	return s.queue.finish() // other streams have queues of their own
}
