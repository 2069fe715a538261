// Package pairs estimates dependencies from pairs of vertices. It draws a pair, finds a
// shortest path between its ends by searching from both, drawn uniformly among all shortest
// paths, and counts the vertices inside and, if the block has Flows, the edges. (M. Riondato and E. Kornaropoulos, "Fast
// approximation of betweenness centrality through sampling", 2016; searches from both ends by
// volume: M. Borassi and E. Natale, "KADABRA is an adaptive algorithm for betweenness via
// random approximation", 2019.)
//
//	New              a sampler of a block
//	NewDifferences   the same of what differs between two graphs (difference.go)
//	Sampler.Draw     some pairs of a stage, on several cores
//
// The ends of a pair are originals: a vertex of the block is drawn as a source by its From
// and as a target by its To. Of a question about trips, a row of the table is drawn by its
// trips. A pair whose ends are one vertex of the block, or have no path
// between them, is drawn like others and counts nothing. The mean count of v over draws is
// T(v), see package internal/bound (Range 1). For a twin class, it counts all its members
// together. The dependencies on v sum to
//
//	sum over s of From(s) D_s(v)  =  mass of From * mass of To * T(v), or all trips * T(v)
//
// Counts are whole numbers, and draw i of a stage is the same pair and path on any thread, so
// results do not depend on threads or shards.
//
// A search continues, by levels, from the side whose last level has fewer arcs. First it
// checks whether arcs lead from there into the other side. So the level where they do, which
// would be most of the work, is never built. Where thousands of arcs would have to be
// scanned, it draws vertices of both levels until an arc joins two of them; this arc has the
// right distribution (guess.go). If one level has few vertices and the other many, the few
// are searched for among the many (find.go); else every arc is scanned, with a bit per
// vertex. The neighbours of an end are read in place, and only pairs that need more count and
// mark them: a pair of an R-MAT graph of scale 22 looks at some 350 arcs. Where arcs have
// lengths, vertices are settled from both ends in the order of their distances (lengths.go).
// Memory: some 9 bytes per vertex and thread, 50 with lengths, 12 for the sampler, and what
// searches touch.
package pairs

import (
	"context"
	"sync"

	"bcstage/internal/parallel"
	"bcstage/preprocess"
)

// Sampler draws pairs of one block. Any number of calls of Draw may run at once.
type Sampler struct {
	block    *preprocess.Block
	from, to ends     // for a question about trips, from draws one of the block's Waived, and to nothing
	twin     []uint32 // of NewDifferences; nil: paths are drawn
	vertices int      // of NewDifferences
	members  []uint32 // likewise: vertices to draw, by group
	group    []uint32 // likewise: by vertex, the place of its group in groups
	groups   []targets
	pairs    float64 // likewise: the sum of all products
	apart    bool    // likewise: see pair

	mu    sync.Mutex
	idle  []*search // kept for the next call
	spare []int64   // likewise, for the counts
}

// New returns a Sampler of a block, in O(vertices) on so many threads. It keeps the block, read only.
func New(block *preprocess.Block, threads int) *Sampler {
	if block.HasTrips() {
		trips := make([]float64, len(block.Waived))
		for i, x := range block.Waived {
			trips[i] = -x.Mass
		}
		s := &Sampler{block: block, from: newEnds(trips, threads)}
		s.to = s.from
		return s
	}
	s := &Sampler{block: block, from: newEnds(block.From, threads)}
	s.to = s.from
	if !block.OneMass() {
		s.to = newEnds(block.To, threads)
	}
	return s
}

// Draws names the pairs to draw: numbers First to First+Count-1 of a stage.
type Draws struct {
	Seed, Stage  uint64
	First, Count int64
	Threads      int // at least 1
}

// Counts are sums over pairs. Those of parts of a stage add up to the stage's.
type Counts struct {
	Inner   []int64 // by local vertex, then by number of Flows: drawn paths that pass it. It is the sum of squares, too, unless Shares are
	Shares  []int64 // of NewDifferences: sums of squares; nil: Inner
	Draws   int64
	Paths   int64 // pairs with a path
	Length  int64 // inner vertices of all paths, with their edges where these are counted
	Squares int64 // sum of the squares of each path's length
	Arcs    int64 // arcs looked at
}

// Add adds the sums of other pairs of the same block.
func (c *Counts) Add(o Counts) {
	if c.Inner == nil {
		c.Inner = make([]int64, len(o.Inner))
	}
	for v, count := range o.Inner {
		c.Inner[v] += count
	}
	c.Draws += o.Draws
	c.Paths += o.Paths
	c.Length += o.Length
	c.Squares += o.Squares
	c.Arcs += o.Arcs
}

// Draw draws pairs and counts. It returns early, with nothing, when ctx ends.
func (s *Sampler) Draw(ctx context.Context, d Draws) (Counts, error) {
	total := s.counts(d.Threads)
	if s.from.total == 0 || s.to.total == 0 {
		total.Draws = d.Count
		return total, ctx.Err()
	}
	const grain = 32 // draws that a thread takes at a time
	searches := make([]*search, d.Threads)
	var adding sync.Mutex
	err := parallel.Each(ctx, d.Threads, int((d.Count+grain-1)/grain), func(worker, item int) {
		if searches[worker] == nil {
			searches[worker] = s.search()
		}
		x, first := searches[worker], grain*int64(item)
		for i := first; i < min(first+grain, d.Count) && ctx.Err() == nil; i++ {
			x.draw(ctx, newRandom(d.Seed, d.Stage, uint64(d.First+i)))
		}
		if x.full() {
			adding.Lock()
			defer adding.Unlock()
			x.hand(&total)
		}
	})
	for _, x := range searches {
		if x != nil {
			x.hand(&total)
			s.release(x)
		}
	}
	if err != nil {
		return Counts{}, err
	}
	return total, nil
}

// counts returns sums of nothing yet.
func (s *Sampler) counts(threads int) Counts {
	if s.twin != nil {
		return Counts{Inner: make([]int64, 2*s.vertices), Shares: make([]int64, 2*s.vertices)}
	}
	s.mu.Lock()
	inner := s.spare
	s.spare = nil
	s.mu.Unlock()
	if inner == nil {
		return Counts{Inner: make([]int64, counted(s.block))}
	}
	parallel.SpreadWhole(threads, len(inner), parallel.Interval, func(lo, hi int) { clear(inner[lo:hi]) })
	return Counts{Inner: inner}
}

// counted is how many vertices and edges of a block are counted.
func counted(b *preprocess.Block) int {
	if b.HasFlows() {
		return b.Vertices() + b.Flows.Count()
	}
	return b.Vertices()
}

// Reuse takes back the Inner of Counts that nobody reads again; nil: there is none.
func (s *Sampler) Reuse(inner []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = inner
}

func (s *Sampler) search() *search {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.idle) - 1; last >= 0 {
		x := s.idle[last]
		s.idle = s.idle[:last]
		return x
	}
	return newSearch(s)
}

func (s *Sampler) release(x *search) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, x)
}
