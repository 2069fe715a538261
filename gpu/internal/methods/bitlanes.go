package methods

import (
	"context"
	"slices"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/kernels"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/engine"
)

// Bitlanes keeps a bit per vertex and source and counts nothing: for blocks searched for
// distances alone. It is the only method for these, whatever strategy is asked for.
const Bitlanes wave.Strategy = "bitlanes"

// bitlanes is the method of kernels/bitlanes.cl.
type bitlanes struct{}

func (bitlanes) Name() wave.Strategy { return Bitlanes }

func (bitlanes) Source() string { return kernels.Text("bitlanes") }

func (bitlanes) suits(found survey.Findings) (bool, string) {
	return found.Distances, "distances are all that is asked for"
}

// RowWords is the number of words of a row: together 32 bytes, the least that memory moves.
const RowWords = 8

// Fit sets how far a level is found by its edges. In a deep block levels are small, and most
// are found so. Elsewhere only small frontiers are, and more work-items handle the vertices.
// On one H200 the former takes 0.6 and 0.5 of the time of the latter on delaunay_n16 and
// t60k, and 1.08 on an R-MAT graph of scale 17.
func (bitlanes) Fit(s wave.Shape, found survey.Findings) (wave.Shape, error) {
	s.Words, s.Distances = RowWords, true
	s.Small, s.Span = s.Vertices/64, 16
	if found.Deep() {
		s.Small, s.Span = s.Vertices/4, 256
	}
	return s, nil
}

func (bitlanes) Buffers(s wave.Shape) map[string]int64 {
	packs, n := int64(s.Packs), int64(s.Vertices)
	bits := packs * ((n + driver.Team - 1) / driver.Team) * 4
	return map[string]int64{
		"Here":    packs * n * RowWords * 4,
		"Next":    packs * n * RowWords * 4,
		"Seen":    packs * n * RowWords * 4,
		"Front":   3 * bits,
		"Touched": 3 * bits,
		"Shut":    bits,
		"Shuts":   bits,
		"Met":     3 * packs * 4,
		"Done":    packs * 4,
		"Over":    packs * 4,
		"Counts":  n * 4,
		"Totals":  n * Sums * 8,
	}
}

// BitHub is the degree above which a work-group of `group` work-items takes a vertex: it
// reads a strip of edges at least. Where levels take long anyway, eight work-items find more
// of the vertices, as they stop sooner: an R-MAT graph of scale 22 takes 0.82 of the time on
// an H200.
func BitHub(group, edges int) int {
	if edges >= 1<<21 {
		return 8 * group
	}
	return 2 * group
}

// Sums is the number of sums of a vertex: see bitlanes_settle.
const Sums = 5

// Calls of kernels/bitlanes.cl.
type (
	BitlanesClear struct {
		N, Packs                                      uint32
		Used, Here, Seen, Front, Touched, Shut, Shuts driver.Buffer
		Met, Done, Over                               driver.Buffer
	}
	BitlanesSeed struct {
		N, Packs                                         uint32
		Source, Ptr, Adj, Here, Seen, Front, Counts, Met driver.Buffer
	}
	BitlanesLevel struct {
		N, Packs, Level, Small, Span, Hubs, Most uint32
		Ptr, Adj, InPtr, InAdj, Hub              driver.Buffer
		Here, Next, Seen, Counts, Front, Touched driver.Buffer
		Shut, Shuts, Met, Done, Over             driver.Buffer
	}
	BitlanesSettle struct {
		N, Packs, Level, Low, High                                   uint32
		Counts, Totals, Front, Touched, Shut, Shuts, Met, Done, Over driver.Buffer
	}
)

// Inverse is 1/level in units of Found.Harmonic, in two halves of 32 bits.
func Inverse(level uint32) (low, high uint32) {
	x := (1<<engine.HarmonicBits + uint64(level)/2) / uint64(level)
	return uint32(x), uint32(x >> 32)
}

// Search adds the results of the wave's sources to the totals. It launches as many levels as
// the deepest search so far had, and then checks whether some pack goes on.
func (bitlanes) Search(ctx context.Context, s *wave.Wave) error {
	n, packs := uint32(s.Shape.Vertices), uint32(s.Shape.Packs)
	way := s.Graph.In
	rows := s.Group() / RowWords
	if s.Device.Warp {
		rows = s.Group() / driver.Team * s.Shape.Span
	}
	groups := way.Hubs + (s.Shape.Vertices+rows-1)/rows

	if err := s.Launch(BitlanesClear{N: n, Packs: packs}, s.Flat(s.Shape.Vertices*RowWords), s.Shape.Packs); err != nil {
		return err
	}
	if err := s.Launch(BitlanesSeed{N: n, Packs: packs}, s.Shape.Lanes(), s.Shape.Packs); err != nil {
		return err
	}
	over := make([]uint32, packs)
	last := s.Block.Cutoff // 0: none
	level := uint32(1)
	for known := max(s.Block.Deeper(0), 1); ; {
		if last > 0 {
			known = min(known, last)
		}
		for ; int(level) <= known; level++ {
			if level > 1 { // the seeds have found level 1
				call := BitlanesLevel{N: n, Packs: packs, Level: level, Small: uint32(s.Shape.Small), Span: uint32(s.Shape.Span), Hubs: uint32(way.Hubs), Most: uint32(way.Most),
					InPtr: s.Graph.Way("Ptr"), InAdj: s.Graph.Way("Adj"), Hub: s.Graph.Way("Hub")}
				call.Here, call.Next = s.Memory["Here"], s.Memory["Next"]
				if level%2 == 1 {
					call.Here, call.Next = call.Next, call.Here
				}
				if err := s.Launch(call, groups, s.Shape.Packs); err != nil {
					return err
				}
			}
			settle := BitlanesSettle{N: n, Packs: packs, Level: level}
			settle.Low, settle.High = Inverse(level)
			if err := s.Launch(settle, s.Flat(s.Shape.Vertices), 1); err != nil {
				return err
			}
			if level%Ahead == 0 {
				if err := s.Pause(ctx); err != nil {
					return err
				}
			}
		}
		if err := s.Read("Over", driver.Bytes(over)); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if !slices.Contains(over, 0) || known == last {
			return nil
		}
		s.Block.Deeper(known)
		known += max(known/8, 1)
	}
}
