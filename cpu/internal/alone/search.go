package alone

import (
	"context"
	"math"

	"bcstage/internal/engine"
	"bcstage/internal/invariants"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Search is the state of one goroutine's batches. A vertex has a place in the order in which a search meets it.
type Search struct {
	block   *preprocess.Block
	starts  []int64           // by vertex: its first pair
	pairs   [][2]uint32       // of neighbours; of an odd number, the last one is with the vertex itself
	inverse [fewPaths]float64 // of path counts
	value   []float64         // by vertex: see search and retreat. All are 0 between two sources

	order        []uint32  // by place: the vertex
	levels       []int     // by distance from the source: its first place; then how many vertices are met
	counts, sums []float64 // by place: S, path counts, on the way back c; and the sum of c of its successors
	most         float64   // largest path count that is not in the last level
	visited      int       // vertices since the last look at the context

	scores, drawn, squares []float64 // by vertex; 0 outside at. The last two are of a block with Draws
	listed                 []uint8   // by vertex: 1 if at has it
	at                     []uint32
	got, want              []float64
	work                   engine.Work
	flows                  flows
}

// flows are those of a batch, in a block with Flows, and a side of their check.
type flows struct {
	over []float64 // by edge of the block
	want float64
}

// fewPaths is the number of path counts whose inverse is kept. A product takes a fourth of the time of a division.
const fewPaths = 256

// visitsBetween is the number of vertices between two looks at the context: a few milliseconds of work.
const visitsBetween = 1 << 16

// Bytes returns the memory that a Search needs for a block.
func Bytes(b *preprocess.Block) int64 {
	vertex := int64(8 + 4 + 8 + 4 + 8 + 8 + 8 + 1 + 4)
	if b.HasDraws() {
		vertex += 8 + 8
	}
	flows := int64(0)
	if b.HasFlows() {
		flows = 8 * int64(b.Flows.Count())
	}
	return int64(b.Vertices()+1)*vertex + 4*int64(len(b.Targets)) + 16*int64(b.Lanes) + flows
}

// Run computes a batch. The only errors are the context's and, with invariants.On, a broken invariant.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.prepare(b, batch.Count)
	for i, source := range b.Sources[batch.First : batch.First+batch.Count] {
		err := ctx.Err()
		if err == nil {
			err = s.search(ctx, source)
		}
		if err == nil {
			s.got[i], s.want[i], err = s.retreat(ctx, source)
		}
		if err != nil {
			s.block = nil // values are not 0
			return engine.Result{}, err
		}
		if !(s.most <= engine.MostPaths) {
			s.got[i] = math.NaN()
		}
	}
	result := engine.Result{Batch: batch, Scores: s.scores, At: s.at, Got: s.got, Want: s.want, Work: s.work, Flows: s.flows.over, FlowWant: s.flows.want}
	if b.HasDraws() {
		result.Drawn, result.Squares, result.At = s.drawn, s.squares, nil
	}
	return result, nil
}

// prepare makes room for a batch, and clears the numbers of the last one.
func (s *Search) prepare(b *preprocess.Block, sources int) {
	s.got, s.want, s.work = pages.Resize(s.got, sources), pages.Resize(s.want, sources), engine.Work{}
	if s.flows.over, s.flows.want = s.flows.over[:0], 0; b.HasFlows() {
		s.flows.over = pages.Cleared(s.flows.over, b.Flows.Count())
	}
	if s.block == b {
		for _, v := range s.at {
			s.scores[v], s.listed[v] = 0, 0
			if b.HasDraws() {
				s.drawn[v], s.squares[v] = 0, 0
			}
		}
		s.at = s.at[:0]
		return
	}
	n := b.Vertices()
	s.block = b
	s.starts, s.pairs = pages.Reserve(s.starts, n+1), pages.Reserve(s.pairs, (n+int(b.Offsets[n]-b.Offsets[0]))/2)
	for v := range uint32(n) {
		s.starts = append(s.starts, int64(len(s.pairs)))
		for row := b.Neighbours(v); len(row) > 0; {
			pair := [2]uint32{v, v}
			row = row[copy(pair[:], row):]
			s.pairs = append(s.pairs, pair)
		}
	}
	s.starts = append(s.starts, int64(len(s.pairs)))
	for i := range s.inverse {
		s.inverse[i] = 1 / float64(i)
	}
	s.order, s.counts, s.sums, s.value = pages.Resize(s.order, n+1), pages.Resize(s.counts, n), pages.Resize(s.sums, n), pages.Cleared(s.value, n)
	s.scores, s.listed, s.at = pages.Cleared(s.scores, n), pages.Cleared(s.listed, n), pages.Reserve(s.at, n+1)
	if b.HasDraws() {
		s.drawn, s.squares = pages.Cleared(s.drawn, n), pages.Cleared(s.squares, n)
	}
}

// search finds the vertices within the cutoff of a source, or all that it reaches without one, and counts paths. The value of a
// vertex is then S, without multiplicity, if it is in the last level, and infinite nearer to the source.
func (s *Search) search(ctx context.Context, source uint32) error {
	b, order, value, counts := s.block, s.order, s.value, s.counts
	order[0], counts[0], value[source] = source, 1, math.Inf(1)
	s.levels, s.most = append(s.levels[:0], 0), 1
	for first, met := 0, 1; ; {
		s.levels = append(s.levels, met)
		if first == met || b.Cutoff > 0 && len(s.levels) > b.Cutoff+1 {
			return nil
		}
		if err := s.look(ctx, met-first); err != nil {
			return err
		}
		list := order[first:met]
		for i, v := range list {
			if first == 0 {
				break
			}
			counts[first+i], value[v] = value[v], math.Inf(1)
			if b.Multiplicity != nil {
				counts[first+i] *= b.Multiplicity[v]
			}
			if !(counts[first+i] <= s.most) {
				s.most = counts[first+i]
			}
			if invariants.On {
				if err := invariants.Paths(v, counts[first+i]); err != nil {
					return err
				}
			}
		}
		first, met = met, offer(list, s.starts, s.pairs, counts[first:met], value, order, met)
	}
}

// look looks at the context once every few milliseconds, as vertices are visited.
func (s *Search) look(ctx context.Context, vertices int) error {
	if s.visited += vertices; s.visited < visitsBetween {
		return nil
	}
	s.visited = 0
	return ctx.Err()
}

// offer adds the path counts of listed vertices to the values of their neighbours, and lists those whose values were 0 in
// order. It returns how many vertices are in order. Whether a vertex is new follows no pattern, so that no branch depends on
// it: every vertex is listed, and the next one replaces a wrong one.
//
//go:noinline
func offer(list []uint32, starts []int64, pairs [][2]uint32, counts, value []float64, order []uint32, met int) int {
	counts = counts[:len(list)]
	for at, u := range list {
		row, count := pairs[starts[u]:starts[u+1]], counts[at]
		for i := range row {
			pair := &row[i]
			v, w := pair[0], pair[1]
			old := value[v]
			value[v], order[met] = old+count, v
			met += int((math.Float64bits(old) - 1) >> 63)
			old = value[w]
			value[w], order[met] = old+count, w
			met += int((math.Float64bits(old) - 1) >> 63)
		}
	}
	return met
}

// retreat adds the dependencies of a source to the scores, and returns both sides of its self-check. The value of a vertex is c
// while the level before looks at it, otherwise 0.
func (s *Search) retreat(ctx context.Context, source uint32) (got, want float64, err error) {
	b, order, value, to := s.block, s.order, s.value, s.block.To
	mass, draws := b.From[source], 0.0
	if b.HasDraws() {
		draws = b.Draws[source]
	}
	last := len(s.levels) - 2
	met, inner := s.levels[last+1], s.levels[last]
	drop(order[:inner], value)
	unit, stretch := 1.0, 1.0 // of a path's length: see preprocess.Block.Linear
	if b.Linear {
		unit = 1 / float64(max(last, 1))
	}
	seen := s.divide(order[inner:met], unit)
	want = seen * float64(last-1)
	for level := last - 1; level > 0; level-- {
		first, end := s.levels[level], s.levels[level+1]
		if err := s.look(ctx, end-first); err != nil {
			return 0, 0, err
		}
		list, counts, sums, near := order[first:end], s.counts[first:end], s.sums[:end-first], 0.0
		if b.Linear {
			unit, stretch = 1/float64(level), 2*float64(level)
		}
		s.work.RowLoads += 4 * sum(list, s.starts, s.pairs, value, sums)
		s.flow(list, counts, mass)
		for at := len(list) - 1; at >= 0; at-- {
			v, mu := list[at], 1.0
			if b.Multiplicity != nil {
				mu = b.Multiplicity[v]
			}
			d := float64(counts[at] * sums[at]) // the conversion keeps arm64 from fusing
			near += to[v]
			counts[at] = (float64(to[v]*unit) + d) * mu / counts[at]
			d *= stretch
			got += d
			s.scores[v] += float64(mass*d) / mu
			if draws != 0 {
				d /= mu
				s.drawn[v] += float64(draws * d)
				s.squares[v] += float64(draws * d * d)
			}
		}
		seen += near
		want += near * float64(level-1)
		drop(order[end:s.levels[level+2]], value)
		for at, v := range list {
			value[v] = counts[at]
		}
	}
	s.flow(order[:1], s.counts, mass)
	if b.HasFlows() {
		s.flows.want += float64(mass * (want + seen)) // want counts one edge less for each target
	}
	drop(order[s.levels[1]:s.levels[2]], value)
	at, listed := s.at[:cap(s.at)], len(s.at)
	for _, v := range order[s.levels[1]:inner] {
		at[listed] = v // no branch on whether it is new
		listed += int(1 - s.listed[v])
		s.listed[v] = 1
	}
	s.at = at[:listed]
	s.work.FrontierEntries += int64(met)
	return got, want, nil
}

// flow adds up the flows from listed vertices to their successors, if the block has any. The values of other vertices are 0.
func (s *Search) flow(list []uint32, counts []float64, mass float64) {
	b := s.block
	if !b.HasFlows() {
		return
	}
	for at, v := range list {
		count, first := mass*counts[at], b.Offsets[v]
		for i, u := range b.Neighbours(v) {
			if c := s.value[u]; c != 0 {
				s.flows.over[b.Flows.Of[first+int64(i)]] += float64(count * c) // the conversion keeps arm64 from fusing
			}
		}
	}
}

// divide makes c of the path counts of the last level, whole numbers, and returns its mass. The multiplicity of a vertex is on both sides.
//
//go:noinline
func (s *Search) divide(list []uint32, unit float64) (sum float64) {
	value, to := s.value, s.block.To
	for _, v := range list {
		mass, count := to[v], value[v]
		sum += mass
		mass *= unit
		if i := uint64(int64(count)); i < fewPaths {
			value[v] = mass * s.inverse[i]
		} else {
			value[v] = mass / count
		}
	}
	return sum
}

// drop sets the values of listed vertices to 0.
//
//go:noinline
func drop(list []uint32, value []float64) {
	for _, v := range list {
		value[v] = 0
	}
}

// sum adds up the values of the neighbours of listed vertices, and returns how many pairs they are.
//
//go:noinline
func sum(list []uint32, starts []int64, pairs [][2]uint32, value, sums []float64) (looked int64) {
	sums = sums[:len(list)]
	for at, v := range list {
		row, all := pairs[starts[v]:starts[v+1]], 0.0
		for i := range row {
			all = all + value[row[i][0]] + value[row[i][1]]
		}
		sums[at] = all
		looked += int64(len(row))
	}
	return looked
}
