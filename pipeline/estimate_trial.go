package pipeline

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/cpu"
	"bcstage/internal/cpu/pairs"
	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/parallel"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// outlook is the expected time of a way.
type outlook struct {
	way     string
	seconds float64
}

// spread describes a way's draws: the largest variance of one draw over all vertices, in units of the range of
// package bound, and the cost of a draw.
type spread struct {
	way             string
	variance, reach float64
	seconds         float64 // per draw, with all threads
	draws           float64 // all there are; 0: no end of them
	share           float64 // share of all pairs of vertices that T = 1 stands for
	beside          float64 // share of the exact time spent in other blocks, which are exact by every way
}

// room is the number of threads that fit in memory, by their work; 0: none.
type room struct{ searches, pairs int }

// trial holds the findings of the trial before a run.
type trial struct {
	exact   float64 // seconds
	ways    []spread
	sampler *pairs.Sampler // of pairs; nil: these were not tried
}

// Sizes of a trial. On very small blocks a trial costs more than the computation.
const (
	trialPairs   = 1000
	morePairs    = 8000 // at most, to measure a pair's cost once memory is there
	moreTime     = 0.1  // seconds for these; also at most a sixteenth of the run
	trialSources = 64
	trialShare   = 1.0 / 8 // of the time of all pairs, that a trial of sources may take
	exactTrial   = 20 * time.Millisecond
	tiny         = 0.03 // seconds below which exact scores need no trial
)

// newTrial tries the ways to an eps that is a share of all ordered pairs; 0: all of the graph's. exact is the
// seconds of exact scores with all threads; 0: tried as well. elapsed is the time of the run so far. A way
// without room is not tried.
func newTrial(ctx context.Context, p *preprocess.Plan, opts Options, room room, all, exact float64, elapsed time.Duration) (*trial, error) {
	total, thought, beside := 0.0, 0.0, slices.Repeat([]float64{1}, len(p.Blocks))
	for _, batch := range p.Batches {
		total += p.Cost(batch)
		thought += untried(p, batch)
	}
	for _, batch := range p.Batches {
		beside[batch.Block] -= p.Cost(batch) / total
	}
	threads := float64(max(room.searches, 1))
	exact *= float64(opts.Threads) / threads
	t := &trial{exact: cmp.Or(exact, thought/threads)}
	block, ok := p.Drawable(true)
	if t.exact < tiny && room.searches > 0 || !ok {
		return t, nil
	}
	if room.pairs > 0 && hasPairs(opts.Question) && opts.Question.Sample.Samples == 0 && opts.Question.Sample.Certain == 0 {
		opts := opts
		opts.Threads = room.pairs
		from, to := p.Blocks[block].Pairs()
		t.ways = []spread{{way: "pairs", reach: 1, share: blockShare(p, from, to, all), beside: beside[block]}}
		if err := t.tryPairs(ctx, &p.Blocks[block], opts, elapsed); err != nil {
			return nil, err
		}
		if !t.triesSources(opts.Question.Sample, elapsed, untried(p, p.Batches[0])) {
			return t, nil
		}
	}
	if room.searches == 0 {
		return t, nil
	}
	opts.Threads = room.searches
	if block, ok = p.Drawable(false); !ok {
		if exact == 0 {
			t.exact = seconds(ctx, p, opts, t.exact, usualTrial)
		}
		return t, nil
	}
	ways := []string{"sources", "sources-raw"}
	if !opts.Question.BothWays() {
		ways = ways[1:]
	}
	found, lasted := make([]spread, len(ways)), make([]float64, len(ways))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(opts.Threads)
	for i, way := range ways {
		group.Go(func() (err error) {
			found[i], lasted[i], err = trySources(ctx, p, block, way, opts, all)
			return err
		})
	}
	if exact == 0 { // ordered sources are near each other and share levels, drawn ones do not: on meshes a batch takes a twentieth of the time
		group.Go(func() error {
			t.exact = seconds(ctx, p, opts, t.exact, exactTrial)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i := range found {
		found[i].seconds, found[i].beside = lasted[i]/trialSources/threads, beside[block]
	}
	t.ways = append(t.ways, found...)
	return t, nil
}

// triesSources reports whether sources are worth a trial, which is a batch that one core searches in so many
// seconds. It is not worth it if pairs, the only way so far, could do a good part of everything meanwhile.
func (t *trial) triesSources(goal question.Sample, elapsed time.Duration, lasts float64) bool {
	return lasts <= t.outlooks(goal, elapsed)[0].seconds*trialShare
}

// seconds returns the estimate of Inspect, or thought if that fails.
func seconds(ctx context.Context, p *preprocess.Plan, opts Options, thought float64, budget time.Duration) float64 {
	if s, err := estimate(ctx, opts, p, 64, budget); err == nil {
		return s
	}
	return thought
}

// tryPairs draws 1 000 pairs for the first way. These include the time to allocate all threads' memory: on a
// graph of two million vertices they seemed five times as slow as they are. So where the difference matters,
// more pairs are drawn to measure one pair's cost.
func (t *trial) tryPairs(ctx context.Context, b *preprocess.Block, opts Options, elapsed time.Duration) error {
	t.sampler = pairs.New(b, opts.Threads)
	s := &t.ways[0]
	draw := func(first, count int64) error {
		began := time.Now()
		counts, err := t.sampler.Draw(ctx, pairs.Draws{Seed: ^opts.Question.Sample.Seed, First: first, Count: count, Threads: opts.Threads})
		if err != nil {
			return err
		}
		s.seconds = time.Since(began).Seconds() / float64(count)
		most := make([]float64, opts.Threads) // by worker
		size := (len(counts.Inner) + opts.Threads - 1) / opts.Threads
		parallel.SpreadWhole(opts.Threads, len(counts.Inner), size, func(lo, hi int) {
			for _, inner := range counts.Inner[lo:hi] {
				mean := float64(inner) / float64(count)
				most[lo/size] = max(most[lo/size], mean*(1-mean))
			}
		})
		s.variance = max(s.variance, slices.Max(most))
		t.sampler.Reuse(counts.Inner)
		return nil
	}
	if err := draw(0, trialPairs); err != nil {
		return err
	}
	takes := min(t.exact, t.outlooks(opts.Question.Sample, elapsed)[0].seconds)
	if more := min(moreTime, takes/16) / s.seconds; more > trialPairs/4 {
		return draw(trialPairs, int64(min(more, morePairs)))
	}
	return nil
}

// trySources searches some sources on one core, and returns the seconds that it took.
func trySources(ctx context.Context, p *preprocess.Plan, block int, way string, opts Options, all float64) (s spread, lasted float64, err error) {
	drawing := draws.Drawing{Seed: ^opts.Question.Sample.Seed, Linear: way == "sources"}
	probe, err := p.Probe(ctx, block, trialSources, drawing, opts.Threads)
	if err != nil {
		return s, 0, err
	}
	from, to := probe.Drawn.From, probe.Drawn.To
	s = spread{way: way, reach: 1, share: blockShare(p, from, to, all)}
	if drawing.Linear {
		s.reach = 2 - 2/float64(probe.Drawn.Depth)
	}
	if s.draws = from; p.Question.HasMasses() { // heavy sources are drawn early, and settle more than their share
		s.draws = float64(len(p.Blocks[block].Sources))
	}
	worker, err := cpu.New(probe, opts.core())
	if err != nil {
		return s, 0, err
	}
	began := time.Now()
	b := &probe.Blocks[block]
	sums := make([][2]float64, b.Vertices()) // of draws, and their squares; of vertices, as their variance hardly differs from that of edges
	err = worker.Run(ctx, engine.Once(probe.Batches...), func(result engine.Result) error {
		source := b.Sources[result.Batch.First]
		for v := range sums {
			if b.Times == nil {
				sums[v] = [2]float64{result.Drawn[v], result.Squares[v]}
				continue
			}
			x := result.Scores[v] / b.From[source]
			sums[v][0] += float64(b.Times[source] * x)
			sums[v][1] += float64(float64(b.Times[source]*x) * x)
		}
		return nil
	})
	lasted = time.Since(began).Seconds()
	for _, of := range sums {
		mean := of[0] / trialSources / to
		if variance := of[1]/trialSources/to/to - mean*mean; variance < math.Inf(1) {
			s.variance = max(s.variance, variance)
		}
	}
	return s, lasted, err
}

// blockShare is the share of all ordered pairs that T = 1 stands for; all is 0: all of the graph's.
func blockShare(p *preprocess.Plan, from, to, all float64) float64 {
	return shareOf(from*to/ofScore(p.Question), all, p.Question, p.Vertices)
}

// half is about the half-width of intervals after so many draws, as a share of all pairs. level is about the
// logarithm of the risk, which vertices share with the rates of package bound.
func (s spread) half(draws float64) float64 {
	const level = 14
	left := 1.0
	if s.draws > 0 {
		left = max(1-draws/s.draws, 0)
	}
	return (math.Sqrt(2*s.variance*level*left/draws) + s.reach*level*left/draws) * s.share
}

// toReach is the number of draws until intervals are that narrow.
func (s spread) toReach(eps float64) float64 {
	low, high := 1.0, 1e15
	if s.draws > 0 {
		high = s.draws
	}
	for high > 1.01*low {
		middle := math.Sqrt(low * high)
		if s.half(middle) > eps {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// outlooks returns the seconds to the goal, including the blocks that are exact. If the goal is a time, it is
// the smallest eps that a way reaches by then.
func (t *trial) outlooks(goal question.Sample, elapsed time.Duration) (list []outlook) {
	if len(t.ways) == 0 {
		return nil
	}
	left := (goal.Within - elapsed).Seconds()
	eps := goal.Eps
	if eps == 0 && goal.Within > 0 && goal.Samples == 0 {
		best := math.Inf(1) // what can be reached in time
		for _, s := range t.ways {
			best = min(best, s.half(max((left-s.beside*t.exact)/s.seconds, 1)))
		}
		eps = best
	}
	for _, s := range t.ways {
		draws := 0.0
		switch {
		case goal.Samples > 0:
			draws = float64(goal.Samples)
		case eps > 0:
			draws = s.toReach(eps)
		default: // the highest scores are certain when nearly all sources are searched
			draws = s.draws
		}
		if s.draws > 0 {
			draws = min(draws, s.draws)
		}
		list = append(list, outlook{s.way, draws*s.seconds + s.beside*t.exact})
	}
	return list
}
