package gpu

import (
	"context"
	_ "embed"
	"slices"

	"bcstage/preprocess"
)

// Bitlanes keeps a bit per vertex and source and counts nothing: for blocks that are
// searched for distances alone. It is no choice beside those that count paths, but the
// only one there, whatever strategy is asked for.
const Bitlanes Strategy = "bitlanes"

// bitlanes is the method of kernels/bitlanes.cl.
type bitlanes struct{}

//go:embed kernels/bitlanes.cl
var bitlanesSource string

func (bitlanes) name() Strategy { return Bitlanes }

func (bitlanes) source() string { return bitlanesSource }

func (bitlanes) suits(found survey) (bool, string) {
	return found.distances, "distances are all that is asked for"
}

// rowWords are those of a row: together 32 bytes, the least that memory moves.
const rowWords = 8

// fit: of a deep block a level is a small part, which is found by its edges; where that
// does not pay, only small frontiers are followed so, and vertices are looked after by more
// work-items. On one H200 the former takes 0.6 and 0.5 of the time of the latter on
// delaunay_n16 and t60k, and 1.08 on an R-MAT graph of scale 17.
func (bitlanes) fit(s shape, found survey) (shape, error) {
	s.words, s.distances = rowWords, true
	s.small, s.span = s.vertices/64, 16
	if found.deep() {
		s.small, s.span = s.vertices/4, 256
	}
	return s, nil
}

func (bitlanes) buffers(s shape) map[string]int64 {
	packs, n := int64(s.packs), int64(s.vertices)
	bits := packs * ((n + team - 1) / team) * 4
	return map[string]int64{
		"Here":    packs * n * rowWords * 4,
		"Next":    packs * n * rowWords * 4,
		"Seen":    packs * n * rowWords * 4,
		"Front":   3 * bits,
		"Touched": 3 * bits,
		"Shut":    bits,
		"Shuts":   bits,
		"Met":     3 * packs * 4,
		"Done":    packs * 4,
		"Over":    packs * 4,
		"Counts":  n * 4,
		"Totals":  n * totals * 8,
	}
}

// bitHub is the degree above which a work-group of so many work-items takes a vertex: a
// strip of edges, at which it looks at least. Where a level takes long anyway, that of more
// vertices is found sooner by eight work-items, which stop sooner: an R-MAT graph of scale
// 22 takes 0.82 of the time on an H200.
func bitHub(group, edges int) int {
	if edges >= 1<<21 {
		return 8 * group
	}
	return 2 * group
}

// totals are the sums that a vertex has: see bitlanes_settle.
const totals = 5

// Calls of kernels/bitlanes.cl.
type (
	bitlanesClear struct {
		N, Packs                                      uint32
		Used, Here, Seen, Front, Touched, Shut, Shuts buffer
		Met, Done, Over                               buffer
	}
	bitlanesSeed struct {
		N, Packs                                         uint32
		Source, Ptr, Adj, Here, Seen, Front, Counts, Met buffer
	}
	bitlanesLevel struct {
		N, Packs, Level, Small, Span, Hubs, Most uint32
		Ptr, Adj, InPtr, InAdj, Hub              buffer
		Here, Next, Seen, Counts, Front, Touched buffer
		Shut, Shuts, Met, Done, Over             buffer
	}
	bitlanesSettle struct {
		N, Packs, Level, Low, High                                   uint32
		Counts, Totals, Front, Touched, Shut, Shuts, Met, Done, Over buffer
	}
)

// inverse is 1/level in units of Found.Harmonic, in halves of 32 bits.
func inverse(level uint32) (low, high uint32) {
	x := (1<<preprocess.HarmonicBits + uint64(level)/2) / uint64(level)
	return uint32(x), uint32(x >> 32)
}

// search adds what the wave's sources find to the totals. It launches as many levels
// as the deepest search so far had, and then looks whether some pack goes on.
func (bitlanes) search(ctx context.Context, s *stream) error {
	n, packs := uint32(s.shape.vertices), uint32(s.shape.packs)
	way := s.graph.in
	rows := s.group() / rowWords
	if s.engine.device.warp {
		rows = s.group() / team * s.shape.span
	}
	groups := way.hubs + (s.shape.vertices+rows-1)/rows

	if err := s.launch(bitlanesClear{N: n, Packs: packs}, s.flat(s.shape.vertices*rowWords), s.shape.packs); err != nil {
		return err
	}
	if err := s.launch(bitlanesSeed{N: n, Packs: packs}, s.shape.lanes(), s.shape.packs); err != nil {
		return err
	}
	over := make([]uint32, packs)
	last := s.task.block.Cutoff // 0: none
	level := uint32(1)
	for known := max(s.task.deeper(0), 1); ; {
		if last > 0 {
			known = min(known, last)
		}
		for ; int(level) <= known; level++ {
			if level > 1 { // which the seeds have found
				call := bitlanesLevel{N: n, Packs: packs, Level: level, Small: uint32(s.shape.small), Span: uint32(s.shape.span), Hubs: uint32(way.hubs), Most: uint32(way.most),
					InPtr: s.graph.way("Ptr"), InAdj: s.graph.way("Adj"), Hub: s.graph.way("Hub")}
				call.Here, call.Next = s.memory["Here"], s.memory["Next"]
				if level%2 == 1 {
					call.Here, call.Next = call.Next, call.Here
				}
				if err := s.launch(call, groups, s.shape.packs); err != nil {
					return err
				}
			}
			settle := bitlanesSettle{N: n, Packs: packs, Level: level}
			settle.Low, settle.High = inverse(level)
			if err := s.launch(settle, s.flat(s.shape.vertices), 1); err != nil {
				return err
			}
			if level%ahead == 0 {
				if err := s.pause(ctx); err != nil {
					return err
				}
			}
		}
		if err := s.queue.read(s.memory["Over"], 0, bytesOf(over)); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if !slices.Contains(over, 0) || known == last {
			return nil
		}
		s.task.deeper(known)
		known += max(known/8, 1)
	}
}
