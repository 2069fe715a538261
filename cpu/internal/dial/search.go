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

	paths     []float64 // S, by vertex, 0 where the search has not come
	sums      []sum     // by vertex
	most      float64   // largest path count
	reached   int64     // vertices of the last search
	got, want []float64

	scores         []float64 // by vertex, of the last batch
	drawn, squares []float64 // likewise, if the block has Draws
	arrives        []float64 // likewise, if it has Hung
	access         []engine.Access
	found          []engine.Found // likewise, if it has Distances
	flows          flows          // likewise, if it has Flows
}

// A sum has what a vertex passes on to a predecessor, for each path: of c over the successors, and its own.
type sum struct{ behind, own float64 }

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
		line   = chunkArcs*2*4 + 4 + 4
		vertex = line + 4 + 4 + 8 + 16 + 8
		arc    = line/chunkArcs + 4*4 + 2*bucketRoom*8
	)
	more := int64(0)
	if b.Distances {
		more = n * (together*4 + 48)
	}
	if b.HasDraws() {
		more += 2 * 8 * n
	}
	if b.Hung != nil {
		more += 8 * n
	}
	if b.HasFlows() {
		more += 8 * int64(b.Flows.Count())
	}
	return n*vertex + m*arc + more + mostBuckets*32 + 16*int64(b.Lanes)
}

// Run computes a batch. The only errors are the context's and, with invariants.On, a broken invariant.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.prepare(b)
	if b.Distances {
		return s.distances(ctx, b, batch)
	}
	n := b.Vertices()
	s.scores, s.arrives, s.access = pages.Cleared(s.scores, n), pages.Cleared(s.arrives, len(b.Hung)), s.access[:0]
	s.got, s.want = pages.Resize(s.got, batch.Count), pages.Resize(s.want, batch.Count)
	result := engine.Result{Batch: batch, Scores: s.scores, Got: s.got, Want: s.want}
	if s.flows.got, s.flows.want = 0, 0; b.HasFlows() {
		s.flows.over = pages.Cleared(s.flows.over, b.Flows.Count())
		result.Flows = s.flows.over
	}
	if b.HasDraws() {
		s.drawn, s.squares = pages.Cleared(s.drawn, n), pages.Cleared(s.squares, n)
		result.Drawn, result.Squares = s.drawn, s.squares
	}
	for i, source := range b.Sources[batch.First : batch.First+batch.Count] {
		linked, err := s.search(ctx, source)
		if err != nil {
			return engine.Result{}, err
		}
		if s.want[i], err = s.own(source); err != nil {
			s.block = nil // sums are not 0
			return engine.Result{}, err
		}
		mass := b.From[source]
		if b.Decay != nil {
			mass = s.decay(source, s.want[i])
		}
		s.got[i] = s.retreat(source, linked, mass)
		if !(s.most <= engine.MostPaths) || b.Decay != nil && s.most > engine.MostDecayed {
			s.got[i] = math.NaN()
		}
		result.Work.FrontierEntries += s.reached
	}
	result.FlowGot, result.FlowWant = s.flows.got, s.flows.want
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
	s.chunked(b)
	s.paths, s.sums = pages.Cleared(s.paths, n), pages.Cleared(s.sums, n)
	s.rows = pages.Resize(s.rows, n)
	if b.Distances {
		s.rows = pages.Resize(s.rows, together*n)
	}
	s.distance = s.rows[:n]
	for at := range s.rows {
		s.rows[at] = s.unmet
	}
	s.ties = 0
	if b.Directed() && !b.Distances {
		s.ties = 1
	}
	for _, list := range []*[]uint32{&s.offered, &s.offers, &s.after, &s.before} {
		*list = pages.Resize(*list, m+roomLeft)
	}
	if s.senders = s.offered; s.ties != 0 {
		s.senders = s.before
	}
	s.shift, s.arcs = uint64(width(shortest/unit)), m
	s.block = b
}

// chunked lays out the arcs of a block.
func (s *Search) chunked(b *preprocess.Block) {
	n, chunks := b.Vertices(), uint32(0)
	s.firsts = pages.Resize(s.firsts, n+1)
	for v := range n {
		s.firsts[v] = chunks
		chunks += uint32(b.Offsets[v+1]-b.Offsets[v]+chunkArcs-1) / chunkArcs
	}
	s.firsts[n] = chunks
	s.chunks, s.owners = pages.Resize(s.chunks, int(chunks)), pages.Resize(s.owners, int(chunks))
	s.list = pages.Resize(s.list, int(chunks)+roomLeft)
	for v := range uint32(n) {
		for at, arc := s.firsts[v], b.Offsets[v]; at < s.firsts[v+1]; at++ {
			c := &s.chunks[at]
			s.owners[at] = v
			for i := range c.targets {
				c.targets[i], c.lengths[i] = v, far
				if arc < b.Offsets[v+1] {
					c.targets[i], c.lengths[i] = b.Targets[arc], uint32(b.Lengths[arc]/s.unit)
					arc++
				}
			}
		}
	}
}

// search finds the distances from a source, the links of its shortest paths in order, and their path counts. It returns how many
// links there are. Vertices of a bucket are no farther from one another than an arc is long: they do not precede each other.
func (s *Search) search(ctx context.Context, source uint32) (linked int, err error) {
	s.start(&s.frame, source)
	first := 0
	if s.block.Distances || s.ties != 0 {
		linked = -1
	}
	for at := 0; s.waiting > 0; at++ {
		taken := &s.lists[at%mostBuckets]
		if taken.count == 0 {
			continue
		}
		links, offers, put := s.look(&s.frame, taken, linked, first)
		if s.work -= offers - first + s.each*int(taken.count); s.work <= 0 {
			s.work = workEvery
			if err = ctx.Err(); err != nil {
				s.block = nil // some vertices have a distance
				return 0, err
			}
		}
		s.waiting -= uint64(taken.count)
		taken.count = 0
		s.put(&s.frame, put, offers)
		linked, first = links, offers*int(s.ties)
	}
	if s.ties != 0 {
		linked = s.link(first)
	}
	if !s.block.Distances {
		s.count(source, linked)
	}
	return linked, nil
}

// link makes links of the offers that were the nearest in the end. Senders are in the order of their distance.
func (s *Search) link(offers int) (linked int) {
	after, before, distance := s.after, s.before, s.distance
	senders, nears := s.senders[:offers], s.offers[:offers]
	for i, v := range s.offered[:offers] {
		after[linked], before[linked] = v, senders[i]
		linked += int((nears[i] ^ distance[v] - 1) & (nears[i] - s.unmet) >> 31)
	}
	return linked
}

// count adds up path counts along the links.
func (s *Search) count(source uint32, linked int) {
	paths, before, multiplicity := s.paths, s.before[:linked], s.block.Multiplicity
	paths[source] = 1
	if multiplicity == nil {
		for i, v := range s.after[:linked] {
			paths[v] += paths[before[i]]
		}
		return
	}
	for i, v := range s.after[:linked] {
		paths[v] += float64(multiplicity[v] * paths[before[i]]) // the conversion keeps arm64 from fusing
	}
}

// decay returns the mass that the source of a block with Decay sends. The source sees target masses of that sum.
func (s *Search) decay(source uint32, sees float64) float64 {
	b := s.block
	mass := b.Sends(source, sees, s.scores)
	for v := range b.Hung {
		if near := s.distance[v]; b.Hung[v] && near != s.unmet && uint32(v) != source {
			s.arrives[v] += float64(mass * b.Decay.Share(int64(near)*s.unit))
		}
	}
	return mass
}

// own sets what each vertex passes on for itself. It returns the target masses that the source sees, and takes the source's
// path count away.
func (s *Search) own(source uint32) (seen float64, err error) {
	b, sums, multiplicity, access := s.block, s.sums, s.block.Multiplicity, engine.Access{}
	masses, distance, decay := b.To[:len(sums)], s.distance[:len(sums)], b.Decay
	s.paths[source], s.most, s.reached = 0, 1, 1
	for v, count := range s.paths[:len(sums)] {
		if count == 0 {
			continue
		}
		s.reached++
		to := masses[v]
		if decay != nil {
			d := int64(distance[v]) * s.unit
			share := decay.Share(d)
			if b.Access {
				access.Add(to, share, d)
			}
			to = float64(to * share) // the conversion keeps arm64 from fusing
		}
		seen += to
		if multiplicity != nil {
			to *= multiplicity[v]
		}
		sums[v].own = to / count
		if !(count <= s.most) {
			s.most = count
		}
		if invariants.On && err == nil {
			err = invariants.Paths(uint32(v), count)
		}
	}
	if decay != nil && b.Access {
		s.access = append(s.access, access)
	}
	return seen, err
}

// retreat adds the dependencies of the source, which sends some mass, to the scores, and returns their sum at the source. It
// takes the vertices out of the search.
func (s *Search) retreat(source uint32, linked int, mass float64) (got float64) {
	b, sums, before := s.block, s.sums, s.before[:linked]
	multiplicity := b.Multiplicity
	if multiplicity == nil {
		for i, v := range slices.Backward(s.after[:linked]) {
			sums[before[i]].behind += sums[v].behind + sums[v].own
		}
	} else {
		for i, v := range slices.Backward(s.after[:linked]) {
			sums[before[i]].behind += float64(sums[v].behind*multiplicity[v]) + sums[v].own
		}
	}
	got, sums[source].behind = sums[source].behind, 0
	if b.HasFlows() {
		s.flow(source, mass)
	}
	draws := 0.0
	if b.HasDraws() {
		draws = b.Draws[source]
	}
	distance, paths, scores := s.distance[:len(sums)], s.paths[:len(sums)], s.scores[:len(sums)]
	for v := range sums {
		d := float64(paths[v] * sums[v].behind)
		sums[v].behind, paths[v], distance[v] = 0, 0, s.unmet
		if multiplicity != nil {
			d /= multiplicity[v]
		}
		if draws != 0 {
			s.drawn[v] += float64(draws * d)
			s.squares[v] += float64(draws * d * d)
		}
		scores[v] += float64(mass * d)
	}
	return got
}
