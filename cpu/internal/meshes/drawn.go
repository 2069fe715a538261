package meshes

import (
	"context"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Drawn computes batches of drawn sources: see preprocess.Block.Draws. If one in x sources is drawn,
// a batch spreads over a region x times as large, and its lanes agree less
// about which of two neighbours is nearer. So levels are found in all lanes at once,
// which takes little time, but paths are counted in groups of DrawnLanes lanes near one another.
// In a stage of a sixteenth of t60k there are 1.1 visits of each vertex per group, and
// rows stay in nearer caches. Each visit adds its numbers to the sums of its
// vertex at once, not level by level. So scores differ in their last bits from those of other searches.
//
// A Drawn is for one goroutine at a time.
type Drawn struct {
	search         Search
	got, want      [lanes]float64
	drawn, squares []float64 // by vertex
}

// NewDrawn makes a Drawn. With portableOnly it uses only kernels in Go; the results are the same.
func NewDrawn(portableOnly bool) *Drawn {
	d := &Drawn{search: Search{leveller: leveller{width: DrawnLanes}, kernels: drawnSets()[0]}}
	if portableOnly {
		d.search.kernels = portableDrawn()
	}
	return d
}

// Run computes a batch. The only errors are the context's and, with invariants.On,
// a broken invariant.
func (d *Drawn) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s := &d.search
	s.prepare(b)
	n := b.Vertices()
	s.parts, d.drawn, d.squares = pages.Cleared(s.parts, n), pages.Resize(d.drawn, n), pages.Resize(d.squares, n)
	s.slope, s.level, s.stretch = 0, 1, 1
	if b.Linear {
		s.slope, s.level, s.stretch = 1, 0, 2
	}
	sources := b.Sources[batch.First : batch.First+batch.Count]
	if err := s.run(ctx, sources, s.flood, s.seat, s.settle, s.bound); err != nil {
		return engine.Result{}, err
	}
	levels, start, visits := s.levels, s.start, 0
	defer func() { s.levels = levels }()
	for first := 0; first < len(sources); first += DrawnLanes {
		s.levels = levels[first:]
		copy(s.start[:], start[first:])
		group := sources[first:min(first+DrawnLanes, len(sources))]
		for i, v := range group {
			s.from[i], s.draws[i] = float64(s.start[i]), b.Draws[v]
		}
		clear(s.done)
		s.visits, s.frame.got = margin, [lanes]float64{}
		if err := s.run(ctx, group, s.begin, s.sort, s.countPaths, s.check, s.retreat); err != nil {
			return engine.Result{}, err
		}
		copy(d.got[first:], s.frame.got[:len(group)])
		copy(d.want[first:], s.want[:len(group)])
		visits += s.visits - margin
	}
	for r, v := range s.order[:n] {
		p, mu := &s.parts[r], s.members(uint32(r))
		s.scores[v], d.drawn[v], d.squares[v] = p[0]/mu, p[1]/mu, p[2]/mu/mu
	}
	return engine.Result{
		Batch:   batch,
		Scores:  s.scores,
		Got:     d.got[:batch.Count],
		Want:    d.want[:batch.Count],
		Work:    engine.Work{FrontierEntries: int64(visits), RowLoads: s.rowLoads},
		Drawn:   d.drawn,
		Squares: d.squares,
	}, nil
}
