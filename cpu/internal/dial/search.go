package dial

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/invariants"
	"bcstage/internal/pages"
	"bcstage/internal/wholes"
	"bcstage/preprocess"
)

// Search is the state of one goroutine's batches of blocks whose arcs have lengths. Between two sources no vertex has a
// distance, and all sums are 0.
type Search struct {
	look kernel
	frame
	buckets

	block *preprocess.Block
	unit  int64 // of distances: the greatest common divisor of the lengths
	each  int   // arcs of a vertex, on average
	work  int   // arcs until the next look at the context

	nodes     []node  // by vertex
	most      float64 // largest path count
	got, want []float64

	scores         []float64 // by vertex, of the last batch
	drawn, squares []float64 // likewise, if the block has Draws
	arrives        []float64 // likewise, if it has Hung
	access         []engine.Access
}

// A node has the numbers of a vertex, beside one another in memory. sum is 0 between two sources.
type node struct {
	paths float64 // S
	sum   float64 // of c over the successors
	to    float64 // target mass, or the source's seed in a block with Decay
	score float64
}

const (
	// far is the distance of a vertex that the search has not met, or one more than the Cutoff if that is less.
	far = 1 << 30
	// mostBuckets is the number of buckets.
	mostBuckets = 1 << 12
	// workEvery is the number of arcs between two looks at the context: a few milliseconds of work.
	workEvery = 1 << 19
)

// New makes a Search with the kernel of an instruction set. The results are those of all others.
func New(set string) *Search { return &Search{look: kernelOf(set)} }

// Fits reports whether 31 bits hold all distances of a block, in units of its lengths' divisor, and few buckets its longest arc.
func Fits(b *preprocess.Block) bool {
	unit, shortest, longest := scale(b)
	return len(b.Lengths) > 0 && b.LongestWalk()/unit < far && len(b.Targets) < math.MaxInt32 && fits(shortest/unit, longest/unit)
}

// scale returns the greatest common divisor of a block's lengths, the shortest and the longest.
func scale(b *preprocess.Block) (unit, shortest, longest int64) {
	shortest = math.MaxInt64
	for _, length := range b.Lengths {
		shortest, longest = min(shortest, length), max(longest, length)
		if unit != 1 {
			unit = wholes.Divisor(length, unit)
		}
	}
	return unit, shortest, longest
}

// Bytes returns the memory that a Search needs for a block.
func Bytes(b *preprocess.Block) int64 {
	n, m := int64(b.Vertices()+1), int64(len(b.Targets)+roomLeft)
	const (
		vertex = 4 + 4 + 4 + 4*8 + 8
		arc    = 4 + 3*4 + 2*bucketRoom*8
	)
	more := int64(0)
	if b.HasDraws() {
		more = 2 * 8 * n
	}
	if b.Hung != nil {
		more += 8 * n
	}
	return n*vertex + m*arc + more + mostBuckets*32 + 16*int64(b.Lanes)
}

// Run computes a batch. The only errors are the context's and, with invariants.On, a broken invariant.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.prepare(b)
	n := b.Vertices()
	s.scores, s.arrives, s.access = pages.Cleared(s.scores, n), pages.Cleared(s.arrives, len(b.Hung)), s.access[:0]
	for v, to := range b.To {
		s.nodes[v] = node{to: to}
	}
	s.got, s.want = pages.Resize(s.got, batch.Count), pages.Resize(s.want, batch.Count)
	result := engine.Result{Batch: batch, Scores: s.scores, Got: s.got, Want: s.want}
	if b.HasDraws() {
		s.drawn, s.squares = pages.Cleared(s.drawn, n), pages.Cleared(s.squares, n)
		result.Drawn, result.Squares = s.drawn, s.squares
	}
	for i, source := range b.Sources[batch.First : batch.First+batch.Count] {
		reached, err := s.search(ctx, source)
		if err != nil {
			return engine.Result{}, err
		}
		mass := b.From[source]
		if b.Decay != nil {
			mass = s.decay(reached)
		}
		s.got[i], s.want[i] = s.retreat(reached, mass)
		if !(s.most <= engine.MostPaths) || b.Decay != nil && s.most > engine.MostDecayed {
			s.got[i] = math.NaN()
		}
		result.Work.FrontierEntries += int64(reached)
	}
	for v := range s.nodes {
		s.scores[v] += s.nodes[v].score
	}
	if result.Access = s.access; b.Sees {
		result.Sees, result.Arrives = result.Want, s.arrives
	}
	return result, nil
}

// prepare makes room for a block.
func (s *Search) prepare(b *preprocess.Block) {
	if s.block == b {
		return
	}
	n, m := b.Vertices(), len(b.Targets)
	unit, shortest, _ := scale(b)
	s.unit, s.each = unit, 1+m/max(n, 1)
	s.unmet = far
	if limit := int64(b.Cutoff) / unit; b.Cutoff > 0 && limit < far {
		s.unmet = uint32(limit) + 1
	}
	s.offsets, s.targets, s.lengths = b.Offsets, b.Targets, pages.Resize(s.lengths, m)
	for i, length := range b.Lengths {
		s.lengths[i] = uint32(length / unit)
	}
	s.distance, s.order, s.passed = pages.Resize(s.distance, n), pages.Resize(s.order, n+1), pages.Resize(s.passed, n+1)
	for v := range s.distance {
		s.distance[v] = s.unmet
	}
	s.nodes = pages.Resize(s.nodes, n)
	s.offered, s.offers, s.before = pages.Resize(s.offered, m+roomLeft), pages.Resize(s.offers, m+roomLeft), pages.Resize(s.before, m+roomLeft)
	s.buckets.prepare(shortest/unit, m)
	s.block = b
}

// search finds the vertices that a source reaches, in order, and their path counts. It returns how many there are.
// Vertices of a bucket are no farther from one another than an arc is long: they do not precede each other.
func (s *Search) search(ctx context.Context, source uint32) (int, error) {
	s.order[0], s.distance[source], s.passed[0] = source, 0, 0
	s.most = 1
	s.buckets.start()
	first, end, linked := 0, 1, 0
	for first < end {
		var offers int
		offers, linked = s.look(&s.frame, first, end, linked)
		s.passed[end] = uint32(linked)
		err := s.count(first, end)
		if s.work -= offers + s.each*(end-first); s.work <= 0 && err == nil {
			s.work, err = workEvery, ctx.Err()
		}
		if err != nil {
			s.block = nil // some vertices have a distance
			return 0, err
		}
		s.put(&s.frame, offers)
		first, end = end, s.take(&s.frame, end)
	}
	return end, nil
}

// count adds up the path counts of a bucket's vertices.
func (s *Search) count(first, end int) error {
	nodes, order, passed, multiplicity := s.nodes, s.order[first:end], s.passed[first:end+1], s.block.Multiplicity
	for i, v := range order {
		paths := 0.0
		for _, p := range s.before[passed[i]:passed[i+1]] {
			paths += nodes[p].paths
		}
		switch {
		case first == 0:
			paths = 1
		case multiplicity != nil:
			paths *= multiplicity[v]
		}
		nodes[v].paths, s.most = paths, max(s.most, paths)
		if invariants.On {
			if err := invariants.Paths(v, paths); err != nil {
				return err
			}
		}
	}
	return nil
}

// decay sets the seeds of the source of a block with Decay, and returns the mass that it sends.
func (s *Search) decay(reached int) float64 {
	b, source, sees, access := s.block, s.order[0], 0.0, engine.Access{}
	for _, v := range s.order[1:reached] {
		to, d := b.To[v], int64(s.distance[v])*s.unit
		if to != 0 {
			share := b.Decay.Share(d)
			if b.Access {
				access.Add(to, share, d)
			}
			to = float64(to * share) // the conversion keeps arm64 from fusing
		}
		s.nodes[v].to = to
		sees += to
	}
	if b.Access {
		s.access = append(s.access, access)
	}
	mass := b.Sends(source, sees, s.scores)
	if b.Hung != nil {
		for _, v := range s.order[1:reached] {
			if b.Hung[v] {
				s.arrives[v] += float64(mass * b.Decay.Share(int64(s.distance[v])*s.unit))
			}
		}
	}
	return mass
}

// retreat adds the dependencies of the source, which sends some mass, to the sums, and returns both sides of its self-check. It takes the vertices
// out of the search.
func (s *Search) retreat(reached int, mass float64) (got, want float64) {
	b, nodes, source := s.block, s.nodes, s.order[0]
	draws := 0.0
	if b.HasDraws() {
		draws = b.Draws[source]
	}
	for at, v := range slices.Backward(s.order[:reached]) {
		x := &nodes[v]
		sum := x.sum
		x.sum, s.distance[v] = 0, s.unmet
		if at == 0 {
			got = sum
			break
		}
		mu := 1.0
		if b.Multiplicity != nil {
			mu = b.Multiplicity[v]
		}
		d := float64(x.paths * sum) // the conversion keeps arm64 from fusing
		c := float64((x.to+d)*mu) / x.paths
		want += x.to
		if d /= mu; draws != 0 {
			s.drawn[v] += float64(draws * d)
			s.squares[v] += float64(draws * d * d)
		}
		x.score += float64(mass * d)
		for _, p := range s.before[s.passed[at]:s.passed[at+1]] {
			nodes[p].sum += c
		}
	}
	return got, want
}
