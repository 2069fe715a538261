package lengths

import (
	"context"

	"bcstage/cpu/internal/pages"
	"bcstage/preprocess"
)

// RunDistances computes a batch of a block with Distances: of the four steps the first
// two, and then, in the place of paths, what all sources of the batch are away from
// each vertex. The result's order of sums is that of the sources. Got and Want are
// the vertices that were reached, and those that Block.Reach says are.
func (s *Search) RunDistances(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	s.found = pages.Cleared(s.found, b.Vertices())
	if s.block != b {
		if err := s.prepareDistances(ctx, b); err != nil {
			return preprocess.Result{}, err
		}
	}
	s.visits = 0
	sources := b.Sources[batch.First : batch.First+batch.Count]
	if err := s.settle(ctx, sources[0]); err != nil {
		return preprocess.Result{}, err
	}
	reached, want := uint64(0), uint64(0)
	for first := 0; first < len(sources); first += lanes {
		group := sources[first:min(first+lanes, len(sources))]
		s.spread(group)
		if err := s.relax(ctx, group); err != nil {
			return preprocess.Result{}, err
		}
		met, err := s.collect(ctx, b, group)
		if err != nil {
			return preprocess.Result{}, err
		}
		reached += met
		for _, v := range group {
			if b.Reach != nil {
				want += uint64(b.Reach[v])
			}
		}
	}
	if b.Reach == nil {
		want = reached // nobody knows better
	}
	s.gots[0], s.wants[0] = float64(reached), float64(want)
	return preprocess.Result{
		Batch: batch, Found: s.found, Got: s.gots[:1], Want: s.wants[:1], Together: true,
		Work: preprocess.Work{FrontierEntries: s.visits},
	}, nil
}

// spread sees how far the sources of a group are from the one that settled.
func (s *Search) spread(sources []uint32) {
	s.window = 0
	for _, v := range sources {
		if d := s.near.distance[v]; d != unreached {
			s.window = max(s.window, d)
		}
	}
}

// collect adds the distances of a group of sources up, and says how many sources and
// vertices have met.
func (s *Search) collect(ctx context.Context, b *preprocess.Block, sources []uint32) (met uint64, err error) {
	switch {
	case b.Own && s.narrow != nil:
		return collectOwn(ctx, b, s.found, s.narrow, sources, int32(s.far))
	case b.Own:
		return collectOwn(ctx, b, s.found, s.wide, sources, s.far)
	case s.narrow != nil:
		return collect(ctx, s.found, s.narrow, len(sources), int32(s.far))
	}
	return collect(ctx, s.found, s.wide, len(sources), s.far)
}

func collect[D int32 | int64](ctx context.Context, found []preprocess.Found, rows []D, sources int, far D) (met uint64, err error) {
	for v := range found {
		if v%checkEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		f := &found[v]
		sum, count, most, inverse := uint64(0), uint64(0), D(0), 0.0
		for _, d := range rows[v*lanes : v*lanes+sources] {
			if d == 0 || d == far {
				continue
			}
			sum += uint64(d)
			count++
			most = max(most, d)
			inverse += 1 / float64(d)
		}
		f.Farness += sum
		f.Reach += count
		f.Eccentricity = max(f.Eccentricity, uint64(most))
		f.Inverse += inverse
		met += count
	}
	return met, nil
}

// collectOwn is collect for a block with Own: each source has its own distances, to the vertices that
// are counted.
func collectOwn[D int32 | int64](ctx context.Context, b *preprocess.Block, found []preprocess.Found, rows []D, sources []uint32, far D) (met uint64, err error) {
	counted := b.Counted()
	var own [lanes]preprocess.Found
	for v := range found {
		if v%checkEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		for lane, d := range rows[v*lanes : v*lanes+len(sources)] {
			if d == 0 || d == far {
				continue
			}
			met++
			if counted != nil && !counted[v] {
				continue
			}
			f := &own[lane]
			f.Farness += uint64(d)
			f.Reach++
			f.Eccentricity = max(f.Eccentricity, uint64(d))
			f.Inverse += 1 / float64(d)
		}
	}
	for lane, v := range sources {
		found[v] = own[lane]
	}
	return met, nil
}

// Lines finds the distances from some sources of a block that is in one piece: by
// source, then by vertex, in the memory that it is given. The only error is the context's.
func (s *Search) Lines(ctx context.Context, b *preprocess.Block, sources []uint32, lines [][]int32) error {
	if s.block != b {
		if err := s.prepareDistances(ctx, b); err != nil {
			return err
		}
	}
	for first := 0; first < len(sources); first += lanes {
		group := sources[first:min(first+lanes, len(sources))]
		if first%preprocess.MaxLanes == 0 {
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
