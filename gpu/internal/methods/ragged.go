package methods

import (
	"context"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/kernels"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
)

// Ragged keeps numbers only for the lanes that a vertex has at a level.
const Ragged wave.Strategy = "ragged"

// ragged is the method of kernels/ragged.cl and ragged_paths.cl.
type ragged struct{}

func (ragged) Name() wave.Strategy { return Ragged }

func (ragged) Source() string { return kernels.Text("lists", "ragged", "ragged_paths") }

func (ragged) suits(found survey.Findings) (bool, string) {
	deep, reason := frontier{}.suits(found)
	return deep && found.Plain, reason
}

// raggedEntries is how often a vertex of a pack is in a frontier, as a rule. Lists of a level
// may be longer than those of frontier: their numbers lie together.
const raggedEntries = 6

// raggedGroup is how many work-items of a work-group wait for each other, where the device
// allows it.
const raggedGroup = 128

// RaggedLocal is the local memory of ragged_backward, in bytes per work-item: 140 with 64
// lanes, and some to spare. 1024 work-items are too many for the 48 KB of many devices.
const RaggedLocal = 148

func (ragged) Fit(s wave.Shape, found survey.Findings) (wave.Shape, error) {
	s, err := frontier{}.Fit(s, found)
	s.Together, s.Ragged, s.Local, s.Group = true, true, RaggedLocal, raggedGroup
	s.PerLevel = max(raggedEntries*s.Vertices/max(found.Median, 1), 1)
	return s, err
}

func (ragged) Buffers(s wave.Shape) map[string]int64 {
	rows, lanes := int64(s.Packs)*int64(s.Vertices), int64(s.Lanes())
	mask, capacity := int64(s.Words)*4, int64(s.Capacity())
	return map[string]int64{
		"Paths":      rows * lanes * int64(s.Number),
		"Places":     rows * lanes * 2,
		"Marks":      rows * 4 * mask,
		"Slots":      rows * 2 * 16,
		"Tallies":    rows * 3 * 8,
		"ListRow":    capacity * 4,
		"ListVertex": capacity * 4,
		"ListMask":   capacity * mask,
		"ListAt":     capacity * 4,
		"Found":      int64(s.Levels+2) * 4,
		"Ends":       int64(s.Levels+2) * 4,
		"Taken":      4,
		"Loads":      int64(s.Groups) * 8,
		"Seed":       int64(s.Packs) * lanes * 4,
		"Starts":     int64(s.Packs) * lanes * 4,
	}
}

// Calls of kernels/ragged.cl and ragged_paths.cl.
type (
	RaggedClear struct {
		N, Packs, Depth, Groups uint32
		Marks, Slots, Tallies   driver.Buffer
		Found, Taken, Loads     driver.Buffer
	}
	RaggedFind struct {
		N, Level, Capacity, First, Last uint32
		Ptr, Adj, Seed, Source, Marks   driver.Buffer
		ListRow, ListVertex, ListMask   driver.Buffer
		ListAt, Places                  driver.Buffer
		Found, Ends, Taken              driver.Buffer
	}
	RaggedForward struct {
		Level                         uint32
		Ptr, Adj, Multiplicity        driver.Buffer
		ListRow, ListVertex, ListMask driver.Buffer
		ListAt, Places, Ends          driver.Buffer
		Slots, Paths, Loads           driver.Buffer
	}
	RaggedBackward struct {
		N, Level                              uint32
		Ptr, Adj, TargetMass, Multiplicity    driver.Buffer
		SourceMass, Starts                    driver.Buffer
		ListRow, ListVertex, ListMask, ListAt driver.Buffer
		Places, Ends                          driver.Buffer
		Slots, Paths, Tallies, Loads          driver.Buffer
	}
	RaggedOver struct {
		N, Arcs, Level                        uint32
		Ptr, Adj, TargetMass, Multiplicity    driver.Buffer
		SourceMass, Starts                    driver.Buffer
		ListRow, ListVertex, ListMask, ListAt driver.Buffer
		Places, Ends                          driver.Buffer
		Slots, Paths, Tallies, Loads, Cells   driver.Buffer
	}
	RaggedTally struct {
		N, Chunks            uint32
		Tallies, Rows, Parts driver.Buffer
	}
)

func (ragged) Search(ctx context.Context, s *wave.Wave) error {
	n, packs := uint32(s.Shape.Vertices), uint32(s.Shape.Packs)
	empty := RaggedClear{N: n, Packs: packs, Depth: uint32(s.Shape.Levels + 2), Groups: uint32(s.Full())}
	if err := seedLists(s, empty); err != nil {
		return err
	}
	capacity := uint32(s.Shape.Capacity())
	end, err := down(ctx, s, func(level int, first, last uint32) any {
		return RaggedFind{N: n, Level: uint32(level), Capacity: capacity, First: first, Last: last}
	})
	if err != nil {
		return err
	}
	for level := range end {
		if err := s.Launch(RaggedForward{Level: uint32(level)}, s.Full(), 1); err != nil {
			return err
		}
		if level%Ahead == Ahead-1 {
			if err := s.Pause(ctx); err != nil {
				return err
			}
		}
	}
	first := 1
	if s.Shape.Arcs > 0 {
		first = 0 // sources send too
		if err := s.ClearCells(); err != nil {
			return err
		}
	}
	for back := end - 1; back >= first; back-- {
		call := any(RaggedBackward{N: n, Level: uint32(back)})
		if s.Shape.Arcs > 0 {
			call = RaggedOver{N: n, Arcs: uint32(s.Shape.Arcs), Level: uint32(back)}
		}
		if err := s.Launch(call, s.Full(), 1); err != nil {
			return err
		}
		if back%Ahead == 0 {
			if err := s.Pause(ctx); err != nil {
				return err
			}
		}
	}
	if err := s.Launch(RaggedTally{N: n, Chunks: uint32(s.Shape.Chunks())}, s.Shape.Chunks(), s.Shape.Packs); err != nil {
		return err
	}
	if err := s.FoldParts("Sums"); err != nil {
		return err
	}
	loads := make([]uint64, s.Full())
	if err := s.Read("Loads", driver.Bytes(loads)); err != nil {
		return err
	}
	s.Loads = 0
	for _, count := range loads {
		s.Loads += int64(count)
	}
	return nil
}
