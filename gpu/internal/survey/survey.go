// Package survey finds a block's properties by searches from a few sources, on the
// CPU.
package survey

import (
	"context"
	"math"
	"slices"

	"bcstage/preprocess"
)

// Findings are the properties of a block, from a few searches.
type Findings struct {
	Vertices  int  // of the block
	Hubs      bool // some vertices have so many edges that distances to them determine all others: see hubDegree
	Median    int  // of the depths: distance from a source to the vertex farthest from it
	Most      int  // the largest depth seen
	Bound     int  // of all sources; of a directed block a guess
	Directed  bool
	Simple    bool        // undirected and searched to its ends, for sums of D; also for flows over edges, or with drawn sources; set by the task
	Drawn     bool        // scores are estimated from some sources; set by the task
	Beside    bool        // another engine searches for distances at the same time; set by the task
	Plain     bool        // like Simple, and no sources are drawn; set by the task
	Distances bool        // the block is searched for distances alone
	Chains    ChainSizes  // of a block that has chains
	Lengths   LengthSizes // of a block whose arcs have lengths
	Cutoff    int         // largest depth of searches; 0: to the end
	Degree    float64     // mean
	FewEdges  bool        // in every patch: see kernels/patches.cl
	widest    int         // vertices of the largest frontier seen
	Paths     float64     // the largest number of shortest paths seen; may be +Inf
	Whole     bool        // every search reaches all vertices
}

// Sources is how many sources are searched: those at even places in the
// block's order.
const Sources = 3

// Look searches from a few sources. The error is the context's.
func Look(ctx context.Context, b *preprocess.Block, threads int) (Findings, error) {
	n := b.Vertices()
	s := newScouts(b, threads)
	for i := range Sources {
		s.start(i, b.Sources[i*len(b.Sources)/Sources])
	}
	if err := s.search(ctx); err != nil {
		return Findings{}, err
	}
	slices.Sort(s.depth[:])
	found := Findings{
		Vertices:  n,
		Hubs:      max(b.LargestDegree(), b.Reverse().LargestDegree())*int64(n) >= hubDegree*int64(len(b.Targets)),
		Median:    s.depth[Sources/2],
		Most:      s.depth[Sources-1],
		Bound:     2 * s.depth[0], // through that source
		Directed:  b.Directed(),
		Distances: b.Distances,
		Chains:    ChainSizesOf(b),
		Lengths:   lengthSizesOf(b),
		Cutoff:    b.Cutoff,
		Degree:    MeanDegree(b),
		FewEdges:  FewEdges(b),
		widest:    slices.Max(s.width[:]),
		Paths:     s.paths(),
	}
	missed := func(by uint8) bool { return by != 1<<Sources-1 }
	found.Whole = !found.Directed && found.Cutoff == 0 && !slices.ContainsFunc(s.seen, missed)
	if found.Directed {
		found.Bound = max(found.Most+found.Most/2, leastGuess)
	}
	if found.Cutoff > 0 {
		found.Bound = min(found.Bound, found.Cutoff)
	}
	return found, nil
}

// leastGuess is the least depth assumed for searches of a directed block before
// one was seen.
const leastGuess = 8

// hubDegree is how many times the mean degree the largest must be for hubs to
// rule the distances. (soc-Epinions1 and R-MAT graphs have 150 and more, facebook
// 22, a small world 2.)
const hubDegree = 64

// gamma is the constant of the rule below.
const gamma = 4

// Limit is the median depth above which a block is deep.
func (s Findings) Limit() float64 { return gamma * math.Log2(float64(s.Vertices)) }

// Deep says whether frontiers are thin, so that lists of them pay; elsewhere it is
// cheaper to look at every vertex in every level. The rule is that of A.
// McLaughlin, D. Bader, "Scalable and high performance betweenness centrality on
// the GPU", SC 2014, section IV: the median depth of a few sources is more than
// gamma*log2(n).
func (s Findings) Deep() bool { return float64(s.Median) > s.Limit() }
