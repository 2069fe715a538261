package pipeline

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// The outlook of a way follows from its measured draws.
func TestOutlook(t *testing.T) {
	narrow := spread{way: "sources", variance: 1e-3, reach: 1.5, seconds: 1e-3, draws: 1e5, share: 1}
	wide := spread{way: "pairs", variance: 1e-2, reach: 1, seconds: 2e-5, share: 1}
	for _, s := range []spread{narrow, wide} {
		last := 1e16
		for _, eps := range []float64{1e-4, 1e-3, 1e-2, 1e-1} {
			draws := s.toReach(eps)
			if draws > last || s.half(draws) > 1.02*eps || s.half(draws/1.1) < eps {
				t.Errorf("%s: %v draws for eps %v, which reach %v", s.way, draws, eps, s.half(draws))
			}
			last = draws
		}
	}
	if draws := narrow.toReach(0); draws < 0.98e5 || draws > 1e5 {
		t.Errorf("all but %v of 100 000 draws make it exact", 1e5-draws)
	}
	both := &trial{exact: 100, ways: []spread{narrow, wide}}
	for _, c := range []struct {
		goal question.Sample
		want func(sources, pairs float64) bool
	}{
		{question.Sample{Eps: 0.01}, func(sources, pairs float64) bool { return pairs < sources/10 }},
		{question.Sample{Eps: 1e-5}, func(sources, pairs float64) bool { return pairs > 1000 && sources <= 100 }},
		{question.Sample{Within: time.Second}, func(sources, pairs float64) bool { return pairs <= 1.1 && sources > 1 }},
		{question.Sample{Samples: 1000}, func(sources, pairs float64) bool { return sources == 1 }},
	} {
		o := both.outlooks(c.goal, 0)
		if !c.want(o[0].seconds, o[1].seconds) {
			t.Errorf("%+v: %+v", c.goal, o)
		}
	}
}

// The time of other blocks, which are exact in any case, counts for every way: with two equal
// blocks, a way costs at least half of the exact time.
func TestOutlooksCountOtherBlocks(t *testing.T) {
	alone := spread{way: "pairs", variance: 1e-2, reach: 1, seconds: 2e-5, share: 1}
	of := alone
	of.beside = 0.5
	tried := &trial{exact: 40, ways: []spread{alone, of}}
	if o := tried.outlooks(question.Sample{Eps: 1e-3}, 0); math.Abs(o[1].seconds-o[0].seconds-20) > 1e-9 {
		t.Errorf("beside 20 s of other blocks: %+v", o)
	}
	// Of 25 s, 20 are over when pairs begin.
	late := &trial{exact: 40, ways: []spread{of}}
	if o := late.outlooks(question.Sample{Within: 25 * time.Second}, 0); o[0].seconds < 24.9 || o[0].seconds > 25.5 {
		t.Errorf("within 25 s: %+v", o)
	}

	two := testgraphs.Random(rand.New(rand.NewPCG(1, 2)), 3000, 3000, 40_000)
	for _, e := range slices.Clone(two) {
		two = append(two, testgraphs.Edge{3000 + e[0], 3000 + e[1]})
	}
	p := testblocks.Reduced(t, two, preprocess.Options{Threads: 2})
	found, err := newTrial(t.Context(), p, Options{Compute: Compute{Threads: 2}, Question: question.Question{Sample: question.Sample{Eps: 1e-3}}}, room{2, 2}, 0, 100, 0)
	if err != nil || len(found.ways) == 0 {
		t.Fatalf("%v, %d ways tried", err, len(found.ways))
	}
	for _, s := range found.ways {
		if math.Abs(s.beside-0.5) > 0.01 {
			t.Errorf("%s of one of two blocks alike leaves %v", s.way, s.beside)
		}
	}
	if found.exact != 100 {
		t.Errorf("exact scores take %v s, known as 100", found.exact)
	}
}

// If less work, or less time, is left than a few trials of sources take, only pairs are tried.
func TestTrialsAreShort(t *testing.T) {
	pairs := spread{way: "pairs", variance: 1e-2, reach: 1, seconds: 2e-5, share: 1}
	byPairs := &trial{exact: 1000, ways: []spread{pairs}}
	takes := pairs.toReach(1e-3) * pairs.seconds
	for _, c := range []struct {
		goal           question.Sample
		elapsed, lasts float64
		want           bool
	}{
		{question.Sample{Eps: 1e-3}, 0, takes / 9, true},
		{question.Sample{Eps: 1e-3}, 0, takes / 7, false},
		{question.Sample{Eps: 1e-2}, 0, takes / 9, false},
		{question.Sample{Within: time.Minute}, 0, 7, true},
		{question.Sample{Within: time.Minute}, 0, 8, false},
		{question.Sample{Within: time.Minute}, 30, 7, false},
		{question.Sample{Within: time.Minute}, 90, 1e-3, false},
	} {
		if byPairs.triesSources(c.goal, time.Duration(c.elapsed*float64(time.Second)), c.lasts) != c.want {
			t.Errorf("%+v", c)
		}
	}
}

// A stage of pairs is a quarter of the earlier draws, or half of them on the way to a goal; near the goal it is the rest.
func TestStagesOfPairsEndNearTheGoal(t *testing.T) {
	for _, c := range []struct {
		vertices, drawn int
		eps, goal       float64
		want            int
	}{
		{1000, 0, 1, 1e-3, 1000},
		{1000, 1000, 0.1, 1e-3, 1000},
		{1000, 100_000, 0.1, 0, 25_000},
		{1000, 100_000, 0.1, 1e-2, 50_000},
		{1000, 100_000, 1.05e-3, 1e-3, 11_352},
		{1000, 100_000, 1.001e-3, 1e-3, 3125},
		{1000, 10_000, 1.001e-3, 1e-3, 1000},
		{10_240_000, 0, 1, 1e-3, 20_000},
		{10_240_000, 20_000, 0.1, 1e-3, 20_000},
		{10_240_000, 100_000, 0.1, 1e-3, 50_000},
		{10_240_000, 100_000, 1.001e-3, 1e-3, 20_000},
	} {
		if got := nextPairs(c.vertices, c.drawn, c.eps, question.Sample{Eps: c.goal}); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
