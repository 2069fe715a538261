package lengths

import (
	"context"
	"math/bits"
	"slices"
)

// A sweep visits marked ranks, and marks others. 64 ranks share a word of bits.

// mark marks a rank, and returns its word.
func (s *Search) mark(r uint32) int {
	s.marked[r>>6] |= 1 << (r & 63)
	s.meet(r)
	return int(r >> 6)
}

// meet notes that some lane has reached a rank.
func (s *Search) meet(r uint32) { s.met[r>>6] |= 1 << (r & 63) }

// visited counts a visit of so many arcs, and looks at the context now and
// then.
func (s *Search) visited(ctx context.Context, arcs int64) error {
	s.visits++
	return s.looked(ctx, arcs)
}

// looked looks at the context once every workEvery arcs.
func (s *Search) looked(ctx context.Context, arcs int64) error {
	if s.work -= int(arcs) + 1; s.work > 0 {
		return nil
	}
	s.work = workEvery
	return ctx.Err()
}

// workEvery is the number of arcs between two looks at the context: a few
// milliseconds of work.
const workEvery = 1 << 17

// fillEvery is the number of numbers filled in between two looks at the context.
const fillEvery = 1 << 22

// relax finds all distances.
func (s *Search) relax(ctx context.Context, sources []uint32) error {
	switch {
	case s.short != nil:
		return relaxAll(ctx, s, sources, s.short, shortLanes, farShort, s.kernels.relaxShort)
	case s.narrow != nil:
		return relaxAll(ctx, s, sources, s.narrow, lanes, int32(s.beyond), s.kernels.relaxNarrow)
	}
	return relaxAll(ctx, s, sources, s.wide, lanes, s.beyond, s.kernels.relaxWide)
}

// relaxAll sweeps over one window of ranks after the other, each until no rank in it
// is marked. So near distances are nearly always right before far vertices are
// visited. One sweep down follows: see hierarchy.
func relaxAll[D int16 | int32 | int64](ctx context.Context, s *Search, sources []uint32, rows []D, lanes int, beyond D, relax func(*frame, uint32) int) error {
	for part := range slices.Chunk(rows, fillEvery) {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range part {
			part[i] = beyond
		}
	}
	clear(s.marked)
	clear(s.met)
	for i, v := range sources {
		rows[int(v)*lanes+i] = 0
		s.mark(s.rank[v])
	}
	defer func(whole arcs) { s.out = whole }(s.out)
	s.out = s.hierarchy.up
	distance := s.near.distance
	for first := 0; first < len(s.marked); {
		if s.marked[first] == 0 {
			first++
			continue
		}
		last, limit := first, distance[s.order[first*64]]
		if limit != unreached {
			limit += s.window
		}
		for (last+1)*64 < len(s.order) && distance[s.order[(last+1)*64]] <= limit {
			last++
		}
		for back := first; back <= last; {
			word := back
			back = last + 1
			for ; word <= last; word++ {
				for s.marked[word] != 0 {
					x := s.order[s.pop(word)]
					if err := s.visited(ctx, s.out.offsets[x+1]-s.out.offsets[x]); err != nil {
						return err
					}
					for _, y := range s.changed[:relax(&s.frame, x)] {
						if at := s.mark(s.rank[y]); at < word {
							back = min(back, at)
						}
					}
				}
			}
		}
		first = last + 1
	}
	s.out = s.hierarchy.down
	for _, x := range s.hierarchy.order {
		if r := s.rank[x]; s.met[r>>6]>>(r&63)&1 == 0 {
			continue
		}
		if err := s.visited(ctx, s.out.offsets[x+1]-s.out.offsets[x]); err != nil {
			return err
		}
		for _, y := range s.changed[:relax(&s.frame, x)] {
			s.meet(s.rank[y])
		}
	}
	if s.beyond != s.far {
		for i, d := range rows {
			if d == beyond {
				rows[i] = D(s.far) // no distance plus a length is as large
			}
		}
	}
	return nil
}

// linker returns the kernel that finds links.
func (s *Search) linker() func(f *frame, x uint32, before, after int) (int, int) {
	if s.wide != nil {
		return s.kernels.linkWide
	}
	return s.kernels.linkNarrow
}

// link finds the arcs on shortest paths.
func (s *Search) link(ctx context.Context, _ []uint32) error {
	link, before, after := s.linker(), 0, 0
	for r, x := range s.order {
		if s.met[r>>6]>>(r&63)&1 == 0 {
			s.before.first[r], s.after.first[r] = int64(before), int64(after)
			continue
		}
		if err := s.visited(ctx, s.out.offsets[x+1]-s.out.offsets[x]); err != nil {
			return err
		}
		s.before.first[r], s.after.first[r] = int64(before), int64(after)
		before, after = link(&s.frame, x, before, after)
		before, after = s.keepWanted(r, before, after)
	}
	s.before.first[len(s.order)], s.after.first[len(s.order)] = int64(before), int64(after)
	return nil
}

// count finds all path counts. Ranks come from one source, so a lane may have a
// predecessor of a higher rank: see mend. No lane waits for the count of a vertex without links after it. In a dense
// block such counts are computed at the end, all lanes at once.
func (s *Search) count(ctx context.Context, _ []uint32) error {
	waiting := &s.after
	if s.dense {
		if err := s.findInner(ctx); err != nil {
			return err
		}
		waiting = &s.inner
	}
	for word, met := range s.met {
		for ; met != 0; met &= met - 1 {
			r := uint32(word*64 + bits.TrailingZeros64(met))
			if s.dense && s.within[r]|s.start[r] == 0 {
				continue
			}
			fresh := s.kernels.count(&s.frame, int(r))
			if err := s.visited(ctx, waiting.first[r+1]-waiting.first[r]); err != nil {
				return err
			}
			if !waiting.turn(r, fresh, true) {
				continue
			}
			if err := s.mend(ctx, &s.before, waiting, r, fresh, s.counted, s.kernels.count, (*Search).countOne); err != nil {
				return err
			}
		}
	}
	if !s.dense {
		return nil
	}
	for word, met := range s.met {
		for ; met != 0; met &= met - 1 {
			r := word*64 + bits.TrailingZeros64(met)
			first, end := s.before.first[r], s.before.first[r+1]
			reached := uint16(0)
			for _, m := range s.before.mask[first:end] {
				reached |= m
			}
			if reached&^s.counted[r] != 0 {
				s.kernels.count(&s.frame, r)
			}
			if err := s.visited(ctx, end-first); err != nil {
				return err
			}
		}
	}
	return nil
}

// findInner finds the links, in each lane, to vertices with links after them.
func (s *Search) findInner(ctx context.Context) error {
	for r := range s.order {
		within := uint16(0)
		for _, m := range s.after.mask[s.after.first[r]:s.after.first[r+1]] {
			within |= m
		}
		s.within[r] = within
		if err := s.looked(ctx, s.after.first[r+1]-s.after.first[r]); err != nil {
			return err
		}
	}
	at := int64(0)
	for r := range s.order {
		s.inner.first[r] = at
		first, end := s.after.first[r], s.after.first[r+1]
		masks := s.after.mask[first:end]
		for i, to := range s.after.rank[first:end] {
			if m := masks[i] & s.within[to]; m != 0 {
				s.inner.rank[at], s.inner.mask[at] = to, m
				at++
			}
		}
		if err := s.looked(ctx, end-first); err != nil {
			return err
		}
	}
	s.inner.first[len(s.order)] = at
	return nil
}

// pop unmarks the lowest rank of a word.
func (s *Search) pop(word int) int {
	r := word*64 + bits.TrailingZeros64(s.marked[word])
	s.marked[word] &= s.marked[word] - 1
	return r
}

// depend finds all dependencies, the highest ranks first.
func (s *Search) depend(ctx context.Context, _ []uint32) error {
	depend := s.kernels.depend
	if s.drawn != nil {
		depend = portable().depend
	}
	if seeded(s.block) {
		depend = s.dependSeeded(depend)
	}
	for word := len(s.met) - 1; word >= 0; word-- {
		for met := s.met[word]; met != 0; {
			bit := 63 - bits.LeadingZeros64(met)
			met &^= 1 << bit
			r := uint32(word*64 + bit)
			fresh := depend(&s.frame, int(r))
			if err := s.visited(ctx, s.before.first[r+1]-s.before.first[r]); err != nil {
				return err
			}
			if !s.before.turn(r, fresh, false) {
				continue
			}
			if err := s.mend(ctx, &s.after, &s.before, r, fresh, s.passed, depend, (*Search).dependOne); err != nil {
				return err
			}
		}
	}
	return nil
}
