package lanes

import (
	"context"
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// byLines is a search for blocks whose rows exceed the caches. The levels and lanes of a
// vertex follow from the arcs alone, without path counts. So byLines lists the rows to add up for several
// levels. Then it computes the numbers of one line of eight lanes after the other: the rows of a line are
// an eighth of all, and caches hold more of them.
//
// Undirected blocks keep the parts of an entry's score until all lines are done. So
// scores are added up in the order of search, to the same bits. Directed blocks,
// and blocks with drawn sources, add scores up line by line, which is less work. Their last bits differ from those of
// search, and depend on listRoom.
//
// If the lists hold all rows of a batch, a line runs both passes before the next begins. Otherwise lines
// take turns whenever lists are full.
//
// If path counts can be kept by entry, entryPaths runs the forward pass in all lanes at once, and
// lines run the backward pass only. Lines then take turns at the same places, so all bits stay the same.
type byLines struct {
	entryPaths // rows are by line, vertex, lane
	kernels    lineKernels
	twins      lineKernels // of Portable
	room       int         // rows and entries to list before numbers are computed: see enough

	linked   links  // entries of the current span that have rows
	last     links  // entries without rows, where paths end
	spans    []span // the first outs belong to the forward pass
	outs     int
	toTurn   bool // all levels are found, and no line has begun its backward pass
	inParts  bool // some numbers were computed before everything was listed
	listed   lineLists
	enough   int                         // compute when rows, or entryRows times the entries, reach this number
	before   struct{ rows, entries int } // listed on the forward pass, which do not count any more, where countable
	levelOf  [2][]float64                // numbers of even levels and of odd ones, by vertex, lane: see lineFrame.from
	memories [2][]float64                // of levelOf
	keptSums [][lineLanes]float64        // room for frame.sums

	asked     *preprocess.Block // block of the next two
	countable bool              // its path counts may be kept by entry
	byEntry   bool              // its path counts are kept by entry
}

const (
	// lineLanes is the number of lanes of a line.
	lineLanes = cacheLine / 8
	// listRoom is the number of rows listed at a time, each once for every line in which it has lanes. Longer lists hold
	// more levels, which use the rows of a line while they are in cache.
	listRoom = 12 << 20
	// entryRows is the number of rows that a listed entry counts for.
	entryRows = 4
	// spanRows and spanEntries are the rows or entries after which a span ends. So its part
	// of a line stays in cache, and the search looks at the context often enough.
	spanRows    = 1 << 14
	spanEntries = 1 << 13
	// listedAhead is how far kernels look ahead in the list.
	listedAhead = 24
)

// NewLines makes a search that runs both passes line by line.
func NewLines(set Set) Search { return newLines(set, listRoom, entriesEach) }

// newLines makes a search that keeps path counts by entry if the set has kernels for it.
func newLines(set Set, room, each int) *byLines {
	s := &byLines{kernels: set.line, twins: goLineKernels(), room: room}
	if set.linesOut != nil {
		s.ways, s.each = *set.linesOut, each
	}
	return s
}

// Run computes a batch.
func (s *byLines) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	fits, err := s.countByEntry(ctx, b, batch)
	if err == nil && !fits {
		err = s.out(ctx, b, batch)
	}
	if err == nil {
		err = s.back(ctx)
	}
	if err != nil {
		return engine.Result{}, err
	}
	return s.result(batch), nil
}

// countByEntry runs the forward pass by entries, if path counts fit. Once they do not, it does not try the other
// batches of the block.
func (s *byLines) countByEntry(ctx context.Context, b *preprocess.Block, batch engine.Batch) (fits bool, err error) {
	if s.asked != b {
		s.asked, s.countable = b, CountsByEntry(b)
		s.byEntry = s.countable && s.ways.count != nil
	}
	if s.byEntry {
		s.begin(b, b.Sources[batch.First:batch.First+batch.Count])
		s.prepareLines(b, batch)
		if fits, err = s.outByEntries(ctx); err != nil {
			return false, err
		}
		s.parts = pages.Resize(s.parts, cap(s.vertex))
	}
	if !fits {
		s.byEntry, s.counts, s.countMemory, s.entryHere, s.entryNext = false, nil, nil, nil, nil
	}
	return fits, nil
}

// prepareLines makes room for lists and lines.
func (s *byLines) prepareLines(b *preprocess.Block, batch engine.Batch) {
	s.memory, s.rows = pages.Aligned(s.memory, b.Vertices()*rowLanes[float64](batch.Count))
	s.prepareDraws(b, s.sources)
	for i := range s.levelOf {
		s.memories[i], s.levelOf[i] = pages.Aligned(s.memories[i], b.Vertices()*lineLanes)
	}
	s.enough = enoughListed(b, s.room, rowLanes[float64](batch.Count))
	rows, entries := roomOfLists(b, s.enough)
	s.listed.frame.room(rows, entries)
	if s.countable && !KeepsSums(b) {
		s.enough /= 2 // for each pass
	}
	s.list, s.listMask = pages.Resize(s.list, roomOfSpan(b)+lineBeyond), pages.Resize(s.listMask, roomOfSpan(b)+lineBeyond)
	s.line.roomBefore(roomOfSpan(b))
	s.line.sumMemory, s.line.rowSums = pages.Aligned(s.line.sumMemory, (spanEntries+1)*lineLanes)
	s.linked.reserve(spanEntries + lineBeyond)
	s.last.reserve(spanEntries + lineBeyond)
	s.parts = pages.Resize(s.parts, cap(s.vertex))
	s.empty()
	s.toTurn, s.inParts = false, false
	s.dirty = true
}

// enoughListed returns the number of listed rows after which numbers are computed. Few lanes mean little memory,
// so their lists are short, too.
func enoughListed(b *preprocess.Block, room, lanes int) int {
	return min((room*lanes+MaxLanes-1)/MaxLanes, 16*len(b.Targets))
}

// roomOfLists returns the lengths of lists that hold so many rows and the spans found at once.
func roomOfLists(b *preprocess.Block, enough int) (rows, entries int) {
	const lines = MaxLanes / lineLanes
	return enough + 2*lines*roomOfSpan(b), enough/entryRows + 2*lines*spanEntries
}

// roomOfSpan returns the largest number of rows of a span: its last entry may have one for every arc of a vertex.
func roomOfSpan(b *preprocess.Block) int { return spanRows + b.Room() }

// out runs the forward pass: it finds levels and path counts.
func (s *byLines) out(ctx context.Context, b *preprocess.Block, batch engine.Batch) error {
	s.search.begin(b, b.Sources[batch.First:batch.First+batch.Count])
	s.prepareLines(b, batch)
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
			s.toTurn = true
			return nil
		}
	}
}

// seed marks the sources that start at a level.
func (s *byLines) seed(at int) {
	for i, v := range s.sources {
		if s.start[i] == at {
			bit := uint64(1) << i
			s.seen[v] |= bit
			s.here[v] |= bit
			s.vertex, s.mask = append(s.vertex, v), append(s.mask, bit)
			s.levels[at].seeds++
		}
	}
}

// listReached lists the candidates, from first on, that some lane reaches, with the rows
// that their path counts sum.
func (s *byLines) listReached(ctx context.Context, at, first int) error {
	count := len(s.vertex)
	s.parts = slices.Grow(s.parts, max(0, count-len(s.parts)))[:max(count, len(s.parts))]
	out := first
	for from := first; from < count; {
		if err := s.makeRoom(ctx); err != nil {
			return err
		}
		begin, rows := out, 0
		from, out, rows = s.kernels.listOut(&s.frame, from, min(from+spanEntries, count), out, 0, spanRows)
		s.linked.room(out - begin)
		copy(s.linked.vertex, s.vertex[begin:out])
		copy(s.linked.mask, s.mask[begin:out])
		for i, part := range s.parts[begin:out] {
			s.linked.end[i] = part[1]
		}
		s.endSpan(span{at: at, first: begin, whole: from == count}, rows)
		s.outs = len(s.spans)
	}
	s.vertex, s.mask = s.vertex[:out], s.mask[:out]
	return nil
}

// listLevel lists the entries of a level with the rows that their dependencies sum.
func (s *byLines) listLevel(ctx context.Context, at int) error {
	l := s.levels[at]
	for from := l.first; from < l.end; {
		if err := s.makeRoom(ctx); err != nil {
			return err
		}
		begin, rows := from, 0
		from, rows = s.kernels.listBack(&s.frame, from, min(from+spanEntries, l.end), 0, spanRows)
		s.link(begin, from)
		s.endSpan(span{at: at, first: begin, whole: from == l.end}, rows)
	}
	return nil
}

// link adds entries to linked or to last. It has no branch for the choice, which would be
// mispredicted.
func (s *byLines) link(first, end int) {
	linked, last := s.linked.room(end-first), s.last.room(end-first)
	for i, v := range s.vertex[first:end] {
		mask, part := s.mask[first+i], s.parts[first+i]
		s.linked.vertex[linked], s.linked.mask[linked], s.linked.end[linked], s.linked.number[linked] = v, mask, part[1], uint32(first+i)
		s.last.vertex[last], s.last.mask[last], s.last.end[last], s.last.number[last] = v, mask, 0, uint32(first+i)
		has := nonzero(uint64(part[1] - part[0]))
		linked += has
		last += 1 - has
	}
	s.linked.cut(linked)
	s.last.cut(last)
}

// back adds up dependencies from the deepest level to the first.
func (s *byLines) back(ctx context.Context) error {
	if !s.byEntry {
		s.noteWaived(func(uint32, int) float64 { return 1 }) // until there are path counts
	}
	if s.countable && !KeepsSums(s.block) { // lines take turns at the same places, which decide bits, with the forward pass listed or not
		s.before.rows, s.before.entries = s.listed.rows, s.listed.entries
	}
	if s.sums = nil; KeepsSums(s.block) {
		s.keptSums = pages.Resize(s.keptSums, len(s.vertex))
		if err := clearLooking(ctx, s.keptSums); err != nil {
			return err
		}
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
	if err := s.compute(ctx); err != nil {
		return err
	}
	return s.addSums(ctx)
}

// KeepsSums says whether the parts of scores are kept until all lines are done. Then bits do not depend on where lines
// take turns.
func KeepsSums(b *preprocess.Block) bool { return !b.Directed() && !b.HasDraws() }

// addSums adds up the kept parts of scores.
func (s *byLines) addSums(ctx context.Context) error {
	if s.sums == nil {
		return nil
	}
	for at := len(s.levels) - 2; at > 0; at-- {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i := s.levels[at].first; i < s.levels[at].end; i++ {
			v := s.vertex[i]
			s.scores[v] += scoreSum(&s.sums[i]) / s.members(v)
		}
	}
	return nil
}

// lines returns the number of lines of the batch.
func (s *byLines) lines() int { return (len(s.sources) + lineLanes - 1) / lineLanes }
