package methods

import (
	"cmp"
	"context"
	"fmt"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/kernels"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
)

// Levels looks at every vertex in every level: for small diameters.
const Levels wave.Strategy = "level"

// levels is the method of kernels/levels.cl and levels_tally.cl.
type levels struct{}

func (levels) Name() wave.Strategy { return Levels }

func (levels) Source() string {
	return kernels.Text("masks") + pullOf("counts", "number", "total") + copiesAhead + pullOf("shares", "real", "real") + kernels.Text("levels", "levels_tally") + overOf() + kernels.Text("patches")
}

// pullOf is kernels/pull.cl for rows of one type whose sums have another, with a prefix
// for its names.
func pullOf(before, value, sum string) string {
	return fmt.Sprintf("#define OF(name) %[1]s_##name\n#define VALUE %[2]s\n#define FETCH_VALUE fetch_%[2]s\n#define SUM %[3]s\n%[4]s#undef OF\n#undef VALUE\n#undef FETCH_VALUE\n#undef SUM\n", before, value, sum, kernels.Text("pull"))
}

// copiesAhead makes the kernels after it copy rows ahead. Path counts gain nothing by it:
// most of their time is instructions.
const copiesAhead = "#ifdef COPIES\n#define AHEAD\n#endif\n"

func (levels) suits(found survey.Findings) (bool, string) {
	alone, _ := solo{}.suits(found)
	return !found.Deep() && !alone, fmt.Sprintf("median depth %d of %d sources is at most %.0f", found.Median, survey.Sources, found.Limit())
}

// narrowPaths is how many paths a survey may see for counts to be kept in 32 bits. Other
// sources may see more; a wave of theirs that overflows is searched again.
const narrowPaths = 1 << 28

// levelsGroup is the number of work-items of a work-group. Its vertices have very
// different numbers of neighbours, and its place on the device is free only when the last
// is done.
const levelsGroup = 128

// manyLevels is the depth of searches from which work-groups are as large as others'. Most
// vertices are in none of the present levels then, and the cost is the number of
// work-groups that begin and find nothing. Graph web-NotreDame, 21 levels and directed 50,
// is 1.13 times as fast so; graphs of up to 11 levels are slower by up to a fifth.
const manyLevels = 16

// Fit mixes sources where hubs rule the distances: see engine.Choice.Mixed.
func (levels) Fit(s wave.Shape, found survey.Findings) (wave.Shape, error) {
	s.Mixed, s.Patched = found.Hubs, found.FewEdges
	if found.Most < manyLevels {
		s.Group = levelsGroup
	}
	s.Narrow = s.Number == 8 && found.Paths < narrowPaths
	return s, nil
}

func (levels) Buffers(s wave.Shape) map[string]int64 {
	packs, rows := int64(s.Packs), int64(s.Packs)*int64(s.Vertices)
	lanes, words := int64(s.Lanes()), int64(s.Words)
	size := map[string]int64{
		"Paths":    rows * lanes * int64(s.Number),
		"Shares":   rows * lanes * int64(s.Number),
		"Frontier": int64(s.Levels) * rows * words * 4,
		"Seen":     rows * words * 4,
		"Reached":  rows * words * 4,
		"Found":    int64(s.Levels) * (packs + 1) * 4,
		"Overflow": 4,
	}
	if s.Narrow {
		size["Counts"] = rows * lanes * 4
	}
	return size
}

// Calls of kernels/levels.cl and levels_tally.cl.
type (
	LevelsClear struct {
		N, Packs, Levels                      uint32
		Used, Frontier, Seen, Found, Overflow driver.Buffer
	}
	LevelsSeed struct {
		N, Packs                              uint32
		Source, Frontier, Seen, Counts, Found driver.Buffer
	}
	LevelsFirst struct {
		N, Packs                       uint32
		Ptr, Adj, Multiplicity, Source driver.Buffer
		Frontier, Seen, Counts, Found  driver.Buffer
	}
	LevelsForward struct {
		N, Packs, Level, Hubs, Most, Span uint32
		Ptr, Adj, Hub, Multiplicity       driver.Buffer
		Frontier, Seen, Reached           driver.Buffer
		Counts, Found, Overflow           driver.Buffer
	}
	LevelsBackward struct {
		N, Packs, Level, LastLevel, Hubs, Most, Span uint32
		Ptr, Adj, Hub, TargetMass, Multiplicity      driver.Buffer
		Frontier, Counts, Paths, Shares, Found       driver.Buffer
	}
	LevelsWaive struct {
		N, Packs, Level, LastLevel, Count    uint32
		WaivedLane, WaivedVertex, WaivedMass driver.Buffer
		TargetMass, Frontier, Found          driver.Buffer
		Paths, Shares, WaivedLevel           driver.Buffer
	}
	LevelsTally struct {
		N, Packs, LastLevel, Chunks        uint32
		TargetMass, Frontier, Found, Paths driver.Buffer
		SourceMass, Rows, Parts            driver.Buffer
	}
	LevelsTallyDrawn struct {
		N, Packs, LastLevel, Chunks, Kind  uint32
		TargetMass, Frontier, Found, Paths driver.Buffer
		SourceMass, Rows, Parts            driver.Buffer
	}
)

// Search launches as many levels as the deepest search so far had, both passes and the
// sums after them, and then checks once whether these were enough.
func (levels) Search(ctx context.Context, s *wave.Wave) error {
	b, g := s.Block, s.Graph
	n, packs := uint32(s.Shape.Vertices), uint32(s.Shape.Packs)
	rows := s.Shape.Vertices * s.Shape.Packs
	found := make([]uint32, s.Shape.Levels*(s.Shape.Packs+1))
	group := s.Group()
	teams := group / driver.Team
	span := levelsSpan(s)
	spans := (s.Shape.Vertices + teams*span - 1) / (teams * span)
	lanes := s.Shape.Packs * s.Shape.Lanes()
	counts := s.Memory["Paths"]
	if s.Shape.Narrow {
		counts = s.Memory["Counts"]
	}

	if s.Shape.Arcs > 0 {
		if err := s.ClearCells(); err != nil {
			return err
		}
	}
	if err := s.Launch(LevelsClear{N: n, Packs: packs, Levels: uint32(s.Shape.Levels)}, s.Flat(rows), 1); err != nil {
		return err
	}
	if err := s.Launch(LevelsSeed{N: n, Packs: packs, Counts: counts}, (lanes+group-1)/group, 1); err != nil {
		return err
	}
	if err := s.Launch(LevelsFirst{N: n, Packs: packs, Counts: counts}, s.Shape.Lanes(), s.Shape.Packs); err != nil {
		return err
	}
	last := s.Shape.Levels - 1 // the last level that may have vertices, or that must have none
	for level, end := 1, min(b.Deeper(0)+1, last); ; {
		for ; level < end; level++ {
			if level == b.Cutoff {
				continue // vertices beyond do not count
			}
			call := LevelsForward{N: n, Packs: packs, Level: uint32(level), Hubs: uint32(g.In.Hubs), Most: uint32(g.In.Most), Span: uint32(span),
				Ptr: g.Way("Ptr"), Adj: g.Way("Adj"), Hub: g.Way("Hub"), Counts: counts}
			call.Seen, call.Reached = s.Memory["Seen"], s.Memory["Reached"]
			if level%2 == 0 {
				call.Seen, call.Reached = call.Reached, call.Seen
			}
			if err := levelsOut(s, call, g.In.Hubs+spans); err != nil {
				return err
			}
		}
		for back := end - 1; back > 0; back-- {
			call := LevelsBackward{N: n, Packs: packs, Level: uint32(back), LastLevel: uint32(end), Hubs: uint32(g.Out.Hubs), Most: uint32(g.Out.Most), Span: uint32(span), Counts: counts}
			if err := levelsBack(s, call, g.Out.Hubs+spans); err != nil {
				return err
			}
			waive := LevelsWaive{N: n, Packs: packs, Level: uint32(back), LastLevel: uint32(end), Count: uint32(len(s.Waivers.Lane))}
			if err := s.Waive(waive, back); err != nil {
				return err
			}
		}
		if s.Shape.Arcs > 0 { // and from the sources
			call := OverSources{N: n, Packs: packs, Arcs: uint32(s.Shape.Arcs), LastLevel: uint32(end)}
			if err := s.Launch(call, s.Shape.Lanes(), s.Shape.Packs); err != nil {
				return err
			}
		}
		err := s.TallyAll(func(kind uint32, factors, rows driver.Buffer) any {
			if s.Shape.Drawn || s.Shape.Shares > 0 {
				return LevelsTallyDrawn{N: n, Packs: packs, LastLevel: uint32(end), Chunks: uint32(s.Shape.Chunks()), Kind: kind, SourceMass: factors, Rows: rows}
			}
			return LevelsTally{N: n, Packs: packs, LastLevel: uint32(end), Chunks: uint32(s.Shape.Chunks()), SourceMass: factors, Rows: rows}
		})
		if err != nil {
			return err
		}
		if err := s.FoldParts("Sums"); err != nil {
			return err
		}
		if err := s.Read("Found", driver.Bytes(found[:(end+1)*(s.Shape.Packs+1)])); err != nil {
			return err
		}
		if wide, err := overflown(s); err != nil || wide {
			return cmp.Or(err, wave.ErrNarrow)
		}
		at := func(level int) uint32 { return found[level*(s.Shape.Packs+1)+s.Shape.Packs] }
		if at(end) == 0 {
			s.Entries = 0
			for level := range end {
				if at(level) > 0 {
					b.Deeper(level)
				}
				s.Entries += int64(at(level))
			}
			if s.Shape.Edges > 0 && s.Shape.Arcs == 0 {
				return s.Send(LevelsSend{N: n, Packs: packs, LastLevel: uint32(end), Chunks: uint32(s.Shape.Chunks()), Planes: uint32(s.Shape.LevelPlanes())})
			}
			if s.Shape.Arrives() {
				return s.Send(OverArrive{N: n, Packs: packs, LastLevel: uint32(end), Chunks: uint32(s.Shape.Chunks())})
			}
			return nil
		}
		if end == last {
			if b.Directed() {
				return wave.ErrTooDeep
			}
			return fmt.Errorf("%w: search of block %d goes past level %d, which none should reach", driver.ErrDevice, b.Number, end)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		end = min(end+max(end/2, 4), last)
	}
}

// overflown says whether a path count of the wave did not fit.
func overflown(s *wave.Wave) (bool, error) {
	if !s.Shape.Narrow {
		return false, nil
	}
	over := make([]uint32, 1)
	err := s.Read("Overflow", driver.Bytes(over))
	return over[0] != 0, err
}

// levelsSpan is how many vertices a team takes one after the other: many save launches,
// few share the work better.
func levelsSpan(s *wave.Wave) int {
	teams := s.Shape.Vertices * s.Shape.Packs
	return max(min(teams/(s.Device.ComputeUnits*512), driver.Team), 1)
}
