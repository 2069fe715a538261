package lengths

import (
	"context"
	"math/bits"

	"bcstage/internal/pages"
)

// peeling orders the ranks of a group for path counts and dependencies. A rank without links after it is peeled off, then
// the ranks whose links lead to peeled ones only, and so on. Each of them is visited once. The others, the core,
// are near the sources. Lanes pass links there both ways, so a sweep visits them several times.
type peeling struct {
	ranks []uint32 // peeled, each after the ends of its links
	left  []uint32 // by rank: links to ranks that are not peeled
	core  []uint64 // a bit for every rank that was met and is not peeled
}

// peel finds the order.
func (s *Search) peel(ctx context.Context, _ []uint32) error {
	p := &s.peeling
	p.left = pages.Resize(p.left, len(s.order))
	p.core = append(append(p.core[:0], s.met...), make([]uint64, len(s.met))...) // seeds are not in the core
	p.ranks = p.ranks[:0]
	if s.dense {
		return nil
	}
	seeds := int64(0) // links to seeds
	if s.inside != nil {
		seeds = 1
	}
	for word, met := range s.met {
		for ; met != 0; met &= met - 1 {
			r := uint32(word*64 + bits.TrailingZeros64(met))
			p.left[r] = uint32(s.after.first[r+1] - s.after.first[r] - seeds)
			if p.left[r] == 0 {
				p.ranks = append(p.ranks, r)
			}
		}
	}
	for i := 0; i < len(p.ranks); i++ {
		r := p.ranks[i]
		p.core[r>>6] &^= 1 << (r & 63)
		first, end := s.before.first[r], s.before.first[r+1]
		if err := s.looked(ctx, end-first); err != nil {
			return err
		}
		for _, from := range s.before.rank[first:end] {
			if p.left[from]--; p.left[from] == 0 {
				p.ranks = append(p.ranks, from)
			}
		}
	}
	return nil
}
