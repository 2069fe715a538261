package gpu

import (
	"context"
	_ "embed"
)

// Ragged keeps numbers for those lanes only that a vertex has at a level.
const Ragged Strategy = "ragged"

// ragged is the method of kernels/ragged.cl and ragged_paths.cl.
type ragged struct{}

//go:embed kernels/ragged.cl
var raggedSource string

//go:embed kernels/ragged_paths.cl
var raggedPathsSource string

func (ragged) name() Strategy { return Ragged }

func (ragged) source() string { return listsSource + raggedSource + raggedPathsSource }

func (ragged) suits(found survey) (bool, string) {
	deep, reason := frontier{}.suits(found)
	return deep && found.plain, reason
}

// raggedEntries is how often a vertex of a pack is in a frontier, typically. Lists of a
// level may be longer than those of frontier: their numbers lie together.
const raggedEntries = 6

// raggedGroup is how many work-items of a work-group wait for each other, if devices choose.
const raggedGroup = 128

// raggedLocal is how much local memory ragged_backward takes by work-item, 140 bytes with 64
// lanes, and some to spare: 1024 work-items are too many for the 48 KB of many devices.
const raggedLocal = 148

func (ragged) fit(s shape, found survey) (shape, error) {
	s, err := frontier{}.fit(s, found)
	s.together, s.ragged, s.local, s.group = true, true, raggedLocal, raggedGroup
	s.perLevel = max(raggedEntries*s.vertices/max(found.median, 1), 1)
	return s, err
}

func (ragged) buffers(s shape) map[string]int64 {
	rows, lanes := int64(s.packs)*int64(s.vertices), int64(s.lanes())
	mask, capacity := int64(s.words)*4, int64(s.capacity())
	return map[string]int64{
		"Paths":      rows * lanes * int64(s.number),
		"Places":     rows * lanes * 2,
		"Marks":      rows * 4 * mask,
		"Slots":      rows * 2 * 16,
		"Tallies":    rows * 3 * 8,
		"ListRow":    capacity * 4,
		"ListVertex": capacity * 4,
		"ListMask":   capacity * mask,
		"ListAt":     capacity * 4,
		"Found":      int64(s.levels+2) * 4,
		"Ends":       int64(s.levels+2) * 4,
		"Taken":      4,
		"Loads":      int64(s.groups) * 8,
		"Seed":       int64(s.packs) * lanes * 4,
		"Starts":     int64(s.packs) * lanes * 4,
	}
}

// Calls of kernels/ragged.cl and ragged_paths.cl.
type (
	raggedClear struct {
		N, Packs, Depth, Groups uint32
		Marks, Slots, Tallies   buffer
		Found, Taken, Loads     buffer
	}
	raggedFind struct {
		N, Level, Capacity, First, Last uint32
		Ptr, Adj, Seed, Source, Marks   buffer
		ListRow, ListVertex, ListMask   buffer
		ListAt, Places                  buffer
		Found, Ends, Taken              buffer
	}
	raggedForward struct {
		Level                         uint32
		Ptr, Adj, Multiplicity        buffer
		ListRow, ListVertex, ListMask buffer
		ListAt, Places, Ends          buffer
		Slots, Paths, Loads           buffer
	}
	raggedBackward struct {
		N, Level                              uint32
		Ptr, Adj, TargetMass, Multiplicity    buffer
		SourceMass, Starts                    buffer
		ListRow, ListVertex, ListMask, ListAt buffer
		Places, Ends                          buffer
		Slots, Paths, Tallies, Loads          buffer
	}
	raggedOver struct {
		N, Arcs, Level                        uint32
		Ptr, Adj, TargetMass, Multiplicity    buffer
		SourceMass, Starts                    buffer
		ListRow, ListVertex, ListMask, ListAt buffer
		Places, Ends                          buffer
		Slots, Paths, Tallies, Loads, Cells   buffer
	}
	raggedTally struct {
		N, Chunks            uint32
		Tallies, Rows, Parts buffer
	}
)

func (ragged) search(ctx context.Context, s *stream) error {
	n, packs := uint32(s.shape.vertices), uint32(s.shape.packs)
	empty := raggedClear{N: n, Packs: packs, Depth: uint32(s.shape.levels + 2), Groups: uint32(s.full())}
	if err := s.seedLists(empty); err != nil {
		return err
	}
	capacity := uint32(s.shape.capacity())
	end, err := down(ctx, s, func(level int, first, last uint32) any {
		return raggedFind{N: n, Level: uint32(level), Capacity: capacity, First: first, Last: last}
	})
	if err != nil {
		return err
	}
	for level := range end {
		if err := s.launch(raggedForward{Level: uint32(level)}, s.full(), 1); err != nil {
			return err
		}
		if level%ahead == ahead-1 {
			if err := s.pause(ctx); err != nil {
				return err
			}
		}
	}
	first := 1
	if s.shape.arcs > 0 {
		first = 0 // sources send, too
		if err := s.clearCells(); err != nil {
			return err
		}
	}
	for back := end - 1; back >= first; back-- {
		call := any(raggedBackward{N: n, Level: uint32(back)})
		if s.shape.arcs > 0 {
			call = raggedOver{N: n, Arcs: uint32(s.shape.arcs), Level: uint32(back)}
		}
		if err := s.launch(call, s.full(), 1); err != nil {
			return err
		}
		if back%ahead == 0 {
			if err := s.pause(ctx); err != nil {
				return err
			}
		}
	}
	if err := s.launch(raggedTally{N: n, Chunks: uint32(s.shape.chunks())}, s.shape.chunks(), s.shape.packs); err != nil {
		return err
	}
	if err := s.foldParts(); err != nil {
		return err
	}
	loads := make([]uint64, s.full())
	if err := s.queue.read(s.memory["Loads"], 0, bytesOf(loads)); err != nil {
		return err
	}
	s.loads = 0
	for _, count := range loads {
		s.loads += int64(count)
	}
	return nil
}
