package methods

import (
	"context"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/kernels"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
)

// Lengths searches by distances that are sums of lengths: for blocks whose arcs have
// lengths. It is the only method for these, whatever strategy is asked for.
const Lengths wave.Strategy = "lengths"

// lengths is the method of kernels/lengths.cl, and of lengths_paths.cl.
type lengths struct{}

func (lengths) Name() wave.Strategy { return Lengths }

func (lengths) Source() string { return kernels.Text("lengths", "lengths_paths") }

func (lengths) suits(found survey.Findings) (bool, string) {
	return found.Lengths.Arcs > 0, "arcs have lengths"
}

// Fit takes rows of one word of lanes: the distances of more do not lie together.
func (lengths) Fit(s wave.Shape, found survey.Findings) (wave.Shape, error) {
	s.Lengths = found.Lengths
	s.Words, s.Directed = 1, found.Directed
	s.Wide = s.Lengths.Wide
	return s, nil
}

// distanceBytes is the size of a distance, and of a length.
func distanceBytes(s wave.Shape) int64 {
	if s.Wide {
		return 8
	}
	return 4
}

func (lengths) Buffers(s wave.Shape) map[string]int64 {
	rows := int64(s.Packs) * int64(s.Vertices)
	arcs := int64(s.Packs) * int64(s.Lengths.Arcs)
	marks := int64(8)
	if s.Marked == 0 {
		marks = int64(s.Packs) * 2 * int64((s.Vertices+31)/32) * 4
	}
	return map[string]int64{
		"Away":    rows * driver.Team * distanceBytes(s),
		"Before":  arcs * 4,
		"After":   arcs * 4,
		"Reached": rows * 4,
		"Broken":  int64(s.Packs) * 4,
		"Settled": rows * 4,
		"Paths":   rows * driver.Team * int64(s.Number),
		"Shares":  rows * driver.Team * int64(s.Number),
		"Lists":   3 * rows * 4,
		"Marks":   marks,
	}
}

// Calls of kernels/lengths.cl and kernels/lengths_paths.cl.
type (
	LengthsSearch struct {
		N, BeyondLow, BeyondHigh uint32
		WidthLow, WidthHigh      uint32
		Ptr, Adj, Length         driver.Buffer
		Source, Away, Broken     driver.Buffer
		Lists, Marks             driver.Buffer
	}
	LengthsLink struct {
		N, BeyondLow, BeyondHigh     uint32
		Arcs                         uint32
		Ptr, Adj, Length             driver.Buffer
		InPtr, InAdj, InLength       driver.Buffer
		Away, Before, After, Reached driver.Buffer
		Broken                       driver.Buffer
	}
	LengthsCount struct {
		N, Arcs                      uint32
		Ptr, Adj, InPtr, InAdj       driver.Buffer
		Multiplicity, Source         driver.Buffer
		Away, Before, After, Reached driver.Buffer
		Broken, Settled, Paths       driver.Buffer
		Lists, Marks                 driver.Buffer
	}
	LengthsDepend struct {
		N, Arcs                              uint32
		Ptr, Adj, InPtr, InAdj               driver.Buffer
		TargetMass, Multiplicity, Away       driver.Buffer
		Before, After, Reached               driver.Buffer
		Settled, Paths, Shares, Lists, Marks driver.Buffer
	}
	LengthsTally struct {
		N, BeyondLow, BeyondHigh uint32
		Chunks, Kind             uint32
		TargetMass, Away, Broken driver.Buffer
		Paths, SourceMass        driver.Buffer
		Rows, Parts              driver.Buffer
	}
)

// Search runs the searches step by step; each pack has a work-group, which finishes each
// step by itself.
func (lengths) Search(ctx context.Context, s *wave.Wave) error {
	l, n := s.Shape.Lengths, uint32(s.Shape.Vertices)
	low, high, arcs := uint32(l.Beyond), uint32(l.Beyond>>32), uint32(l.Arcs)
	inPtr, inAdj, inLength := s.Graph.Way("Ptr"), s.Graph.Way("Adj"), s.Graph.Way("Length")
	if err := s.Launch(LengthsSearch{N: n, BeyondLow: low, BeyondHigh: high, WidthLow: uint32(l.Width), WidthHigh: uint32(l.Width >> 32)}, s.Shape.Packs, 1); err != nil {
		return err
	}
	if err := s.Pause(ctx); err != nil {
		return err
	}
	if err := s.Launch(LengthsLink{N: n, BeyondLow: low, BeyondHigh: high, Arcs: arcs, InPtr: inPtr, InAdj: inAdj, InLength: inLength}, s.Shape.Chunks(), s.Shape.Packs); err != nil {
		return err
	}
	if err := s.Launch(LengthsCount{N: n, Arcs: arcs, InPtr: inPtr, InAdj: inAdj}, s.Shape.Packs, 1); err != nil {
		return err
	}
	if err := s.Pause(ctx); err != nil {
		return err
	}
	if err := s.Launch(LengthsDepend{N: n, Arcs: arcs, InPtr: inPtr, InAdj: inAdj}, s.Shape.Packs, 1); err != nil {
		return err
	}
	err := s.TallyAll(func(kind uint32, factors, rows driver.Buffer) any {
		return LengthsTally{N: n, BeyondLow: low, BeyondHigh: high, Chunks: uint32(s.Shape.Chunks()), Kind: kind, SourceMass: factors, Rows: rows}
	})
	if err != nil {
		return err
	}
	return s.FoldParts("Sums")
}
