package gpu

import (
	"context"
	"fmt"
)

// searchLevels runs kernels/levels.cl over the wave. It launches as many levels
// as the deepest search so far had, both passes and the sums after them, and
// then looks once whether that was enough.
func (s *stream) searchLevels(ctx context.Context, t *task) error {
	g, m, n, packs := s.graph, &s.memory, uint32(s.shape.vertices), uint32(s.shape.packs)
	rows := s.shape.vertices * s.shape.packs
	found := make([]uint32, s.shape.levels*(s.shape.packs+1))
	group := s.engine.device.group
	teams := group / team
	span := s.span()
	tiles := g.hubs + (s.shape.vertices+teams*span-1)/(teams*span)
	lanes := s.shape.packs * s.shape.lanes()

	if err := s.launch("fill", s.flat(len(found)), 1, uint32(len(found)), uint32(0), m[bufFound]); err != nil {
		return err
	}
	if err := s.launch("levels_clear", s.flat(rows), 1, n, packs, m[bufCounts], m[bufFrontier], m[bufSeen]); err != nil {
		return err
	}
	if err := s.launch("levels_seed", (lanes+group-1)/group, 1, n, packs, m[bufSource], m[bufFrontier], m[bufSeen], m[bufPaths], m[bufFound]); err != nil {
		return err
	}
	for level, end := 0, min(t.deeper(0)+1, s.shape.levels-1); ; {
		for ; level < end; level++ {
			seen, reached := m[bufSeen], m[bufReached]
			if level%2 == 1 {
				seen, reached = reached, seen
			}
			if err := s.launch("levels_forward", tiles, s.shape.packs, n, packs, uint32(level), uint32(g.hubs), uint32(g.most), uint32(span),
				g.ptr, g.adj, g.hub, g.owner, g.multiplicity, m[bufFrontier], seen, reached, m[bufPaths], m[bufFound]); err != nil {
				return err
			}
		}
		for back := end - 1; back > 0; back-- {
			if err := s.launch("levels_backward", tiles, s.shape.packs, n, packs, uint32(back), uint32(end), uint32(g.hubs), uint32(g.most), uint32(span),
				g.ptr, g.adj, g.hub, g.owner, g.weight, g.multiplicity, m[bufFrontier], m[bufPaths], m[bufShares], m[bufFound]); err != nil {
				return err
			}
		}
		chunks, words := s.shape.chunks(), s.shape.packs*s.shape.words
		if err := s.launch("levels_tally", chunks, words, n, packs, uint32(end), uint32(chunks), g.weight, m[bufFrontier], m[bufFound],
			m[bufPaths], m[bufSourceWeight], m[bufRows], m[bufParts]); err != nil {
			return err
		}
		if err := s.launch("fold_parts", words, 1, uint32(words), uint32(chunks), m[bufParts], m[bufSums]); err != nil {
			return err
		}
		if err := s.queue.read(m[bufFound], 0, bytesOf(found[:(end+1)*(s.shape.packs+1)])); err != nil {
			return err
		}
		at := func(level int) uint32 { return found[level*(s.shape.packs+1)+s.shape.packs] }
		if at(end) == 0 {
			s.entries = 0
			for level := range end {
				if at(level) > 0 {
					t.deeper(level)
				}
				s.entries += int64(at(level))
			}
			return nil
		}
		if end == s.shape.levels-1 {
			return fmt.Errorf("%w: search of block %d goes past level %d, which none should reach", ErrDevice, t.number, end)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		end = min(end+max(end/2, 4), s.shape.levels-1)
	}
}

// span is how many vertices a team takes one after the other: many save
// launching, few share the work better.
func (s *stream) span() int {
	teams := s.shape.vertices * s.shape.packs
	return max(min(teams/(s.engine.device.ComputeUnits*512), team), 1)
}
