package cpu

import (
	"context"
	"errors"
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
// one, and where sources are drawn, they are added up line by line, which is less to do: the last bits differ from those of
// search, and with listRoom.
type byLines struct {
	search[float64] // its rows are by line, vertex, lane
	kernels         lineKernels
	room            int // rows and entries without rows that are listed before numbers are worked out

	listed   int   // rows
	enough   int   // likewise, for numbers to be worked out
	linked   links // entries that have rows, level by level
	last     links // entries that have none, which no path goes on from
	spans    []span
	keptSums [][lineLanes]float64 // room for frame.sums
	begins   [3]int               // where the next span begins: see span.first
	aside    deadEnds
}

// span is some entries of a level, and the rows listed for them: first..end-1 of linked, of
// last and of the list.
type span struct {
	at         int
	first, end [3]int
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
	// spanRows and spanEntries are after how many rows, or entries, a span ends, so that what
	// a line has of it stays at hand, and the context is looked at.
	spanRows    = 1 << 12
	spanEntries = 1 << 12
	// listedAhead is how far kernels look ahead in the list.
	listedAhead = 24
)

// isByLines says whether float64 numbers of a block are worked out line by line. It goes
// by the plan alone: equal batches give equal bits on every processor. Offsets within
// a line have 32 bits.
func isByLines(b *preprocess.Block) bool {
	if b.Flows != nil || b.Vertices() > 1<<32/cacheLine {
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
	if s.block != b {
		if err := s.findDeadEnds(ctx, b); err != nil {
			s.block = nil // they are those of no block
			return preprocess.Result{}, err
		}
	}
	s.prepare(b, batch)
	err := s.out(ctx)
	if errors.Is(err, errDeep) {
		aside := s.aside
		s.aside = deadEnds{}
		defer func() { s.aside = aside }()
		s.prepare(b, batch)
		err = s.out(ctx)
	}
	if err == nil {
		err = s.back(ctx)
	}
	if err != nil {
		return preprocess.Result{}, err
	}
	s.forgetSources()
	s.dirty = false
	return preprocess.Result{
		Batch:  batch,
		Scores: s.scores,
		Got:    s.got[:batch.Count],
		Want:   s.want[:batch.Count],
		Work:   preprocess.Work{FrontierEntries: int64(len(s.vertex)), RowLoads: s.rowLoads},

		Drawn:   s.drawn,
		Squares: s.squares,
	}, nil
}

// errDeep: levels are more than 16 bits count.
var errDeep = errors.New("cpu: too many levels to leave out dead ends")

// prepare makes everything ready for a batch.
func (s *byLines) prepare(b *preprocess.Block, batch preprocess.Batch) {
	dirty := s.dirty || s.block != b
	s.begin(b, b.Sources[batch.First:batch.First+batch.Count])
	s.memory, s.rows = pages.Aligned(s.memory, b.Vertices()*rowLanes[float64](batch.Count))
	s.prepareDraws(b, s.sources)
	s.enough = min(s.room, 4*len(b.Targets))
	room := roomOfLists(b, s.enough)
	s.list, s.listMask = resize(s.list, room), resize(s.listMask, room)
	s.linked.reserve(room)
	s.last.reserve(room)
	s.line.room(roomOfSpan(b), spanEntries)
	s.parts = resize(s.parts, cap(s.vertex))
	s.spans, s.listed, s.begins = s.spans[:0], 0, [3]int{}
	if s.aside.of != nil {
		s.leaveOutDeadEnds(dirty)
	}
	s.dirty = true
}

// roomOfLists is what lists need for so many rows and what is found at once.
func roomOfLists(b *preprocess.Block, enough int) int {
	return enough + max(b.Vertices(), spanEntries) + listedAhead
}

// roomOfSpan is how many rows a span has at most: the last entry may have as many as there
// are vertices.
func roomOfSpan(b *preprocess.Block) int { return spanRows + b.Vertices() }

// out finds the levels, and path counts.
func (s *byLines) out(ctx context.Context) error {
	last := slices.Max(s.start[:len(s.sources)])
	for at := 0; ; at++ {
		first := len(s.vertex)
		if at > 0 {
			if s.aside.of != nil && at >= levelZero-noLevel {
				return errDeep
			}
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
			if err := s.compute(ctx, s.countPaths); err != nil {
				return err
			}
			return s.reachDeadEnds(ctx)
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
			s.rows[s.index(v, i)] = 1
			if s.aside.of != nil {
				s.aside.levels[s.index(v, i)] = uint16(levelZero - at)
			}
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
		if err := s.makeRoom(ctx, s.countPaths); err != nil {
			return err
		}
		begin, listed := out, s.listed
		from, out, s.listed = s.kernels.listOut(&s.frame, from, min(from+spanEntries, count), out, listed, min(listed+spanRows, s.enough))
		s.rowLoads += int64(s.listed - listed)
		linked := s.linked.room(out - begin)
		copy(s.linked.vertex[linked:], s.vertex[begin:out])
		copy(s.linked.mask[linked:], s.mask[begin:out])
		ends := s.linked.end[linked:]
		for i, part := range s.parts[begin:out] {
			ends[i] = part[1] - uint32(listed)
		}
		s.endSpan(at, from == count)
	}
	s.vertex, s.mask = s.vertex[:out], s.mask[:out]
	return nil
}

// listLevel lists the entries of a level with the rows that their dependencies are made of.
func (s *byLines) listLevel(ctx context.Context, at int) error {
	l := s.levels[at]
	for from := l.first; from < l.end; {
		if err := s.makeRoom(ctx, s.depend); err != nil {
			return err
		}
		begin, listed := from, s.listed
		from, s.listed = s.kernels.listBack(&s.frame, from, min(from+spanEntries, l.end), listed, min(listed+spanRows, s.enough))
		s.rowLoads += int64(s.listed - listed)
		s.link(begin, from, uint32(listed))
		s.endSpan(at, from == l.end)
	}
	return nil
}

// link adds entries to linked or to last. Which of the two decides no branch, which would be
// mispredicted.
func (s *byLines) link(first, end int, listed uint32) {
	linked, last := s.linked.room(end-first), s.last.room(end-first)
	for i, v := range s.vertex[first:end] {
		mask, part := s.mask[first+i], s.parts[first+i]
		s.linked.vertex[linked], s.linked.mask[linked], s.linked.end[linked], s.linked.number[linked] = v, mask, part[1]-listed, uint32(first+i)
		s.last.vertex[last], s.last.mask[last] = v, mask
		has := nonzero(uint64(part[1] - part[0]))
		if s.aside.of != nil {
			has |= int(s.aside.leads[v])
		}
		linked += has
		last += 1 - has
	}
	s.linked.cut(linked)
	s.last.cut(last)
}

// endSpan has the entries listed since the last span make one.
func (s *byLines) endSpan(at int, whole bool) {
	end := [3]int{len(s.linked.vertex), len(s.last.vertex), s.listed}
	s.spans = append(s.spans, span{at, s.begins, end, whole})
	s.begins = end
}

// makeRoom works out the numbers of what is listed if that is enough, before more is. A
// level's last span stays listed until its waivers are known.
func (s *byLines) makeRoom(ctx context.Context, pass func(line int, rows []float64)) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.listed+len(s.last.vertex) < s.enough {
		return nil
	}
	return s.compute(ctx, pass)
}

// compute has a pass go over what is listed, line by line, and empties the lists.
func (s *byLines) compute(ctx context.Context, pass func(line int, rows []float64)) error {
	size := s.block.Vertices() * lineLanes
	for line := range s.lines() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.setLine(line)
		pass(line, s.rows[line*size:][:size])
	}
	s.spans, s.listed, s.begins = s.spans[:0], 0, [3]int{}
	s.linked.reserve(0)
	s.last.reserve(0)
	return nil
}

// keep has the frame's line hold what it has of a span, but for the last entries, and
// counts the entries.
func (s *byLines) keep(line int, x span) int {
	s.kernels.keepRows(&s.frame, line, x.first[2], x.end[2])
	linked := s.linked.slice(x.first[0], x.end[0])
	return s.kernels.keepEntries(&s.frame, line, &linked)
}

// countPaths is the pass on the way out.
func (s *byLines) countPaths(line int, rows []float64) {
	first, end := line*lineLanes, min((line+1)*lineLanes, len(s.sources))
	for _, x := range s.spans {
		clear(s.reached[first:end])
		s.level = uint16(levelZero - x.at)
		s.kernels.forward(&s.frame, rows, line, s.keep(line, x))
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
	s.noteWaived(func(v uint32, lane int) float64 { return s.rows[s.index(v, lane)] })
	if s.sums = nil; s.block.In == nil && s.drawn == nil {
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
	backward, last := s.kernels.backward, s.kernels.last
	switch {
	case s.drawn != nil:
		backward, last = s.kernels.backwardDrawn, s.kernels.lastDrawn
	case s.sums != nil:
		backward = s.kernels.backwardKept
	}
	for _, x := range s.spans {
		if s.drawn != nil {
			s.weighLevel(x.at)
		}
		backward(&s.frame, rows, line, s.keep(line, x))
		none := s.last.slice(x.first[1], x.end[1])
		last(&s.frame, rows, line, s.kernels.keepEntries(&s.frame, line, &none))
		for _, w := range s.waived {
			if x.whole && w.level == x.at && w.lane/lineLanes == line {
				s.rows[s.index(w.vertex, w.lane)] -= s.waivedOf(w, x.at)
			}
		}
	}
}

// index is where the number of a vertex in a lane is.
func (s *byLines) index(v uint32, lane int) int {
	return (lane/lineLanes*s.block.Vertices()+int(v))*lineLanes + lane%lineLanes
}

// checkPaths is that of search, of all entries but sources.
func (s *byLines) checkPaths() error {
	for _, l := range s.levels {
		for i := l.first; i < l.end; i++ {
			for lane := range s.sources {
				if s.mask[i]>>lane&1 == 0 {
					continue
				}
				if err := invariants.Paths(s.vertex[i], s.rows[s.index(s.vertex[i], lane)]); err != nil {
					return fmt.Errorf("lane %d: %w", lane, err)
				}
			}
		}
	}
	return nil
}
