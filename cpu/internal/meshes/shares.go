package meshes

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
)

// Shares of masses by their distance: see preprocess.Block.Decay. A vertex counts with another share in every lane, so
// each visit has a row of shares. Blocks without Decay have one row, of 1.
//
// In a relative block (preprocess.Block.Relative) the share of a vertex's distance is that of its level, over that of its
// source's. So scores need one factor by level, and source masses one by lane.

const (
	// shareRows is how many visits have their rows at a time. Rows stay in a near cache.
	shareRows = 1 << 7
	// nearest is the room for shares by distance: any difference of levels is within it.
	nearest = 1 << 16
)

func (f *frame) sharesOf(visit int) *[lanes]float64 {
	return (*[lanes]float64)(f.shares[int(^uint64(visit)&f.shareMask)*lanes:])
}

// prepareShares prepares the rows for a block.
func (s *Search) prepareShares() {
	s.shareMask, s.hop, s.tiny = 0, [4]float64{1, 1, 1, 1}, false
	switch {
	case s.block.Relative():
		q := s.block.Decay.Ratio()
		s.hop, s.shareOf = [4]float64{q, q, q, q}, pages.Reserve(s.shareOf, nearest)
		s.tiny = slices.ContainsFunc(s.block.To, engine.Tiny)
	case s.block.Decay != nil:
		s.shareMask, s.near = shareRows-1, pages.Reserve(s.near, nearest)
		return
	}
	for lane := range lanes {
		s.shares[lane] = 1
	}
}

// meetRelative computes the masses that the sources of a relative block send, over the shares of their levels. If these
// depend on the target masses that sources see, it computes those, too.
func (s *Search) meetRelative(ctx context.Context, sources []uint32) error {
	q, last := s.hop[0], len(s.buckets)
	s.shareOf = s.shareOf[:last+1]
	for level := range s.shareOf {
		if distance := int64(level) - int64(s.latest); distance >= 0 {
			s.shareOf[level] = s.block.Decay.Share(distance)
		} else {
			s.shareOf[level] = 1 / s.block.Decay.Share(-distance)
		}
	}
	s.shareOf[last] = 0
	var seen [lanes]float64
	if s.block.Decay.Spreads() {
		for i, r := range s.sources {
			s.levelsOf(r)[i] = uint16(last)
		}
		if err := s.see(ctx, &seen); err != nil {
			return err
		}
		for i, r := range s.sources {
			s.levelsOf(r)[i] = s.start[i]
		}
	}
	for i, v := range sources {
		from := s.shareOf[s.start[i]]
		s.sees[i] = seen[i] / from
		s.source[i] = s.block.Sends(v, s.sees[i], s.scores) / from * q
	}
	return nil
}

// see adds up the target masses of all vertices, each with shareOf its level, by lane. Sums of sums keep the
// digits that many equal terms would lose.
func (s *Search) see(ctx context.Context, seen *[lanes]float64) error {
	share := (*[nearest]float64)(s.shareOf[:nearest])
	var mass [shareRows]float64
	for first, n := 0, len(s.rankOf); first < n; first += shareRows {
		if first%segment == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		masses := mass[:min(shareRows, n-first)]
		for i, v := range s.order[first:][:len(masses)] {
			masses[i] = s.weight[v]
		}
		for p := 0; p < lanes; p += 8 {
			var a0, a1, a2, a3, a4, a5, a6, a7 float64
			rows := s.levels[first*lanes+p:]
			for i, mass := range masses {
				x := (*[8]uint16)(rows[i*lanes:])
				a0 += float64(mass * share[x[0]])
				a1 += float64(mass * share[x[1]])
				a2 += float64(mass * share[x[2]])
				a3 += float64(mass * share[x[3]])
				a4 += float64(mass * share[x[4]])
				a5 += float64(mass * share[x[5]])
				a6 += float64(mass * share[x[6]])
				a7 += float64(mass * share[x[7]])
			}
			for i, x := range [8]float64{a0, a1, a2, a3, a4, a5, a6, a7} {
				seen[p+i] += x
			}
		}
	}
	return nil
}

// endRelative computes both sides of the check of a relative block, and the masses that its sources reach and that arrive.
func (s *Search) endRelative() {
	q := s.hop[0]
	for i, r := range s.sources {
		sum := s.sees[i] / q
		if !s.block.Decay.Spreads() {
			for _, u := range s.neighbours(r) {
				sum += rowOf(s.rows, u)[i]
			}
		}
		s.got[i], s.want[i], s.reached[i] = s.got[i]*(1-q)+sum+s.weight[s.order[r]], s.mass, q*sum
	}
	for v, hung := range s.block.Hung {
		if !hung {
			continue
		}
		r, sum := s.rankOf[v]-1, 0.0
		levels := s.levelsOf(r)
		for i, source := range s.sources {
			if source != r {
				sum += s.source[i] * s.shareOf[levels[i]]
			}
		}
		s.arrives[v] = sum / q
	}
}

// meet computes want, reached and access of the sources of a block with Decay, and what they send.
func (s *Search) meet(ctx context.Context, sources []uint32) error {
	if s.block.Relative() {
		return s.meetRelative(ctx, sources)
	}
	s.shareOf = pages.Resize(s.shareOf, len(s.buckets)+1)
	for level := range s.shareOf {
		s.shareOf[level] = 1
	}
	if s.block.Decay == nil {
		return nil
	}
	for len(s.near) < len(s.buckets) {
		s.near = append(s.near, s.block.Decay.Share(int64(len(s.near))))
	}
	s.masses = pages.Cleared(s.masses, len(s.buckets))
	masses := s.masses
	for r, v := range s.order[:len(s.rankOf)] {
		if r%segment == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		weight, levels := s.weight[v], s.levelsOf(uint32(r))
		for p := 0; p < lanes; p += 4 {
			four := (*[4]uint16)(levels[p:])
			masses[four[0]][p] += weight
			masses[four[1]][p+1] += weight
			masses[four[2]][p+2] += weight
			masses[four[3]][p+3] += weight
		}
	}
	for i, v := range sources {
		s.want[i], s.reached[i], s.access[i] = 0, 0, engine.Access{}
		for level := int(s.start[i]) + 1; level < len(s.buckets); level++ {
			s.block.Meet(int64(level)-int64(s.start[i]), s.masses[level][i], &s.want[i], &s.reached[i], &s.access[i])
		}
		s.source[i] = s.block.Sends(v, s.reached[i], s.scores)
	}
	return nil
}

// accesses returns the access of so many sources, or nil if the block needs none.
func (s *Search) accesses(count int) []engine.Access {
	if !s.block.Access {
		return nil
	}
	return s.access[:count]
}

// seen returns the target mass that so many sources see, or nil if the block needs none.
func (s *Search) seen(count int) []float64 {
	if !s.block.Sees {
		return nil
	}
	return s.reached[:count]
}

// refuse fails the self-check if a path count is too large to divide a share among the paths.
func (s *Search) refuse(ctx context.Context, _ []uint32) error {
	if s.shareMask == 0 && !s.tiny || float64(len(s.buckets))*math.Log2(float64(s.block.LargestDegree())) < math.Log2(engine.MostDecayed) && s.multiplicity == nil {
		return nil
	}
	for r := range s.rankOf {
		if r%segment == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, paths := range rowOf(s.rows, uint32(r))[:len(s.sources)] {
			if paths > engine.MostDecayed {
				s.got[0] = math.NaN()
				return nil
			}
		}
	}
	return nil
}

// share returns how many visits before end the backward pass may take at a time, and computes their shares.
func (s *Search) share(end int) int {
	if s.shareMask == 0 {
		return segment
	}
	near := (*[nearest]float64)(s.near[:nearest])
	for visit := max(end-shareRows, margin); visit < end; visit++ {
		levels, shares := s.levelsOf(s.rank[visit]), s.sharesOf(visit)
		for eight := 0; eight < lanes; eight += 8 {
			from, start, to := (*[8]uint16)(levels[eight:]), (*[8]uint16)(s.start[eight:]), (*[8]float64)(shares[eight:])
			to[0], to[1], to[2], to[3] = near[from[0]-start[0]], near[from[1]-start[1]], near[from[2]-start[2]], near[from[3]-start[3]]
			to[4], to[5], to[6], to[7] = near[from[4]-start[4]], near[from[5]-start[5]], near[from[6]-start[6]], near[from[7]-start[7]]
		}
		if v := s.order[s.rank[visit]]; s.block.Hung != nil && s.block.Hung[v] {
			sum := 0.0
			for left := s.mask[visit]; left != 0; left &= left - 1 {
				lane := bits.TrailingZeros64(left)
				sum += float64(s.source[lane] * shares[lane])
			}
			s.arrives[v] += sum
		}
	}
	return shareRows
}
