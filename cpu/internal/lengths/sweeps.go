package lengths

import (
	"context"
	"math/bits"
	"slices"
	"unsafe"
)

// A sweep visits marked ranks, and marks others. 64 ranks share a word of bits.

// sweep visits the marked ranks, the lowest first, or if down is set the highest first. It goes over one window of ranks
// after the other, each until no rank in it is marked. Sources disagree about the order of ranks in a window. visit marks
// ranks, and returns how many arcs it looked at.
func (s *Search) sweep(ctx context.Context, down bool, visit func(r uint32) (arcs int64)) error {
	words := len(s.marked)
	s.down, s.word = down, 0
	nearest := func(word int) int64 { return s.near.distance[s.order[min(s.turn(word)*64, len(s.order)-1)]] }
	for first := 0; first < words; {
		if s.marked[s.turn(first)] == 0 {
			first++
			continue
		}
		end, near := first+1, nearest(first)
		for end < words && max(nearest(end)-near, near-nearest(end)) <= s.window {
			end++
		}
		for back := first; back < end; back = s.back {
			s.back = end
			for s.word = back; s.word < end; s.word++ {
				for word := s.turn(s.word); s.marked[word] != 0; {
					if err := s.visited(ctx, visit(s.pop(word))); err != nil {
						return err
					}
				}
			}
		}
		first = end
	}
	return nil
}

// turn returns the place of a word in the order of the sweep, and the word at a place.
func (s *Search) turn(word int) int {
	if s.down {
		return len(s.marked) - 1 - word
	}
	return word
}

// mark marks a rank. A sweep that has passed it turns back.
func (s *Search) mark(r uint32) {
	word := int(r >> 6)
	s.marked[word] |= 1 << (r & 63)
	if at := s.turn(word); at < s.word {
		s.back = min(s.back, at)
	}
}

// markAll marks the ends of a rank's links in some lanes.
func (s *Search) markAll(l *links, r uint32, lanes uint16) (links int64) {
	first, end := l.first[r], l.first[r+1]
	masks := l.mask[first:end]
	for i, to := range l.rank[first:end] {
		if masks[i]&lanes != 0 && s.core[to>>6]>>(to&63)&1 != 0 {
			s.mark(to)
		}
	}
	return end - first
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

// relaxAll finds distances window by window, so that near distances are nearly always right before far vertices are
// visited. One sweep down follows: see hierarchy.
func relaxAll[D int16 | int32 | int64](ctx context.Context, s *Search, sources []uint32, rows []D, lanes int, beyond D, relax func(*frame, uint32) int) error {
	for part := range slices.Chunk(rows, fillEvery) {
		if err := ctx.Err(); err != nil {
			return err
		}
		part[0] = beyond
		for filled := 1; filled < len(part); filled *= 2 {
			copy(part[filled:], part[:filled])
		}
	}
	clear(s.marked)
	clear(s.met)
	for i, v := range sources {
		rows[int(v)*lanes+i] = 0
		s.mark(s.rank[v])
		s.meet(s.rank[v])
	}
	defer func(whole arcs) { s.out = whole }(s.out)
	s.out = s.hierarchy.up
	if err := s.sweep(ctx, false, func(r uint32) int64 {
		x := s.order[r]
		for _, y := range s.changed[:relax(&s.frame, x)] {
			s.mark(s.rank[y])
			s.meet(s.rank[y])
		}
		return s.out.offsets[x+1] - s.out.offsets[x]
	}); err != nil {
		return err
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
	if s.beyond == s.far {
		return nil
	}
	if narrow, is := any(rows).([]int32); is {
		markFar(narrow, uint64(beyond))
		return nil
	}
	far := D(s.far) // no distance plus a length is as large
	for i, d := range rows {
		near := D(int64(d-beyond) >> 63) // all bits, or none: there is no branch, as lanes of a row disagree
		rows[i] = d&near | far&^near
	}
	return nil
}

// markFar replaces distances from beyond on by farNarrow, two at a time, without a branch.
func markFar(rows []int32, beyond uint64) {
	const tops = 1<<63 | 1<<31
	below := (1<<31 - beyond) * (1<<32 | 1)
	pairs := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(rows))), len(rows)/2)
	for i, pair := range pairs {
		top := (pair + below) & tops // of the distances from beyond on
		pairs[i] = pair&^(top|top-top>>31) | top>>1
	}
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
		if s.wanting.wanted != nil {
			before, after = s.keepWanted(r, before, after)
		} else {
			before, after = link(&s.frame, x, before, after)
		}
		after = s.linkSeeds(r, after)
	}
	s.before.first[len(s.order)], s.after.first[len(s.order)] = int64(before), int64(after)
	return nil
}

// count finds all path counts. Ranks come from one source, so a lane may have a predecessor of a higher rank, and is
// visited again when that has its count. No lane waits for the count of a vertex without links after it. In a dense
// block such counts are computed at the end, all lanes at once.
func (s *Search) count(ctx context.Context, _ []uint32) error {
	waiting := &s.after
	if s.dense {
		if err := s.findInner(ctx); err != nil {
			return err
		}
		waiting = &s.inner
	} else {
		copy(s.marked, s.core)
	}
	err := s.sweep(ctx, false, func(r uint32) int64 {
		return s.markAll(waiting, r, s.kernels.count(&s.frame, int(r)))
	})
	if err != nil {
		return err
	}
	if !s.dense {
		for _, r := range slices.Backward(s.ranks) {
			s.kernels.count(&s.frame, int(r))
			if err := s.visited(ctx, s.before.first[r+1]-s.before.first[r]); err != nil {
				return err
			}
		}
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

// findInner finds the links, in each lane, to vertices with links after them. It marks these vertices, and the sources.
func (s *Search) findInner(ctx context.Context) error {
	for r := range s.order {
		within := uint16(0)
		for _, m := range s.after.mask[s.after.first[r]:s.after.first[r+1]] {
			within |= m
		}
		s.within[r] = within
		if within|s.start[r] != 0 {
			s.mark(uint32(r))
		}
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

// pop unmarks the next rank of a word.
func (s *Search) pop(word int) uint32 {
	bit := bits.TrailingZeros64(s.marked[word])
	if s.down {
		bit = 63 - bits.LeadingZeros64(s.marked[word])
	}
	s.marked[word] &^= 1 << bit
	return uint32(word*64 + bit)
}

// depend finds all dependencies, the highest ranks first.
func (s *Search) depend(ctx context.Context, _ []uint32) error {
	depend := s.kernels.depend
	if s.drawn != nil {
		depend = portable().depend
	}
	for _, r := range s.ranks {
		depend(&s.frame, int(r))
		if err := s.visited(ctx, s.after.first[r+1]-s.after.first[r]); err != nil {
			return err
		}
	}
	copy(s.marked, s.core)
	return s.sweep(ctx, true, func(r uint32) int64 {
		return s.markAll(&s.before, r, depend(&s.frame, int(r)))
	})
}
