package dial

import (
	"context"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// together is the number of sources whose distances are added up by vertex at a time.
const together = 8

// distances is Run of a block with Distances. It adds up the distances to each vertex in the order of the sources. Got is the
// number of reached vertices, Want their number by Block.Reach.
func (s *Search) distances(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	n, reached, want := b.Vertices(), uint64(0), uint64(0)
	s.found = pages.Cleared(s.found, n)
	for i, source := range b.Sources[batch.First : batch.First+batch.Count] {
		row := i % together * n
		if b.Own {
			row = 0
		}
		s.distance = s.rows[row : row+n]
		if _, err := s.search(ctx, source); err != nil {
			return engine.Result{}, err
		}
		if b.Own {
			reached += s.collectOwn(source)
		} else if i%together == together-1 || i == batch.Count-1 {
			reached += s.collect()
		}
		if b.Reach != nil {
			want += uint64(b.Reach[source])
		}
	}
	if b.Reach == nil {
		want = reached // there is no independent count
	}
	s.got, s.want = append(s.got[:0], float64(reached)), append(s.want[:0], float64(want))
	work := engine.Work{FrontierEntries: int64(reached) + int64(batch.Count)}
	return engine.Result{Batch: batch, Found: s.found, Got: s.got, Want: s.want, Together: true, Work: work}, nil
}

// collectOwn sets what the source finds: its distances to the counted vertices. It takes them away, and returns how many other
// vertices the source reaches.
func (s *Search) collectOwn(source uint32) (reached uint64) {
	counted, inverse, unit, f := s.block.Counted(), !s.block.Follow(), uint64(s.unit), engine.Found{}
	for v, d := range s.distance {
		s.distance[v] = s.unmet
		if d == s.unmet || d == 0 {
			continue
		}
		if reached++; counted != nil && !counted[v] {
			continue
		}
		f.AddLength(uint64(d)*unit, inverse)
	}
	s.found[source] = f
	return reached
}

// collect adds up the distances of some sources by vertex, and takes them away. It returns how many others they reach.
func (s *Search) collect() (reached uint64) {
	rows, n, unit := s.rows, len(s.found), uint64(s.unit)
	for v := range s.found {
		f, before := s.found[v], s.found[v].Reach
		for at := v; at < len(rows); at += n {
			d := rows[at]
			rows[at] = s.unmet
			if d == s.unmet || d == 0 {
				continue
			}
			f.AddLength(uint64(d)*unit, true)
		}
		s.found[v] = f
		reached += f.Reach - before
	}
	return reached
}
