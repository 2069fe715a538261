package lanes

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// Shares of masses by their distance: see preprocess.Block.Decay.

// weighing is what a search knows of the masses of a block with Decay.
type weighing struct {
	divides bool      // seeds are so small that path counts may be too large for them: engine.MostDecayed
	total   float64   // target mass of a relative block: preprocess.Block.Relative
	arrives []float64 // by vertex, where the block has Hung
}

// setRelative sets divides, and prepares hop and total, for a block.
func (s *search[T]) setRelative(b *preprocess.Block) {
	s.hop, s.total, s.divides = [4]float64{1, 1, 1, 1}, 0, b.Decay != nil
	if b.Relative() {
		q := b.Decay.Ratio()
		s.hop, s.divides = [4]float64{q, q, q, q}, slices.ContainsFunc(b.To, engine.Tiny)
		for _, to := range b.To {
			s.total += to
		}
	}
}

// send computes what the sources of a block with Decay send.
func (s *search[T]) send() {
	if s.block.Decay == nil {
		return
	}
	for i, v := range s.sources {
		s.source[i], s.spread[i] = s.block.Sends(v, s.arrived[i], s.scores), 1
		switch {
		case s.block.Relative():
			s.spread[i] = s.source[i]
		case s.block.HasDraws():
			s.spread[i] = s.block.Spread(s.arrived[i])
			s.want[i] *= s.spread[i]
		}
	}
}

// endRelative computes both sides of the check of a relative block, and the masses that its sources reach.
func (s *search[T]) endRelative() {
	q := s.hop[0]
	for i, v := range s.sources {
		sum := s.arrived[i] / q
		if !s.block.Decay.Spreads() {
			for _, u := range neighbours(s.offsets, s.targets, v) {
				sum += float64(s.rows[int(u)*s.lanes+i])
			}
		}
		s.got[i], s.want[i], s.arrived[i] = s.got[i]*(1-q)+sum+s.weight[v], s.total, q*sum
	}
}

// meet counts the target mass that a source reaches in a level. The mass is 0 before the lane starts.
func (s *search[T]) meet(lane, at int, mass float64) {
	if s.block.Relative() && !s.block.Decay.Spreads() {
		return // see endRelative
	}
	s.block.Meet(int64(at-s.start[lane]), mass, &s.want[lane], &s.arrived[lane], &s.access[lane])
}

// arrive adds up the masses that arrive at the vertices of a level with Hung, after weighLevel.
func (f *frame) arrive(l level, hung []bool, arrives []float64) {
	var each [MaxLanes]float64
	for lane := range each {
		each[lane] = f.source[lane] * f.share[lane] / f.hop[0]
	}
	for i, v := range f.vertex[l.first:l.end] {
		if !hung[v] {
			continue
		}
		sum := 0.0
		for left := f.mask[l.first+i]; left != 0; left &= left - 1 {
			sum += each[bits.TrailingZeros64(left)]
		}
		arrives[v] += sum
	}
}

// manyForShares says whether some vertex of a block with Decay has too many paths to divide a share of its mass
// among them. It looks only if the number of levels makes that possible. The only error is the context's.
func (s *search[T]) manyForShares(ctx context.Context) (bool, error) {
	if !s.divides {
		return false, nil
	}
	each := float64(s.widest) // from level to level
	if s.multiplicity != nil {
		each *= slices.Max(s.multiplicity)
	}
	if float64(len(s.levels))*math.Log2(each) < math.Log2(engine.MostDecayed) {
		return false, nil
	}
	for i, v := range s.vertex {
		if i%segmentEdges == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		for lane, paths := range s.rows[int(v)*s.lanes:][:s.lanes] {
			if s.mask[i]>>lane&1 == 1 && float64(paths) > engine.MostDecayed {
				return true, nil
			}
		}
	}
	return false, nil
}

// weighLevel sets how the level's vertices count as targets (share), and between others
// (stretch; in a relative block, source). No lane has a vertex in a level before its source's.
func (s *search[T]) weighLevel(at int) {
	for i := range s.sources {
		s.share[i], s.stretch[i] = 1, 1
		if distance := at - s.start[i]; s.block.Relative() {
			s.source[i] = s.spread[i] * s.block.Decay.Share(int64(max(0, distance))) * s.hop[0]
		} else if s.block.Linear && distance > 0 {
			s.share[i], s.stretch[i] = 1/float64(distance), 2*float64(distance)
		} else if s.block.Decay != nil && distance > 0 {
			s.share[i] = s.block.Decay.Share(int64(distance)) * s.spread[i]
		}
	}
}
