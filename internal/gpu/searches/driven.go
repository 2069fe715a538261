package searches

import "context"

// driven is a strategy with which the device goes from round to round by itself. The
// state of the search is in memory that only kernels write (kernels/narrow.cl). The host
// launches cycles, all alike: wide rounds, each followed by a crew, one work-group that
// does narrow rounds alone. So a search of a thousand narrow rounds is a few launches.
type driven interface {
	// own returns the first value of progress[OWN].
	own(s *Search) uint32
	// crew launches the work-group that takes over the last round's results, and
	// continues.
	crew(s *Search)
	// wide launches a round that the crew has left.
	wide(s *Search)
}

// driving has the passes that driven strategies do not use.
type driving struct{}

func (driving) forward(*Search, round)  {}
func (driving) backward(*Search, round) {}

// depart is a call of kernels/narrow.cl.
type depart struct {
	N, Source, Own              uint32
	Ptr, Offers, Dist           Buffer
	Marks, Far, Fault           Buffer
	Queue, Starts, Bases, Sizes Buffer
	Progress                    Buffer
}

// Words of progress that the host reads.
const (
	progressRound   = 0
	progressPending = 1
	progressWords   = 8
)

// Cycles are launched ahead, before the host checks how far the search is. At first it
// launches aheadFirst, then a part of the cycles so far, but at most aheadMost: a check
// takes as long as launching a kernel or two, and cycles after the end are wasted.
const (
	aheadFirst = 4
	aheadPart  = 4
	aheadMost  = 16
)

// drive searches from a source.
func (s *Search) drive(ctx context.Context, d driven, source uint32) error {
	n := s.graph.Vertices()
	s.all(depart{N: uint32(n), Source: source, Own: d.own(s)}, n)
	d.crew(s)
	for ahead, all := aheadFirst, 0; ; ahead = min(max(all/aheadPart, 1), aheadMost) {
		all += ahead
		if err := ctx.Err(); err != nil {
			return err
		}
		for range ahead {
			d.wide(s)
			d.crew(s)
		}
		progress := make([]uint32, progressWords)
		if s.read("Progress", bytesOf(progress)); progress[progressPending] == 0 {
			s.depth = int(progress[progressRound])
			return s.err
		}
	}
}
