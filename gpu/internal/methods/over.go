package methods

import (
	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/kernels"
	"bcstage/gpu/internal/wave"
)

// Flows over edges, by strategy level: kernels/over.cl. They are added up level by level in the
// backward pass, which reads their rows anyway, in a number for each arc and pack.

// overOf is kernels/over.cl with the functions that pull its rows.
func overOf() string {
	return "#ifdef FLOWS\n#ifdef WARP\n#define SENDS\n" + pullOf("over", "real", "real") + "#undef SENDS\n#endif\n" + kernels.Text("over") + "#endif\n"
}

// Calls of kernels/over.cl.
type (
	OverLevel struct {
		N, Packs, Arcs, Level, LastLevel      uint32
		Ptr, Adj, Frontier, Found, SourceMass driver.Buffer
		Counts, Shares, Cells                 driver.Buffer
	}
	overSettle struct {
		N, Packs, Arcs, Level, LastLevel, Hubs, Most, Span uint32
		Ptr, Adj, Hub, TargetMass, Multiplicity            driver.Buffer
		Frontier, SourceMass, Counts, Paths, Shares        driver.Buffer
		Found, Cells                                       driver.Buffer
	}
	OverSources struct {
		N, Packs, Arcs, LastLevel           uint32
		Ptr, Adj, Source, SourceMass, Found driver.Buffer
		Shares, Cells                       driver.Buffer
	}
	OverArrive struct {
		N, Packs, LastLevel, Chunks        uint32
		TargetMass, Frontier, Found, Parts driver.Buffer
	}
	LevelsSend struct {
		N, Packs, LastLevel, Chunks, Planes uint32
		TargetMass, Multiplicity            driver.Buffer
		Frontier, Found, Paths, Shares      driver.Buffer
		Depths, Parts                       driver.Buffer
	}
)

// levelsBack settles a level, and adds up the flows over the arcs from it.
func levelsBack(s *wave.Wave, call LevelsBackward, groups int) error {
	if s.Shape.Patched {
		return s.Launch(PatchesBackward{N: call.N, Packs: call.Packs, Level: call.Level, LastLevel: call.LastLevel, Counts: call.Counts}, patches(s.Shape), s.Shape.Packs)
	}
	if s.Shape.Arcs == 0 {
		return s.Launch(call, groups, s.Shape.Packs)
	}
	if !s.Device.Warp {
		if err := over(s, OverLevel{N: call.N, Packs: call.Packs, Level: call.Level, LastLevel: call.LastLevel, Counts: call.Counts}); err != nil {
			return err
		}
		return s.Launch(call, groups, s.Shape.Packs)
	}
	return s.Launch(overSettle{
		N: call.N, Packs: call.Packs, Arcs: uint32(s.Shape.Arcs), Level: call.Level, LastLevel: call.LastLevel, Hubs: call.Hubs, Most: call.Most, Span: call.Span,
		Counts: call.Counts,
	}, groups, s.Shape.Packs)
}

// over adds up the flows over the arcs from a level that is not settled yet.
func over(s *wave.Wave, call OverLevel) error {
	call.Arcs = uint32(s.Shape.Arcs)
	return s.Launch(call, s.Flat(s.Shape.Vertices*driver.Team), s.Shape.Packs)
}
