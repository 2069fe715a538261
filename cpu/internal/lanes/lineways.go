package lanes

import (
	"context"
	"fmt"
	"math/bits"

	"bcstage/internal/invariants"
)

// Lists of byLines, and both passes of a line over them.

// lineLists are the rows and entries to add up, span by span and line by line: see lineFrame.
type lineLists struct {
	frame         lineFrame
	rows, entries int
}

// span is a range of entries of a level, with their lists.
type span struct {
	at    int  // level
	first int  // entry
	whole bool // the level ends with it
	lines [MaxLanes / lineLanes]part
}

// part is the list of a span in a line: where rows and entries begin, the number of rows (kept),
// and the numbers of entries with rows (linked) and without (last).
type part struct{ rows, entries, kept, linked, last uint32 }

// endSpan lists the current span line by line, and begins another.
func (s *byLines) endSpan(x span, rows int) {
	s.rowLoads += int64(rows)
	for line := range s.lines() {
		p := part{rows: uint32(s.listed.rows), entries: uint32(s.listed.entries)}
		s.see(p.rows, p.entries)
		p.kept = uint32(s.kernels.keepRows(&s.frame, line, rows))
		s.listed.rows += int(p.kept)
		p.linked = uint32(s.kernels.keepEntries(&s.frame, line, &s.linked))
		s.line.markFirst(int(p.linked))
		s.see(p.rows, p.entries+p.linked)
		p.last = uint32(s.kernels.keepEntries(&s.frame, line, &s.last))
		s.listed.entries += int(p.linked + p.last)
		x.lines[line] = p
	}
	s.spans = append(s.spans, x)
	s.linked.cut(0)
	s.last.cut(0)
}

// see makes the frame's line begin at a row and an entry of the lists.
func (s *byLines) see(row, entry uint32) {
	l, all := &s.line, &s.listed.frame
	l.rowAt = all.rowAt[row:]
	l.entryAt, l.entryMask, l.entryEnd, l.entryNumber = all.entryAt[entry:], all.entryMask[entry:], all.entryEnd[entry:], all.entryNumber[entry:]
}

// empty empties the lists.
func (s *byLines) empty() {
	s.spans, s.outs, s.listed.rows, s.listed.entries = s.spans[:0], 0, 0, 0
	s.before.rows, s.before.entries = 0, 0
}

// makeRoom computes the listed numbers if enough are listed. A
// level's last span stays listed until its waivers are known.
func (s *byLines) makeRoom(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if max(s.listed.rows-s.before.rows, (s.listed.entries-s.before.entries)*entryRows) < s.enough {
		return nil
	}
	s.inParts = true
	return s.compute(ctx)
}

// compute computes the listed numbers, line by line, and empties the lists. If
// both passes of a batch are listed, all lines use the same rows, which stay in cache.
func (s *byLines) compute(ctx context.Context) error {
	size := s.block.Vertices() * lineLanes
	for line := range s.lines() {
		rows := s.rows[:size]
		s.line.stays = nil
		if s.inParts {
			rows = s.rows[line*size:][:size]
			s.line.stays = rows
		}
		if err := s.goOut(ctx, line, rows); err != nil {
			return err
		}
		if s.toTurn {
			if err := s.turn(line, rows); err != nil {
				return err
			}
		}
		if err := s.goBack(ctx, line, rows); err != nil {
			return err
		}
	}
	s.toTurn = false
	s.empty()
	return nil
}

// goOut computes the path counts of a line.
func (s *byLines) goOut(ctx context.Context, line int, rows []float64) error {
	spans := s.spans[:s.outs]
	if len(spans) == 0 && !s.toTurn {
		return nil
	}
	for i := line * lineLanes; i < s.endOf(line); i++ {
		at := int(s.sources[i]) * lineLanes
		rows[at+i%lineLanes] = 1
		clear(s.levelOf[s.start[i]%2][at:][:lineLanes])
	}
	if len(spans) == 0 {
		return nil
	}
	x := &spans[0]
	s.restore(line, rows, x.at-1, s.levels[x.at-1].first, s.levels[x.at-1].seeds)
	s.restore(line, rows, x.at, s.levels[x.at-1].seeds, x.first)
	for i, x := range spans {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if i == 0 || spans[i-1].at < x.at {
			s.plant(line, x.at-1)
		}
		s.countPaths(x, line, rows)
	}
	return nil
}

// turn does the work of a line between its passes: invariants and waivers.
func (s *byLines) turn(line int, rows []float64) error {
	if invariants.On {
		if err := s.checkPaths(line, rows); err != nil {
			return err
		}
	}
	for i := range s.waived {
		if x := &s.waived[i]; x.lane/lineLanes == line {
			x.perPath = x.mass * s.members(x.vertex) / rows[int(x.vertex)*lineLanes+x.lane%lineLanes]
		}
	}
	return nil
}

// goBack computes the dependencies of a line.
func (s *byLines) goBack(ctx context.Context, line int, rows []float64) error {
	spans := s.spans[s.outs:]
	if len(spans) == 0 {
		return nil
	}
	x := &spans[0]
	s.restore(line, rows, x.at+1, s.levels[x.at+1].first, s.levels[x.at+1].end) // the backward pass does not use sources
	s.restore(line, rows, x.at, s.levels[x.at].first, x.first)
	for _, x := range spans {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.depend(x, line, rows)
	}
	return nil
}

// endOf returns where the sources of a line end.
func (s *byLines) endOf(line int) int { return min((line+1)*lineLanes, len(s.sources)) }

// restore copies the numbers of entries first..end-1 of a level from rows to levelOf.
func (s *byLines) restore(line int, rows []float64, at, first, end int) {
	into := s.levelOf[at%2]
	for i, v := range s.vertex[first:end] {
		if lanesOf(s.mask[first+i], line) != 0 { // a vertex may have two entries, one of them as a source
			clear(into[int(v)*lineLanes:][:lineLanes])
		}
	}
	for i, v := range s.vertex[first:end] {
		for left := lanesOf(s.mask[first+i], line); left != 0; left &= left - 1 {
			k := int(v)*lineLanes + bits.TrailingZeros64(left)
			into[k] = rows[k]
		}
	}
}

// plant stores the sources of a level in levelOf.
func (s *byLines) plant(line, at int) {
	for i := line * lineLanes; i < s.endOf(line); i++ {
		if s.start[i] == at {
			s.levelOf[at%2][int(s.sources[i])*lineLanes+i%lineLanes] = 1
		}
	}
}

// span points the frame to a span, and adds up its rows.
func (s *byLines) span(x span, line int) {
	s.line.from, s.line.to = s.levelOf[(x.at+1)%2], s.levelOf[x.at%2]
	s.see(x.lines[line].rows, x.lines[line].entries)
	s.kernels.addLine(&s.frame, int(x.lines[line].kept))
}

// countPaths computes a span on the forward pass.
func (s *byLines) countPaths(x span, line int, rows []float64) {
	first, end := line*lineLanes, s.endOf(line)
	s.span(x, line)
	clear(s.reached[first:end])
	s.kernels.forward(&s.frame, rows, line, int(x.lines[line].linked))
	for i := first; i < end; i++ {
		s.want[i] += s.reached[i] * float64(x.at-s.start[i]-1)
	}
}

// depend computes a span on the backward pass.
func (s *byLines) depend(x span, line int, rows []float64) {
	backward, last := s.kernels.backward, s.kernels.last
	switch {
	case s.drawn != nil:
		s.weighLevel(x.at)
	case s.byEntry && s.line.stays == nil:
		backward, last = s.kernels.backwardByEntry, s.kernels.lastByEntry
	}
	p := x.lines[line]
	s.span(x, line)
	s.runBesideMany(rows, line, int(p.linked), backward, s.twins.backward)
	s.see(p.rows, p.entries+p.linked)
	s.runBesideMany(rows, line, int(p.last), last, s.twins.last)
	for _, w := range s.waived {
		if x.whole && w.level == x.at && w.lane/lineLanes == line {
			k := int(w.vertex)*lineLanes + w.lane%lineLanes
			s.line.to[k] -= s.waivedOf(w, x.at)
			if s.inParts {
				rows[k] = s.line.to[k]
			}
		}
	}
}

// checkPaths checks all entries of a line, except sources, as that of search does.
func (s *byLines) checkPaths(line int, rows []float64) error {
	for _, l := range s.levels {
		for i := l.first; i < l.end; i++ {
			for left := lanesOf(s.mask[i], line); left != 0; left &= left - 1 {
				lane := bits.TrailingZeros64(left)
				if err := invariants.Paths(s.vertex[i], rows[int(s.vertex[i])*lineLanes+lane]); err != nil {
					return fmt.Errorf("lane %d: %w", line*lineLanes+lane, err)
				}
			}
		}
	}
	return nil
}
