package gpu

import (
	_ "embed"

	"bcstage/preprocess"
)

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
	overPacks struct {
		Arcs, First, Last uint32
		Cells             buffer
	}
	overJoin struct {
		Edges, Arcs, First, Ways       uint32
		EdgeAt, EdgeBack, Cells, Flows buffer
	}
)

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

// arcParts are, by number of an edge, its arc and the one the other way round.
func arcParts(b *preprocess.Block) []part {
	at, back := make([]uint32, b.Flows.Count()), make([]uint32, b.Flows.Count())
	inGrains(b.Vertices(), rowsGrain(b), func(first, end int) {
		for v := first; v < end; v++ {
			for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
				if b.In != nil || int(b.Targets[e]) > v {
					at[b.Flows.Of[e]] = uint32(e)
				} else {
					back[b.Flows.Of[e]] = uint32(e)
				}
			}
		}
	})
	return []part{{"EdgeAt", bytesOf(at)}, {"EdgeBack", bytesOf(back)}}
}
