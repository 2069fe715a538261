package meshes

import (
	"context"
	"math"
	"math/bits"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
)

// Shares of masses by their distance: see preprocess.Block.Decay. A vertex counts with another share in every lane, so
// each visit has a row of shares. Blocks without Decay have one row, of 1.

const (
	// shareRows is how many visits have their rows at a time. Rows stay in a near cache.
	shareRows = 1 << 7
	// nearest is the room for shares by distance: any difference of levels is within it.
	nearest = 1 << 16
)

func (f *frame) sharesOf(visit int) *[lanes]float64 {
	return (*[lanes]float64)(f.shares[int(uint64(visit)&f.shareMask)*lanes:])
}

// prepareShares prepares the rows for a block.
func (s *Search) prepareShares() {
	if s.block.Decay != nil {
		s.shareMask, s.near = shareRows-1, pages.Reserve(s.near, nearest)
		return
	}
	s.shareMask = 0
	for lane := range lanes {
		s.shares[lane] = 1
	}
}

// meet computes want, reached and access of the sources of a block with Decay, and what they send.
func (s *Search) meet(ctx context.Context, sources []uint32) error {
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
			s.block.Meet(int64(level)-int64(s.start[i]), s.masses[level][place(i)], &s.want[i], &s.reached[i], &s.access[i])
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
	if s.block.Decay == nil || float64(len(s.buckets))*math.Log2(float64(s.block.LargestDegree())) < math.Log2(engine.MostDecayed) && s.multiplicity == nil {
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
	if s.block.Decay == nil {
		return segment
	}
	near := (*[nearest]float64)(s.near[:nearest])
	for visit := max(end-shareRows, margin); visit < end; visit++ {
		levels, shares := s.levelsOf(s.rank[visit]), s.sharesOf(visit)
		for eight := 0; eight < lanes; eight += 8 {
			from, start, to := (*[8]uint16)(levels[place(eight):]), (*[8]uint16)(s.start[eight:]), (*[8]float64)(shares[eight:])
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
