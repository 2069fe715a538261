package methods

import (
	"context"
	"fmt"
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/kernels"
	"bcstage/gpu/internal/resident"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
	"bcstage/preprocess"
)

// Solo has each work-group search from one source by itself, through to the end.
const Solo wave.Strategy = "solo"

// solo is the method of kernels/solo.cl.
type solo struct{}

func (solo) Name() wave.Strategy { return Solo }

func (solo) Source() string { return kernels.Text("solo") }

// soloGroup is how many work-items of a work-group wait for each other, where the device allows it. With smaller groups
// more sources are searched at once than caches hold the data of: an H200 takes 1.3 to 3 times as long with groups of
// 64 or 128.
const soloGroup = 256

// soloDeep is the part of the usual depth that makes a block of few edges deep enough. The cores of rome99 and power
// have .9 and .7 of it; an H100 takes 2.4 and 3.3 ms so, and 9.0 and 11.3 by levels.
const soloDeep = 0.6

// suits leaves meshes to ragged if another engine searches for distances at the same time, for which solo leaves no
// room. An H200 then takes 0.36 s for both of t60k, and 0.39 with solo.
func (solo) suits(found survey.Findings) (bool, string) {
	most := float64(resident.FewNear)
	if found.Drawn { // others are idle at many levels, and ragged takes all sources only
		most *= 2
	}
	return float64(found.Median) > soloDeep*found.Limit() && !found.Beside && solo{}.able(found) && found.Degree <= most && !found.Hubs,
		fmt.Sprintf("median depth %d of %d sources, %.0f being deep, and vertices have %.1f edges", found.Median, survey.Sources, soloDeep*found.Limit(), found.Degree)
}

// able says whether the method can search a block at all.
func (solo) able(found survey.Findings) bool {
	return found.Simple && found.Vertices <= resident.SoloVertices
}

func (solo) Fit(s wave.Shape, found survey.Findings) (wave.Shape, error) {
	s.Near, s.Group, s.Marked = resident.NearRow(found.Degree), soloGroup, 1<<10
	if s.Vertices > s.Marked*16 {
		s.Marked = resident.SoloVertices / 16
	}
	return s, nil
}

func (solo) Buffers(s wave.Shape) map[string]int64 {
	sources, kept := int64(s.Packs)*int64(s.Lanes()), int64(4)
	if s.Edges > 0 {
		kept = sources * int64((s.Vertices+15)/16) * 4
	}
	return map[string]int64{
		"List":   sources * int64(s.Vertices) * 2,
		"Ends":   sources * int64(s.Levels+2) * 4,
		"Paths":  sources * int64(s.Vertices) * int64(s.Number),
		"Deltas": sources * int64(s.Vertices) * int64(s.Number),
		"Kept":   kept,
	}
}

// Calls of kernels/solo.cl.
type (
	SoloSearch struct {
		N, Depth, Even           uint32
		Ptr, Adj, Near           driver.Buffer
		Order, Place             driver.Buffer
		TargetMass, Multiplicity driver.Buffer
		Source, List, Ends       driver.Buffer
		Paths, Deltas, Kept      driver.Buffer
		Sums                     driver.Buffer
	}
	SoloTally struct {
		N, Squared                uint32
		Order, Source, SourceMass driver.Buffer
		Deltas, Rows              driver.Buffer
	}
	SoloOver struct {
		N, Arcs                  uint32
		Ptr, Adj, Near           driver.Buffer
		Order, Place             driver.Buffer
		TargetMass, Multiplicity driver.Buffer
		Source, SourceMass, Kept driver.Buffer
		Paths, Deltas, Cells     driver.Buffer
	}
)

func (solo) Search(ctx context.Context, s *wave.Wave) error {
	n, even := uint32(s.Shape.Vertices), uint32(0)
	if isEven(s.Block.Block) {
		even = 1
	}
	if err := s.Launch(SoloSearch{N: n, Depth: uint32(s.Shape.Levels + 2), Even: even}, s.Shape.Packs*s.Shape.Lanes(), 1); err != nil {
		return err
	}
	if err := s.Pause(ctx); err != nil {
		return err
	}
	s.Entries = 0
	for _, count := range s.Seating.Counts {
		s.Entries += int64(count) * int64(n)
	}
	err := s.TallyAll(func(kind uint32, factors, rows driver.Buffer) any {
		return SoloTally{N: n, Squared: kind, SourceMass: factors, Rows: rows}
	})
	if err != nil || s.Shape.Edges == 0 {
		return err
	}
	return s.Launch(SoloOver{N: n, Arcs: uint32(s.Shape.Arcs)}, s.Shape.Chunks(), s.Shape.Packs)
}

// isEven says whether all vertices of a block have target mass 1 and multiplicity 1.
func isEven(b *preprocess.Block) bool {
	other := func(x float64) bool { return x != 1 }
	return !slices.ContainsFunc(b.To, other) && !slices.ContainsFunc(b.Multiplicity, other)
}
