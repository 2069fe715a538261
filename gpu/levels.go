package gpu

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
)

// Levels looks at every vertex in every level: for small diameters.
const Levels Strategy = "level"

// levels is the method of kernels/levels.cl and levels_tally.cl.
type levels struct{}

//go:embed kernels/masks.cl
var masksSource string

//go:embed kernels/pull.cl
var pullSource string

//go:embed kernels/levels.cl
var levelsSource string

//go:embed kernels/levels_tally.cl
var levelsTallySource string

func (levels) name() Strategy { return Levels }

func (levels) source() string {
	return masksSource + pullOf("counts", "number", "total") + copiesAhead + pullOf("shares", "real", "real") + levelsSource + levelsTallySource + overOf() + patchesSource
}

// pullOf is kernels/pull.cl for rows of one type that are added up in another, with a
// word before its names.
func pullOf(before, value, sum string) string {
	return fmt.Sprintf("#define OF(name) %[1]s_##name\n#define VALUE %[2]s\n#define FETCH_VALUE fetch_%[2]s\n#define SUM %[3]s\n%[4]s#undef OF\n#undef VALUE\n#undef FETCH_VALUE\n#undef SUM\n", before, value, sum, pullSource)
}

// copiesAhead has what follows copy rows ahead. Path counts gain nothing by it: most of what they take is instructions.
const copiesAhead = "#ifdef COPIES\n#define AHEAD\n#endif\n"

func (levels) suits(found survey) (bool, string) {
	alone, _ := solo{}.suits(found)
	return !found.deep() && !alone, fmt.Sprintf("median depth %d of %d sources is at most %.0f", found.median, surveyed, found.limit())
}

// narrowPaths is how many paths a survey may see for counts to be kept in 32 bits: other
// sources see more, and a wave of theirs that does not fit is searched again.
const narrowPaths = 1 << 28

// errNarrow says that a path count did not fit 32 bits.
var errNarrow = errors.New("path counts pass 32 bits")

// levelsGroup is how many work-items a work-group has. Its vertices have very different
// numbers of neighbours, and its place on the device is free again when the last is done.
const levelsGroup = 128

// manyLevels is from how deep searches on that work-groups are as large as others'. Most
// vertices are in none of so many levels at hand, and what counts is how many
// work-groups begin, to find nothing: web-NotreDame, 21 levels and directed 50, is 1.13
// times as fast so; graphs of up to 11 levels are slower by up to a fifth.
const manyLevels = 16

// fit mixes sources where hubs rule the distances: see engine.Choice.Mixed.
func (levels) fit(s shape, found survey) (shape, error) {
	s.mixed, s.patched = found.hubs, found.fewEdges
	if found.most < manyLevels {
		s.group = levelsGroup
	}
	s.narrow = s.number == 8 && found.paths < narrowPaths
	return s, nil
}

func (levels) buffers(s shape) map[string]int64 {
	packs, rows := int64(s.packs), int64(s.packs)*int64(s.vertices)
	lanes, words := int64(s.lanes()), int64(s.words)
	size := map[string]int64{
		"Paths":    rows * lanes * int64(s.number),
		"Shares":   rows * lanes * int64(s.number),
		"Frontier": int64(s.levels) * rows * words * 4,
		"Seen":     rows * words * 4,
		"Reached":  rows * words * 4,
		"Found":    int64(s.levels) * (packs + 1) * 4,
		"Overflow": 4,
	}
	if s.narrow {
		size["Counts"] = rows * lanes * 4
	}
	return size
}

// Calls of kernels/levels.cl and levels_tally.cl.
type (
	levelsClear struct {
		N, Packs, Levels                      uint32
		Used, Frontier, Seen, Found, Overflow buffer
	}
	levelsSeed struct {
		N, Packs                              uint32
		Source, Frontier, Seen, Counts, Found buffer
	}
	levelsFirst struct {
		N, Packs                       uint32
		Ptr, Adj, Multiplicity, Source buffer
		Frontier, Seen, Counts, Found  buffer
	}
	levelsForward struct {
		N, Packs, Level, Hubs, Most, Span uint32
		Ptr, Adj, Hub, Multiplicity       buffer
		Frontier, Seen, Reached           buffer
		Counts, Found, Overflow           buffer
	}
	levelsBackward struct {
		N, Packs, Level, LastLevel, Hubs, Most, Span uint32
		Ptr, Adj, Hub, TargetMass, Multiplicity      buffer
		Frontier, Counts, Paths, Shares, Found       buffer
	}
	levelsWaive struct {
		N, Packs, Level, LastLevel, Count    uint32
		WaivedLane, WaivedVertex, WaivedMass buffer
		TargetMass, Frontier, Found          buffer
		Paths, Shares, WaivedLevel           buffer
	}
	levelsTally struct {
		N, Packs, LastLevel, Chunks        uint32
		TargetMass, Frontier, Found, Paths buffer
		SourceMass, Rows, Parts            buffer
	}
	levelsTallyDrawn struct {
		N, Packs, LastLevel, Chunks, Squared uint32
		TargetMass, Frontier, Found, Paths   buffer
		SourceMass, Rows, Parts              buffer
	}
)

// search launches as many levels as the deepest search so far had, both passes
// and the sums after them, and then looks once whether that was enough.
func (levels) search(ctx context.Context, s *stream) error {
	t, g := s.task, s.graph
	n, packs := uint32(s.shape.vertices), uint32(s.shape.packs)
	rows := s.shape.vertices * s.shape.packs
	found := make([]uint32, s.shape.levels*(s.shape.packs+1))
	group := s.group()
	teams := group / team
	span := levelsSpan(s)
	spans := (s.shape.vertices + teams*span - 1) / (teams * span)
	lanes := s.shape.packs * s.shape.lanes()
	counts := s.memory["Paths"]
	if s.shape.narrow {
		counts = s.memory["Counts"]
	}

	if s.shape.arcs > 0 {
		if err := s.clearCells(); err != nil {
			return err
		}
	}
	if err := s.launch(levelsClear{N: n, Packs: packs, Levels: uint32(s.shape.levels)}, s.flat(rows), 1); err != nil {
		return err
	}
	if err := s.launch(levelsSeed{N: n, Packs: packs, Counts: counts}, (lanes+group-1)/group, 1); err != nil {
		return err
	}
	if err := s.launch(levelsFirst{N: n, Packs: packs, Counts: counts}, s.shape.lanes(), s.shape.packs); err != nil {
		return err
	}
	last := s.shape.levels - 1 // that may have vertices, or must not
	for level, end := 1, min(t.deeper(0)+1, last); ; {
		for ; level < end; level++ {
			if level == t.block.Cutoff {
				continue // beyond are none that count
			}
			call := levelsForward{N: n, Packs: packs, Level: uint32(level), Hubs: uint32(g.in.hubs), Most: uint32(g.in.most), Span: uint32(span),
				Ptr: g.way("Ptr"), Adj: g.way("Adj"), Hub: g.way("Hub"), Counts: counts}
			call.Seen, call.Reached = s.memory["Seen"], s.memory["Reached"]
			if level%2 == 0 {
				call.Seen, call.Reached = call.Reached, call.Seen
			}
			if err := s.levelsOut(call, g.in.hubs+spans); err != nil {
				return err
			}
		}
		for back := end - 1; back > 0; back-- {
			call := levelsBackward{N: n, Packs: packs, Level: uint32(back), LastLevel: uint32(end), Hubs: uint32(g.out.hubs), Most: uint32(g.out.most), Span: uint32(span), Counts: counts}
			if err := s.levelsBack(call, g.out.hubs+spans); err != nil {
				return err
			}
			waive := levelsWaive{N: n, Packs: packs, Level: uint32(back), LastLevel: uint32(end), Count: uint32(len(s.waivers.lane))}
			if err := s.waive(waive, back); err != nil {
				return err
			}
		}
		if s.shape.arcs > 0 { // and from the sources
			call := overSources{N: n, Packs: packs, Arcs: uint32(s.shape.arcs), LastLevel: uint32(end)}
			if err := s.launch(call, s.shape.lanes(), s.shape.packs); err != nil {
				return err
			}
		}
		for _, call := range tallies(s, levelsTally{N: n, Packs: packs, LastLevel: uint32(end), Chunks: uint32(s.shape.chunks())}) {
			if err := s.tally(call); err != nil {
				return err
			}
		}
		if err := s.foldParts(); err != nil {
			return err
		}
		if err := s.queue.read(s.memory["Found"], 0, bytesOf(found[:(end+1)*(s.shape.packs+1)])); err != nil {
			return err
		}
		if wide, err := s.overflown(); err != nil || wide {
			return cmp.Or(err, errNarrow)
		}
		at := func(level int) uint32 { return found[level*(s.shape.packs+1)+s.shape.packs] }
		if at(end) == 0 {
			s.entries = 0
			for level := range end {
				if at(level) > 0 {
					t.deeper(level)
				}
				s.entries += int64(at(level))
			}
			if s.shape.edges > 0 && s.shape.arcs == 0 {
				return s.send(levelsSend{N: n, Packs: packs, LastLevel: uint32(end), Chunks: uint32(s.shape.chunks()), Planes: uint32(s.shape.levelPlanes())})
			}
			if s.shape.arrives() {
				return s.send(overArrive{N: n, Packs: packs, LastLevel: uint32(end), Chunks: uint32(s.shape.chunks())})
			}
			return nil
		}
		if end == last {
			if t.block.Directed() {
				return errTooDeep
			}
			return fmt.Errorf("%w: search of block %d goes past level %d, which none should reach", ErrDevice, t.number, end)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		end = min(end+max(end/2, 4), last)
	}
}

// tallies are the calls that make rows of D: one, or one for each sum of a block that
// has Draws. (One kernel for the three of them loses rows under PoCL 3.1.)
func tallies(s *stream, call levelsTally) []any {
	if !s.shape.drawn {
		return []any{call}
	}
	drawn := levelsTallyDrawn{N: call.N, Packs: call.Packs, LastLevel: call.LastLevel, Chunks: call.Chunks}
	first, second, third := drawn, drawn, drawn
	second.SourceMass, second.Rows = s.memory["Draws"], s.memory["DrawnRows"]
	third.SourceMass, third.Rows, third.Squared = s.memory["Draws"], s.memory["SquareRows"], 1
	return []any{first, second, third}
}

// overflown says whether a path count of the wave did not fit.
func (s *stream) overflown() (bool, error) {
	if !s.shape.narrow {
		return false, nil
	}
	over := make([]uint32, 1)
	err := s.queue.read(s.memory["Overflow"], 0, bytesOf(over))
	return over[0] != 0, err
}

// levelsSpan is how many vertices a team takes one after the other: many save
// launching, few share the work better.
func levelsSpan(s *stream) int {
	teams := s.shape.vertices * s.shape.packs
	return max(min(teams/(s.engine.device.ComputeUnits*512), team), 1)
}
