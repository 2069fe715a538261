package cpu

import (
	"context"
	"fmt"
	"slices"

	"bcstage/cpu/internal/invariants"
	"bcstage/cpu/internal/pages"
	"bcstage/preprocess"
)

// byLines is search for blocks whose rows are more than caches hold. In which
// level a vertex is, in which lanes, follows from the arcs without a number. So it lists
// what is to be added up in several levels, and then works out the numbers of one line of
// eight lanes after the other: the rows of a line are an eighth of all, and caches
// hold more of them.
//
// Of an undirected block the parts of an entry's score are kept until all lines are done,
// so that scores are added up as those of search are, to the same bits. Of a directed
// one they are added up line by line, which is less to do: the last bits differ from those of
// search, and with listRoom.
type byLines struct {
	search[float64] // its rows are by line, vertex, lane
	kernels         lineKernels
	room            int // rows and entries without rows that are listed before numbers are worked out

	listed   int      // rows
	enough   int      // likewise, for numbers to be worked out
	linked   []uint32 // entries that have rows, level by level
	last     []uint32 // entries that have none, which no path goes on from
	spans    []span
	keptSums [][lineLanes]float64 // room for frame.sums
	picked   []uint32             // room for the entries of a span that have lanes in a line
	linkage  [2]int               // of linked and last: where the next span begins
}

// span is some entries of a level that are listed: linked[first[0]:end[0]] and
// last[first[1]:end[1]].
type span struct {
	at         int
	first, end [2]int
	whole      bool // the level ends with it
}

const (
	// lineLanes is how many lanes make a line.
	lineLanes = cacheLine / 8
	// linesFrom is how many bytes of rows a block has at least that is searched line by line.
	linesFrom = 8 << 20
	// keptFrom is that of undirected blocks, of which more is to be kept; and they have
	// fewer levels than keptDepth: levels of a deep block are small, and whole rows of one stay in caches.
	keptFrom  = 16 << 20
	keptDepth = 16
	// listRoom is how many rows are listed at a time: more levels at a time have more
	// of a line at hand, but lists are read for every line.
	listRoom = 1 << 20
	// segmentEntries is after how many entries the context is looked at.
	segmentEntries = 1 << 12
	// listedAhead is how far kernels look ahead in the list.
	listedAhead = 24
)

// byLinesBytes is the memory that byLines takes of a block, for rows of so many bytes.
func byLinesBytes(b *preprocess.Block, row, lanes int) int64 {
	lists := int64(4+8+3*4) * int64(roomOfLists(b, min(listRoom, 4*len(b.Targets)))) // list, listMask; linked, last, picked
	parts := 8 * int64(entryRoom(b, lanes))
	if b.In == nil {
		parts += 8 * lineLanes * int64(min(b.Entries+b.Entries/3, b.Vertices()*lanes)) // keptSums
	}
	return laneBytes(b, row, lanes) - int64(4+8)*int64(b.Vertices()) + lists + parts
}

// isByLines says whether float64 numbers of a block are worked out line by line. It goes
// by the plan alone: equal batches give equal bits on every processor.
func isByLines(b *preprocess.Block) bool {
	if b.Flows != nil || b.Draws != nil {
		return false
	}
	row := rowBytes[float64](b.Lanes)
	if b.In == nil {
		return b.Vertices()*row >= keptFrom && b.Depth() < keptDepth
	}
	return b.Vertices()*row >= linesFrom
}

// Run computes a batch.
func (s *byLines) Run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	s.begin(b, b.Sources[batch.First:batch.First+batch.Count])
	s.memory, s.rows = pages.Aligned(s.memory, b.Vertices()*rowLanes[float64](batch.Count))
	s.enough = min(s.room, 4*len(b.Targets))
	room := roomOfLists(b, s.enough)
	s.list, s.listMask = resize(s.list, room), resize(s.listMask, room)
	s.linked, s.last, s.picked = reserve(s.linked, room), reserve(s.last, room), resize(s.picked, room)
	s.parts = resize(s.parts, cap(s.vertex))
	s.spans, s.listed, s.linkage = s.spans[:0], 0, [2]int{}
	s.dirty = true
	if err := s.out(ctx); err != nil {
		return preprocess.Result{}, err
	}
	if err := s.back(ctx); err != nil {
		return preprocess.Result{}, err
	}
	s.dirty = false
	return preprocess.Result{
		Batch:  batch,
		Scores: s.scores,
		Got:    s.got[:batch.Count],
		Want:   s.want[:batch.Count],
		Work:   preprocess.Work{FrontierEntries: int64(len(s.vertex)), RowLoads: s.rowLoads},
	}, nil
}

// roomOfLists is what lists need for so many rows and what is found at once.
func roomOfLists(b *preprocess.Block, enough int) int {
	return enough + max(b.Vertices(), segmentEntries) + listedAhead
}

// out finds the levels, and path counts.
func (s *byLines) out(ctx context.Context) error {
	last := slices.Max(s.start[:len(s.sources)])
	for at := 0; ; at++ {
		first := len(s.vertex)
		if at > 0 {
			s.stop(at)
			if err := s.candidates(ctx, s.levels[at-1]); err != nil {
				return err
			}
			if err := s.listReached(ctx, at, first); err != nil {
				return err
			}
			s.leave(s.here, s.levels[at-1])
			s.here, s.next = s.next, s.here
		}
		s.levels = append(s.levels, level{first, len(s.vertex), len(s.vertex)})
		s.seed(at)
		if l := s.levels[at]; l.first == l.seeds && at > last {
			return s.compute(ctx, s.countPaths)
		}
	}
}

// seed marks the sources whose level has come.
func (s *byLines) seed(at int) {
	for i, v := range s.sources {
		if s.start[i] == at {
			bit := uint64(1) << i
			s.seen[v] |= bit
			s.here[v] |= bit
			*s.number(v, i) = 1
			s.vertex, s.mask = append(s.vertex, v), append(s.mask, bit)
			s.levels[at].seeds++
		}
	}
}

// listReached lists those of the candidates from first on that some lane reaches, with
// the rows that their path counts are made of.
func (s *byLines) listReached(ctx context.Context, at, first int) error {
	count := len(s.vertex)
	s.parts = slices.Grow(s.parts, max(0, count-len(s.parts)))[:max(count, len(s.parts))]
	out := first
	for from := first; from < count; {
		begin, listed := out, s.listed
		from, out, s.listed = s.kernels.listOut(&s.frame, from, min(from+segmentEntries, count), out, listed, s.enough)
		s.rowLoads += int64(s.listed - listed)
		for i := begin; i < out; i++ {
			s.linked = append(s.linked, uint32(i))
		}
		if err := s.makeRoom(ctx, at, s.countPaths); err != nil {
			return err
		}
	}
	s.vertex, s.mask = s.vertex[:out], s.mask[:out]
	s.endSpan(at, true)
	return nil
}

// listLevel lists the entries of a level with the rows that their dependencies are made of.
func (s *byLines) listLevel(ctx context.Context, at int) error {
	l := s.levels[at]
	for from := l.first; from < l.end; {
		begin, listed := from, s.listed
		from, s.listed = s.kernels.listBack(&s.frame, from, min(from+segmentEntries, l.end), listed, s.enough)
		s.rowLoads += int64(s.listed - listed)
		for i, part := range s.parts[begin:from] {
			if part[0] < part[1] {
				s.linked = append(s.linked, uint32(begin+i))
			} else {
				s.last = append(s.last, uint32(begin+i))
			}
		}
		if err := s.makeRoom(ctx, at, s.depend); err != nil {
			return err
		}
	}
	s.endSpan(at, true)
	return nil
}

// endSpan has the entries listed since the last span make one.
func (s *byLines) endSpan(at int, whole bool) {
	end := [2]int{len(s.linked), len(s.last)}
	s.spans = append(s.spans, span{at, s.linkage, end, whole})
	s.linkage = end
}

// makeRoom works out the numbers of what is listed if that is enough.
func (s *byLines) makeRoom(ctx context.Context, at int, pass func(line int, rows []float64)) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.listed+len(s.last) < s.enough {
		return nil
	}
	s.endSpan(at, false)
	return s.compute(ctx, pass)
}

// compute has a pass go over what is listed, line by line, and empties the lists.
func (s *byLines) compute(ctx context.Context, pass func(line int, rows []float64)) error {
	size := s.block.Vertices() * lineLanes
	for line := range (len(s.sources) + lineLanes - 1) / lineLanes {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pass(line, s.rows[line*size:][:size])
	}
	s.spans, s.listed, s.linkage = s.spans[:0], 0, [2]int{}
	s.linked, s.last = s.linked[:0], s.last[:0]
	return nil
}

// pick picks those of the entries that have lanes in a line.
func (s *byLines) pick(entries []uint32, line int) []uint32 {
	return s.picked[:s.kernels.pick(&s.frame, line, entries, s.picked[:len(entries)+1])]
}

// countPaths is the pass on the way out.
func (s *byLines) countPaths(line int, rows []float64) {
	first, end := line*lineLanes, min((line+1)*lineLanes, len(s.sources))
	for _, x := range s.spans {
		clear(s.reached[first:end])
		s.kernels.forward(&s.frame, rows, line, s.pick(s.linked[x.first[0]:x.end[0]], line))
		for i := first; i < end; i++ {
			s.want[i] += s.reached[i] * float64(x.at-s.start[i]-1)
		}
	}
}

// back adds up dependencies from the deepest level to the first.
func (s *byLines) back(ctx context.Context) error {
	if preprocess.Invariants {
		if err := s.checkPaths(); err != nil {
			return err
		}
	}
	s.noteWaived(func(v uint32, lane int) float64 { return *s.number(v, lane) })
	if s.sums = nil; s.block.In == nil {
		s.keptSums = cleared(s.keptSums, len(s.vertex))
		s.sums = s.keptSums
	}
	for at := len(s.levels) - 2; at > 0; at-- {
		if err := s.listLevel(ctx, at); err != nil {
			return err
		}
		for i := range s.waived {
			if x := &s.waived[i]; s.here[x.vertex]>>x.lane&1 == 1 {
				x.level = at
			}
		}
		s.leave(s.next, s.levels[at+1])
		s.here, s.next = s.next, s.here
	}
	if err := s.compute(ctx, s.depend); err != nil {
		return err
	}
	s.addSums()
	return nil
}

// addSums adds up the scores of which parts are kept.
func (s *byLines) addSums() {
	if s.sums == nil {
		return
	}
	for at := len(s.levels) - 2; at > 0; at-- {
		for i := s.levels[at].first; i < s.levels[at].end; i++ {
			v := s.vertex[i]
			s.scores[v] += scoreSum(&s.sums[i]) / s.members(v)
		}
	}
}

// depend is the pass on the way back.
func (s *byLines) depend(line int, rows []float64) {
	backward := s.kernels.backward
	if s.sums != nil {
		backward = s.kernels.backwardKept
	}
	for _, x := range s.spans {
		backward(&s.frame, rows, line, s.pick(s.linked[x.first[0]:x.end[0]], line))
		s.kernels.last(&s.frame, rows, line, s.pick(s.last[x.first[1]:x.end[1]], line))
		for _, w := range s.waived {
			if x.whole && w.level == x.at && w.lane/lineLanes == line {
				*s.number(w.vertex, w.lane) -= s.waivedOf(w, x.at)
			}
		}
	}
}

// number is that of a vertex in a lane.
func (s *byLines) number(v uint32, lane int) *float64 {
	return &s.rows[(lane/lineLanes*s.block.Vertices()+int(v))*lineLanes+lane%lineLanes]
}

// checkPaths is that of search, of all entries but sources.
func (s *byLines) checkPaths() error {
	for _, l := range s.levels {
		for i := l.first; i < l.end; i++ {
			for lane := range s.sources {
				if s.mask[i]>>lane&1 == 0 {
					continue
				}
				if err := invariants.Paths(s.vertex[i], *s.number(s.vertex[i], lane)); err != nil {
					return fmt.Errorf("lane %d: %w", lane, err)
				}
			}
		}
	}
	return nil
}
