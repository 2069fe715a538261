package gpu

import (
	"context"
	"errors"
	"fmt"
)

// errListFull says that a wave's frontiers need a longer list.
var errListFull = errors.New("list of frontiers is full")

// ahead is how many levels are launched before the host looks at the context.
const ahead = 64

// searchFrontier runs kernels/frontier.cl over the wave.
func (s *stream) searchFrontier(ctx context.Context, t *task) error {
	g, m, n, packs := s.graph, &s.memory, uint32(s.shape.vertices), uint32(s.shape.packs)
	group := s.engine.device.group
	if err := s.queue.write(m[bufSeed], 0, bytesOf(s.layout.seed)); err != nil {
		return err
	}
	if err := s.queue.write(m[bufStarts], 0, bytesOf(s.layout.starts)); err != nil {
		return err
	}
	if err := s.launch("frontier_clear", s.flat(s.shape.vertices*s.shape.packs), 1, n, packs, uint32(s.shape.levels+2), m[bufMarks], m[bufPlanes],
		m[bufLevels], m[bufFound]); err != nil {
		return err
	}
	_, first := s.layout.seeds(0)
	if err := s.launch("frontier_seed", (int(first)+group-1)/group, 1, n, first, m[bufSeed], m[bufSource], m[bufMarks],
		m[bufListRow], m[bufListVertex], m[bufFound], m[bufEnds]); err != nil {
		return err
	}
	end, err := s.forwardFrontier(ctx, t)
	if err != nil {
		return err
	}
	full := s.full()
	for back := end - 1; back > 0; back-- {
		if err := s.launch("frontier_backward", full, 1, uint32(back), g.ptr, g.adj, g.weight, g.multiplicity, m[bufPlanes],
			m[bufPaths], m[bufShares], m[bufListRow], m[bufListVertex], m[bufListMask], m[bufEnds]); err != nil {
			return err
		}
		if back%ahead == 0 {
			if err := s.pause(ctx); err != nil {
				return err
			}
		}
	}
	chunks, words := s.shape.chunks(), s.shape.packs*s.shape.words
	if err := s.launch("frontier_tally", chunks, words, n, uint32(chunks), g.weight, m[bufLevels], m[bufStarts],
		m[bufPaths], m[bufSourceWeight], m[bufRows], m[bufParts]); err != nil {
		return err
	}
	return s.launch("fold_parts", words, 1, uint32(words), uint32(chunks), m[bufParts], m[bufSums])
}

// forwardFrontier searches until a level is empty, and returns that level.
func (s *stream) forwardFrontier(ctx context.Context, t *task) (int, error) {
	g, m, n := s.graph, &s.memory, uint32(s.shape.vertices)
	capacity := uint32(s.shape.capacity())
	ends := make([]uint32, s.shape.levels+2)
	level, known := 0, min(t.deeper(0)+2, s.shape.levels+1)
	for {
		for next := min(level+ahead, known); level < next; level++ {
			first, last := s.layout.seeds(level + 1)
			if err := s.launch("frontier_forward", s.full(), 1, n, uint32(level), capacity, first, last, g.ptr, g.adj, g.multiplicity,
				m[bufSeed], m[bufSource], m[bufMarks], m[bufPlanes], m[bufPaths], m[bufLevels], m[bufListRow], m[bufListVertex],
				m[bufListMask], m[bufFound], m[bufEnds]); err != nil {
				return 0, err
			}
		}
		if level < known {
			if err := s.pause(ctx); err != nil {
				return 0, err
			}
			continue
		}
		// Launches up to level-1 have stored where level begins.
		if err := s.queue.read(m[bufEnds], 0, bytesOf(ends[:level+1])); err != nil {
			return 0, err
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if ends[level] > capacity {
			return 0, errListFull
		}
		if ends[level] == ends[level-1] && level-1 > s.layout.lastStart() {
			break
		}
		if level > s.shape.levels {
			return 0, fmt.Errorf("%w: search of block %d goes past level %d, which none should reach", ErrDevice, t.number, level-2)
		}
		known = min(level+max(level/8, 4), s.shape.levels+1)
	}
	s.entries = int64(ends[level])
	for level > 0 && ends[level-1] == ends[level] {
		level--
	}
	t.deeper(level - 1)
	return level, nil
}

// pause waits for the queue, so that a context can end a wave of many levels.
func (s *stream) pause(ctx context.Context) error {
	if err := s.queue.finish(); err != nil {
		return err
	}
	return ctx.Err()
}

// full is as many work-groups as the device can hold at once.
func (s *stream) full() int { return s.engine.device.ComputeUnits * max(2048/s.engine.device.group, 1) }
