package gpu

import (
	"context"
	_ "embed"

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

func (bitlanes) fit(s shape, _ survey) (shape, error) {
	s.words, s.distances = rowWords, true
	return s, nil
}

func (bitlanes) buffers(s shape) map[string]int64 {
	packs, n := int64(s.packs), int64(s.vertices)
	return map[string]int64{
		"Here":   packs * n * rowWords * 4,
		"Next":   packs * n * rowWords * 4,
		"Seen":   packs * n * rowWords * 4,
		"Met":    3 * packs * 4,
		"Open":   3 * packs * 4,
		"Counts": n * 4,
		"Totals": n * totals * 8,
	}
}

// totals are the sums that a vertex has: see bitlanes_settle.
const totals = 5

// Calls of kernels/bitlanes.cl.
type (
	bitlanesClear struct {
		N                uint32
		Used, Here, Seen buffer
	}
	bitlanesSeed struct {
		N, Packs                      uint32
		Source, Here, Seen, Met, Open buffer
	}
	bitlanesLevel struct {
		N, Packs, Level, Hubs, Most         uint32
		Ptr, Adj, Hub                       buffer
		Here, Next, Seen, Counts, Met, Open buffer
	}
	bitlanesSettle struct {
		N, Packs, Level, Low, High uint32
		Counts, Totals, Met, Open  buffer
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
	group := s.engine.device.group
	way := s.graph.in
	rows := group / rowWords
	groups := way.hubs + (s.shape.vertices+rows-1)/rows

	if err := s.launch(bitlanesClear{N: n}, s.flat(s.shape.vertices*rowWords), s.shape.packs); err != nil {
		return err
	}
	if err := s.launch(bitlanesSeed{N: n, Packs: packs}, (s.shape.packs*s.shape.lanes()+group-1)/group, 1); err != nil {
		return err
	}
	met, open := make([]uint32, packs), make([]uint32, packs)
	last := s.task.block.Cutoff // 0: none
	level := uint32(1)
	for known := max(s.task.deeper(0), 1); ; {
		if last > 0 {
			known = min(known, last)
		}
		for ; int(level) <= known; level++ {
			call := bitlanesLevel{N: n, Packs: packs, Level: level, Hubs: uint32(way.hubs), Most: uint32(way.most),
				Ptr: s.graph.way("Ptr"), Adj: s.graph.way("Adj"), Hub: s.graph.way("Hub")}
			call.Here, call.Next = s.memory["Here"], s.memory["Next"]
			if level%2 == 0 {
				call.Here, call.Next = call.Next, call.Here
			}
			if err := s.launch(call, groups, s.shape.packs); err != nil {
				return err
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
		at := int((level-1)%3) * len(met) * 4
		if err := s.queue.read(s.memory["Met"], at, bytesOf(met)); err != nil {
			return err
		}
		if err := s.queue.read(s.memory["Open"], at, bytesOf(open)); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		goesOn := false
		for pack := range met {
			goesOn = goesOn || met[pack] != 0 && open[pack] != 0
		}
		if !goesOn || known == last {
			return nil
		}
		s.task.deeper(known)
		known += max(known/8, 1)
	}
}
