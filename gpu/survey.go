package gpu

import (
	"context"
	"math"
	"slices"

	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Surveys say what the blocks of a plan are like, by number of the block. Engines
// choose by them how to search each: see Engine.Choices.
type Surveys map[int]survey

// Survey searches every block that is large enough for a device from a few
// sources. That needs no device, so it can run while devices start. The error is
// ErrOptions or the context's.
func Survey(ctx context.Context, plan *preprocess.Plan, options Options) (Surveys, error) {
	options, err := options.check()
	if err != nil {
		return nil, err
	}
	surveys := make(Surveys)
	for i := range plan.Blocks {
		if block := &plan.Blocks[i]; options.worth(block) {
			if surveys[i], err = look(ctx, block, options.Threads); err != nil {
				return nil, err
			}
		}
	}
	return surveys, nil
}

// apart has the blocks where paths are counted and those that are searched for distances alone.
func (s Surveys) apart() (paths, distances Surveys) {
	paths, distances = make(Surveys), make(Surveys)
	for number, found := range s {
		if found.distances {
			distances[number] = found
		} else {
			paths[number] = found
		}
	}
	return paths, distances
}

// survey is what a few searches tell about a block.
type survey struct {
	vertices  int  // of the block
	hubs      bool // some vertices have so many edges that distances to them rule all others: see hubDegree
	median    int  // of the depths: distance from a source to the vertex farthest from it
	most      int  // the largest depth seen
	bound     int  // no source has a larger one; of a directed block a guess
	directed  bool
	simple    bool        // undirected and searched to its ends, for sums of D, and maybe for what goes over edges or of sources that are drawn; set by the task
	drawn     bool        // scores are estimated from some sources; set by the task
	beside    bool        // others search for distances at the same time; set by the task
	plain     bool        // likewise, and no sources are drawn; set by the task
	distances bool        // are all that the block is searched for
	chains    chainSizes  // of a block that has chains
	lengths   lengthSizes // of a block whose arcs have lengths
	cutoff    int         // how deep searches go at most; 0: to the end
	degree    float64     // mean
	fewEdges  bool        // everywhere: see kernels/patches.cl
	widest    int         // vertices of the largest frontier seen
	paths     float64     // the largest number of shortest paths seen; may be +Inf
	whole     bool        // every search reaches all vertices
}

// asked fills in what the task sets.
func (s survey) asked(b *preprocess.Block, o Options) survey {
	s.drawn = b.HasDraws() || b.Linear
	s.simple = !b.Directed() && b.Cutoff == 0 && !(b.HasFlows() && (s.drawn || !s.whole))
	s.beside = slices.Contains(o.Searches, question.Distances)
	s.plain = s.simple && !s.drawn
	s.fewEdges = s.fewEdges && o.Mdeg == 0 // which is about sharing vertices
	return s
}

// surveyed is how many sources are searched: those at even places in the
// block's order.
const surveyed = 3

// look searches from a few sources. The error is the context's.
func look(ctx context.Context, b *preprocess.Block, threads int) (survey, error) {
	n := b.Vertices()
	s := newScouts(b, threads)
	for i := range surveyed {
		s.start(i, b.Sources[i*len(b.Sources)/surveyed])
	}
	if err := s.search(ctx); err != nil {
		return survey{}, err
	}
	slices.Sort(s.depth[:])
	found := survey{
		vertices:  n,
		hubs:      max(b.LargestDegree(), b.Reverse().LargestDegree())*int64(n) >= hubDegree*int64(len(b.Targets)),
		median:    s.depth[surveyed/2],
		most:      s.depth[surveyed-1],
		bound:     2 * s.depth[0], // by way of that source
		directed:  b.Directed(),
		distances: b.Distances,
		chains:    chainSizesOf(b),
		lengths:   lengthSizesOf(b),
		cutoff:    b.Cutoff,
		degree:    meanDegree(b),
		fewEdges:  fewEdges(b),
		widest:    slices.Max(s.width[:]),
		paths:     s.paths(),
	}
	missed := func(by uint8) bool { return by != 1<<surveyed-1 }
	found.whole = !found.directed && found.cutoff == 0 && !slices.ContainsFunc(s.seen, missed)
	if found.directed {
		found.bound = max(found.most+found.most/2, leastGuess)
	}
	if found.cutoff > 0 {
		found.bound = min(found.bound, found.cutoff)
	}
	return found, nil
}

func meanDegree(b *preprocess.Block) float64 { return float64(len(b.Targets)) / float64(b.Vertices()) }

// leastGuess is how deep searches of a directed block are taken to be at least,
// before one was seen to go deeper.
const leastGuess = 8

// hubDegree is how many times the mean degree the largest must be for hubs to
// rule the distances. (soc-Epinions1 and R-MAT graphs have 150 and more, facebook
// 22, a small world 2.)
const hubDegree = 64

// gamma is the constant of the rule below.
const gamma = 4

// limit is the median depth above which a block is deep.
func (s survey) limit() float64 { return gamma * math.Log2(float64(s.vertices)) }

// deep says whether frontiers are thin, so that lists of them pay; elsewhere
// looking at every vertex in every level is cheaper. The rule is that of
// A. McLaughlin, D. Bader, "Scalable and high performance betweenness centrality
// on the GPU", SC 2014, section IV: the median depth of a few sources passes
// gamma*log2(n).
func (s survey) deep() bool { return float64(s.median) > s.limit() }
