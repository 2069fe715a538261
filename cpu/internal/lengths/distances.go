package lengths

import (
	"context"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// RunDistances computes a batch of a block with Distances. It takes the first two of the four steps.
// Then it adds up the distances from all sources of the batch to
// each vertex, in the order of the sources. Got is the number of
// reached vertices, Want their number by Block.Reach.
func (s *Search) RunDistances(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.found = pages.Cleared(s.found, b.Vertices())
	if s.block != b {
		s.longest = 0
		for _, length := range b.Lengths {
			s.longest = max(s.longest, length)
		}
		short := b != s.long && b.Cutoff == 0 && s.longest < farShort/8
		if err := s.prepareDistances(ctx, b, short); err != nil {
			return engine.Result{}, err
		}
	}
	s.visits = 0
	sources := b.Sources[batch.First : batch.First+batch.Count]
	if err := s.settle(ctx, sources[0]); err != nil {
		return engine.Result{}, err
	}
	reached, want, width := uint64(0), uint64(0), lanes
	if s.short != nil {
		width = shortLanes
	}
	for first := 0; first < len(sources); first += width {
		group := sources[first:min(first+width, len(sources))]
		s.spread(group)
		if err := s.relax(ctx, group); err != nil {
			return engine.Result{}, err
		}
		met, most, err := s.collect(ctx, b, group)
		if err != nil {
			return engine.Result{}, err
		}
		// The predecessor of a vertex too far for 16 bits is within the longest length of farShort.
		if s.short != nil && most >= farShort-s.longest {
			s.long, s.block = b, nil
			return s.RunDistances(ctx, b, batch)
		}
		reached += met
		for _, v := range group {
			if b.Reach != nil {
				want += uint64(b.Reach[v])
			}
		}
	}
	if b.Reach == nil {
		want = reached // there is no independent count
	}
	s.gots[0], s.wants[0] = float64(reached), float64(want)
	return engine.Result{
		Batch: batch, Found: s.found, Got: s.gots[:1], Want: s.wants[:1], Together: true,
		Work: engine.Work{FrontierEntries: s.visits},
	}, nil
}

// spread sets window to the largest distance of the group's sources from the settled one.
func (s *Search) spread(sources []uint32) {
	s.window = 0
	for _, v := range sources {
		if d := s.near.distance[v]; d != unreached {
			s.window = max(s.window, d)
		}
	}
}

// collect adds up the distances of a group of sources. It returns the number of connected pairs of source and vertex,
// and the largest distance. Sums of inverses run in the order of the batch's sources, whatever the groups.
func (s *Search) collect(ctx context.Context, b *preprocess.Block, sources []uint32) (met uint64, most int64, err error) {
	switch {
	case s.short != nil:
		return collect(ctx, s, b, s.short, shortLanes, sources, farShort)
	case s.narrow != nil:
		return collect(ctx, s, b, s.narrow, lanes, sources, int32(s.far))
	}
	return collect(ctx, s, b, s.wide, lanes, sources, s.far)
}

func collect[D int16 | int32 | int64](ctx context.Context, s *Search, b *preprocess.Block, rows []D, width int, sources []uint32, far D) (met uint64, most int64, err error) {
	if b.Own {
		return collectOwn(ctx, b, s.found, rows, width, sources, far)
	}
	for v := range s.found {
		if v%checkEvery == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		f := &s.found[v]
		sum, count, farthest, inverse := uint64(0), uint64(0), D(0), f.Inverse
		for _, d := range rows[v*width : v*width+len(sources)] {
			if d == 0 || d == far {
				continue
			}
			sum += uint64(d)
			count++
			farthest = max(farthest, d)
			inverse += 1 / float64(d)
		}
		f.Farness += sum
		f.Reach += count
		f.Eccentricity = max(f.Eccentricity, uint64(farthest))
		f.Inverse = inverse
		met += count
		most = max(most, int64(farthest))
	}
	return met, most, nil
}

// collectOwn is collect for a block with Own: it adds up, for each source, its distances to the counted
// vertices.
func collectOwn[D int16 | int32 | int64](ctx context.Context, b *preprocess.Block, found []engine.Found, rows []D, width int, sources []uint32, far D) (met uint64, most int64, err error) {
	counted, inverse := b.Counted(), !b.Follow()
	var own [shortLanes]engine.Found
	for v := range found {
		if v%checkEvery == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		for lane, d := range rows[v*width : v*width+len(sources)] {
			if d == 0 || d == far {
				continue
			}
			met++
			most = max(most, int64(d))
			if counted != nil && !counted[v] {
				continue
			}
			own[lane].AddLength(uint64(d), inverse)
		}
	}
	for lane, v := range sources {
		found[v] = own[lane]
	}
	return met, most, nil
}

// Lines finds the distances from some sources of a connected block. It stores them
// in lines, by source, then by vertex. The only error is the context's.
func (s *Search) Lines(ctx context.Context, b *preprocess.Block, sources []uint32, lines [][]int32) error {
	if s.block != b {
		if err := s.prepareDistances(ctx, b, false); err != nil {
			return err
		}
	}
	for first := 0; first < len(sources); first += lanes {
		group := sources[first:min(first+lanes, len(sources))]
		if first%engine.MaxLanes == 0 {
			if err := s.settle(ctx, group[0]); err != nil {
				return err
			}
		}
		s.spread(group)
		if err := s.relax(ctx, group); err != nil {
			return err
		}
		for lane := range group {
			line := lines[first+lane]
			for v := range line {
				line[v] = int32(s.distance(uint32(v), lane))
			}
		}
	}
	return nil
}
