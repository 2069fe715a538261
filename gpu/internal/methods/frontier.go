package methods

import (
	"context"
	"fmt"
	"math"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/kernels"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
)

// Frontier keeps lists of the vertices of each level: for large diameters.
const Frontier wave.Strategy = "frontier"

// frontier is the method of kernels/frontier.cl, and of frontier_sums.cl.
type frontier struct{}

func (frontier) Name() wave.Strategy { return Frontier }

func (frontier) Source() string { return kernels.Text("lists", "frontier", "frontier_sums") }

func (frontier) suits(found survey.Findings) (bool, string) {
	return found.Deep(), fmt.Sprintf("median depth %d of %d sources is above %.0f", found.Median, survey.Sources, found.Limit())
}

// usualEntries is how often a vertex of a pack is in a frontier, as a rule.
const usualEntries = 12

func (frontier) Fit(s wave.Shape, found survey.Findings) (wave.Shape, error) {
	s.Directed = found.Directed || found.Cutoff > 0
	s.Late = found.Cutoff == 0 && !found.Directed
	if s.Late {
		s.Levels += found.Bound
	}
	if s.Levels >= math.MaxUint16 {
		return s, fmt.Errorf("gpu: levels may reach %d, of which 16 bits are kept", s.Levels)
	}
	s.PerRow = 16 // seldom more; see errListFull
	s.PerLevel = max(usualEntries*s.Vertices/max(found.Median, 1), 1)
	return s, nil
}

func (frontier) Buffers(s wave.Shape) map[string]int64 {
	rows, lanes := int64(s.Packs)*int64(s.Vertices), int64(s.Lanes())
	mask, capacity := int64(s.Words)*4, int64(s.Capacity())
	seen := mask // not read by any kernel
	if s.Directed {
		seen = rows * 4 * mask
	}
	return map[string]int64{
		"Paths":      rows * lanes * int64(s.Number),
		"Shares":     rows * lanes * int64(s.Number),
		"Marks":      rows * 4 * mask,
		"Planes":     rows * 2 * mask,
		"Seen":       seen,
		"Levels":     rows * lanes * 2,
		"ListRow":    capacity * 4,
		"ListVertex": capacity * 4,
		"ListMask":   capacity * mask,
		"Found":      int64(s.Levels+2) * 4,
		"Ends":       int64(s.Levels+2) * 4,
		"Seed":       int64(s.Packs) * lanes * 4,
		"Starts":     int64(s.Packs) * lanes * 4,
	}
}

// ListSources is the call of kernels/lists.cl.
type ListSources struct {
	N, First            uint32
	Seed, Source, Marks driver.Buffer
	ListRow, ListVertex driver.Buffer
	Found, Ends         driver.Buffer
}

// Calls of kernels/frontier.cl and kernels/frontier_sums.cl.
type (
	FrontierClear struct {
		N, Packs, Depth     uint32
		Marks, Planes, Seen driver.Buffer
		Levels, Found       driver.Buffer
	}
	FrontierForward struct {
		N, Level, Capacity, First, Last uint32
		Ptr, Adj, InPtr, InAdj          driver.Buffer
		Multiplicity, Seed, Source      driver.Buffer
		Marks, Planes, Seen             driver.Buffer
		Paths, Levels                   driver.Buffer
		ListRow, ListVertex, ListMask   driver.Buffer
		Found, Ends                     driver.Buffer
	}
	FrontierBackward struct {
		N, Level                           uint32
		Ptr, Adj, TargetMass, Multiplicity driver.Buffer
		Starts                             driver.Buffer
		Planes, Seen, Paths, Shares        driver.Buffer
		ListRow, ListVertex, ListMask      driver.Buffer
		Ends                               driver.Buffer
	}
	FrontierWaive struct {
		N, Level, Count                      uint32
		WaivedLane, WaivedVertex, WaivedMass driver.Buffer
		TargetMass, Starts, Levels           driver.Buffer
		Paths, Shares, WaivedLevel           driver.Buffer
	}
	FrontierTally struct {
		N, Chunks, Kind            uint32
		TargetMass, Levels, Starts driver.Buffer
		Paths, SourceMass          driver.Buffer
		Rows, Parts                driver.Buffer
	}
	FrontierSend struct {
		N, Chunks, Planes        uint32
		TargetMass, Multiplicity driver.Buffer
		Levels, Starts           driver.Buffer
		Paths, Shares, Depths    driver.Buffer
		Parts                    driver.Buffer
	}
)

// Ahead is how many levels are launched before the host looks at the context.
const Ahead = 64

func (frontier) Search(ctx context.Context, s *wave.Wave) error {
	n, packs := uint32(s.Shape.Vertices), uint32(s.Shape.Packs)
	empty := FrontierClear{N: n, Packs: packs, Depth: uint32(s.Shape.Levels + 2)}
	if err := seedLists(s, empty); err != nil {
		return err
	}
	capacity := uint32(s.Shape.Capacity())
	end, err := down(ctx, s, func(level int, first, last uint32) any {
		return FrontierForward{N: n, Level: uint32(level), Capacity: capacity, First: first, Last: last,
			InPtr: s.Graph.Way("Ptr"), InAdj: s.Graph.Way("Adj")}
	})
	if err != nil {
		return err
	}
	for back := end - 1; back > 0; back-- {
		if err := s.Launch(FrontierBackward{N: n, Level: uint32(back)}, s.Full(), 1); err != nil {
			return err
		}
		if err := s.Waive(FrontierWaive{N: n, Level: uint32(back), Count: uint32(len(s.Waivers.Lane))}, back); err != nil {
			return err
		}
		if back%Ahead == 0 {
			if err := s.Pause(ctx); err != nil {
				return err
			}
		}
	}
	err = s.TallyAll(func(kind uint32, factors, rows driver.Buffer) any {
		return FrontierTally{N: n, Chunks: uint32(s.Shape.Chunks()), Kind: kind, SourceMass: factors, Rows: rows}
	})
	if err != nil {
		return err
	}
	if err := s.FoldParts("Sums"); err != nil || s.Shape.Edges == 0 {
		return err
	}
	return s.Send(FrontierSend{N: n, Chunks: uint32(s.Shape.Chunks()), Planes: uint32(s.Shape.LevelPlanes())})
}

// seedLists launches empty, the call that clears the lists, and lists the sources that
// start at level 0.
func seedLists(s *wave.Wave, empty any) error {
	if err := s.Write("Seed", driver.Bytes(s.Seating.Seed)); err != nil {
		return err
	}
	if err := s.Write("Starts", driver.Bytes(s.Seating.Starts)); err != nil {
		return err
	}
	if err := s.Launch(empty, s.Flat(s.Shape.Vertices*s.Shape.Packs), 1); err != nil {
		return err
	}
	group := s.Group()
	_, first := s.Seating.Seeds(0)
	return s.Launch(ListSources{N: uint32(s.Shape.Vertices), First: first}, (int(first)+group-1)/group, 1)
}

// down searches until a level is empty, and returns that level. call finds the next level
// from a listed one, and starts sources seed[first..last-1] there.
func down(ctx context.Context, s *wave.Wave, call func(level int, first, last uint32) any) (int, error) {
	b, capacity := s.Block, uint32(s.Shape.Capacity())
	ends := make([]uint32, s.Shape.Levels+2)
	last := s.Shape.Levels + 1
	beyond := 0 // level that is listed but not searched from; 0: none
	if b.Cutoff > 0 {
		beyond = b.Cutoff + 1
		last = min(last, beyond)
	}
	level, known := 0, min(b.Deeper(0)+2, last)
	for {
		for next := min(level+Ahead, known); level < next; level++ {
			first, last := s.Seating.Seeds(level + 1)
			if err := s.Launch(call(level, first, last), s.Full(), 1); err != nil {
				return 0, err
			}
		}
		if level < known {
			if err := s.Pause(ctx); err != nil {
				return 0, err
			}
			continue
		}
		// Launches up to level-1 have stored where level begins.
		if err := s.Read("Ends", driver.Bytes(ends[:level+1])); err != nil {
			return 0, err
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if ends[level] > capacity {
			return 0, wave.ErrListFull
		}
		if ends[level] == ends[level-1] && level-1 > s.Seating.LastStart() || level == beyond {
			break
		}
		if level > s.Shape.Levels && b.Directed() {
			return 0, wave.ErrTooDeep
		}
		if level > s.Shape.Levels {
			return 0, fmt.Errorf("%w: search of block %d goes past level %d, which none should reach", driver.ErrDevice, b.Number, level-2)
		}
		known = min(level+max(level/8, 4), last)
	}
	s.Entries = int64(ends[level])
	for level > 0 && ends[level-1] == ends[level] {
		level--
	}
	b.Deeper(level - 1)
	return level, nil
}
