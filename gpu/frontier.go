package gpu

import (
	"context"
	_ "embed"
	"fmt"
	"math"
)

// Frontier keeps lists of the vertices of each level: for large diameters.
const Frontier Strategy = "frontier"

// frontier is the method of kernels/frontier.cl, and of frontier_sums.cl.
type frontier struct{}

//go:embed kernels/lists.cl
var listsSource string

//go:embed kernels/frontier.cl
var frontierSource string

//go:embed kernels/frontier_sums.cl
var frontierSumsSource string

func (frontier) name() Strategy { return Frontier }

func (frontier) source() string { return listsSource + frontierSource + frontierSumsSource }

func (frontier) suits(found survey) (bool, string) {
	return found.deep(), fmt.Sprintf("median depth %d of %d sources is above %.0f", found.median, surveyed, found.limit())
}

// usualEntries is how often a vertex of a pack is in a frontier, typically.
const usualEntries = 12

func (frontier) fit(s shape, found survey) (shape, error) {
	s.directed = found.directed || found.cutoff > 0
	s.late = found.cutoff == 0 && !found.directed
	if s.late {
		s.levels += found.bound
	}
	if s.levels >= math.MaxUint16 {
		return s, fmt.Errorf("gpu: levels may reach %d, of which 16 bits are kept", s.levels)
	}
	s.perRow = 16 // seldom more; see errListFull
	s.perLevel = max(usualEntries*s.vertices/max(found.median, 1), 1)
	return s, nil
}

func (frontier) buffers(s shape) map[string]int64 {
	rows, lanes := int64(s.packs)*int64(s.vertices), int64(s.lanes())
	mask, capacity := int64(s.words)*4, int64(s.capacity())
	seen := mask // that no kernel looks at
	if s.directed {
		seen = rows * 4 * mask
	}
	return map[string]int64{
		"Paths":      rows * lanes * int64(s.number),
		"Shares":     rows * lanes * int64(s.number),
		"Marks":      rows * 4 * mask,
		"Planes":     rows * 2 * mask,
		"Seen":       seen,
		"Levels":     rows * lanes * 2,
		"ListRow":    capacity * 4,
		"ListVertex": capacity * 4,
		"ListMask":   capacity * mask,
		"Found":      int64(s.levels+2) * 4,
		"Ends":       int64(s.levels+2) * 4,
		"Seed":       int64(s.packs) * lanes * 4,
		"Starts":     int64(s.packs) * lanes * 4,
	}
}

// listSources is the call of kernels/lists.cl.
type listSources struct {
	N, First            uint32
	Seed, Source, Marks buffer
	ListRow, ListVertex buffer
	Found, Ends         buffer
}

// Calls of kernels/frontier.cl and kernels/frontier_sums.cl.
type (
	frontierClear struct {
		N, Packs, Depth     uint32
		Marks, Planes, Seen buffer
		Levels, Found       buffer
	}
	frontierForward struct {
		N, Level, Capacity, First, Last uint32
		Ptr, Adj, InPtr, InAdj          buffer
		Multiplicity, Seed, Source      buffer
		Marks, Planes, Seen             buffer
		Paths, Levels                   buffer
		ListRow, ListVertex, ListMask   buffer
		Found, Ends                     buffer
	}
	frontierBackward struct {
		N, Level                           uint32
		Ptr, Adj, TargetMass, Multiplicity buffer
		Starts                             buffer
		Planes, Seen, Paths, Shares        buffer
		ListRow, ListVertex, ListMask      buffer
		Ends                               buffer
	}
	frontierWaive struct {
		N, Level, Count                      uint32
		WaivedLane, WaivedVertex, WaivedMass buffer
		TargetMass, Starts, Levels           buffer
		Paths, Shares, WaivedLevel           buffer
	}
	frontierTally struct {
		N, Chunks, Squared         uint32
		TargetMass, Levels, Starts buffer
		Paths, SourceMass          buffer
		Rows, Parts                buffer
	}
	frontierSend struct {
		N, Chunks, Planes        uint32
		TargetMass, Multiplicity buffer
		Levels, Starts           buffer
		Paths, Shares, Depths    buffer
		Parts                    buffer
	}
)

// ahead is how many levels are launched before the host looks at the context.
const ahead = 64

func (frontier) search(ctx context.Context, s *stream) error {
	n, packs := uint32(s.shape.vertices), uint32(s.shape.packs)
	empty := frontierClear{N: n, Packs: packs, Depth: uint32(s.shape.levels + 2)}
	if err := s.seedLists(empty); err != nil {
		return err
	}
	capacity := uint32(s.shape.capacity())
	end, err := down(ctx, s, func(level int, first, last uint32) any {
		return frontierForward{N: n, Level: uint32(level), Capacity: capacity, First: first, Last: last,
			InPtr: s.graph.way("Ptr"), InAdj: s.graph.way("Adj")}
	})
	if err != nil {
		return err
	}
	for back := end - 1; back > 0; back-- {
		if err := s.launch(frontierBackward{N: n, Level: uint32(back)}, s.full(), 1); err != nil {
			return err
		}
		if err := s.waive(frontierWaive{N: n, Level: uint32(back), Count: uint32(len(s.waivers.lane))}, back); err != nil {
			return err
		}
		if back%ahead == 0 {
			if err := s.pause(ctx); err != nil {
				return err
			}
		}
	}
	calls := []frontierTally{{N: n, Chunks: uint32(s.shape.chunks())}}
	if s.shape.drawn {
		drawn := calls[0]
		drawn.SourceMass, drawn.Rows = s.memory["Draws"], s.memory["DrawnRows"]
		squares := drawn
		squares.Rows, squares.Squared = s.memory["SquareRows"], 1
		calls = append(calls, drawn, squares)
	}
	for _, call := range calls { // each leaves the same parts
		if err := s.tally(call); err != nil {
			return err
		}
	}
	if err := s.foldParts(); err != nil || s.shape.edges == 0 {
		return err
	}
	return s.send(frontierSend{N: n, Chunks: uint32(s.shape.chunks()), Planes: uint32(s.shape.levelPlanes())})
}

// seedLists launches empty, the call that clears what lists need, and lists the sources
// that start at level 0.
func (s *stream) seedLists(empty any) error {
	if err := s.write("Seed", bytesOf(s.seating.seed)); err != nil {
		return err
	}
	if err := s.write("Starts", bytesOf(s.seating.starts)); err != nil {
		return err
	}
	if err := s.launch(empty, s.flat(s.shape.vertices*s.shape.packs), 1); err != nil {
		return err
	}
	group := s.group()
	_, first := s.seating.seeds(0)
	return s.launch(listSources{N: uint32(s.shape.vertices), First: first}, (int(first)+group-1)/group, 1)
}

// down searches until a level is empty, and returns that level. call goes on from a level
// whose list is there, and has sources seed[first..last-1] start at the next.
func down(ctx context.Context, s *stream, call func(level int, first, last uint32) any) (int, error) {
	t, capacity := s.task, uint32(s.shape.capacity())
	ends := make([]uint32, s.shape.levels+2)
	last := s.shape.levels + 1
	beyond := 0 // level that is listed and not looked at; 0: none
	if t.block.Cutoff > 0 {
		beyond = t.block.Cutoff + 1
		last = min(last, beyond)
	}
	level, known := 0, min(t.deeper(0)+2, last)
	for {
		for next := min(level+ahead, known); level < next; level++ {
			first, last := s.seating.seeds(level + 1)
			if err := s.launch(call(level, first, last), s.full(), 1); err != nil {
				return 0, err
			}
		}
		if level < known {
			if err := s.pause(ctx); err != nil {
				return 0, err
			}
			continue
		}
		// Launches up to level-1 have stored where level begins.
		if err := s.queue.read(s.memory["Ends"], 0, bytesOf(ends[:level+1])); err != nil {
			return 0, err
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if ends[level] > capacity {
			return 0, errListFull
		}
		if ends[level] == ends[level-1] && level-1 > s.seating.lastStart() || level == beyond {
			break
		}
		if level > s.shape.levels && t.block.Directed() {
			return 0, errTooDeep
		}
		if level > s.shape.levels {
			return 0, fmt.Errorf("%w: search of block %d goes past level %d, which none should reach", ErrDevice, t.number, level-2)
		}
		known = min(level+max(level/8, 4), last)
	}
	s.entries = int64(ends[level])
	for level > 0 && ends[level-1] == ends[level] {
		level--
	}
	t.deeper(level - 1)
	return level, nil
}
