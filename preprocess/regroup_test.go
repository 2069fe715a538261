package preprocess

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// spreadOf is the sum over sources of the squared distance to the middle of their group, computed
// from all pairs of a group.
func spreadOf(of []distances, mean []float32, sources []uint32, batches int) (sum float64) {
	for i := range batches {
		first, end := batchBounds(len(sources), batches, i)
		for group := range slices.Chunk(sources[first:end], engine.DrawnLanes) {
			for at, u := range group {
				for _, v := range group[at+1:] {
					for j := range landmarks {
						d := float64(of[u][j]) - float64(mean[u]) - float64(of[v][j]) + float64(mean[v])
						sum += d * d / float64(len(group))
					}
				}
			}
		}
	}
	return sum
}

// For any order of sources, groups become more compact; from random order several times. A grid's
// become better than cutting leaves them.
func TestRegroup(t *testing.T) {
	r := rand.New(rand.NewPCG(99, 1))
	g := graphOf(50*50, testgraphs.Grid(50, 50))
	of, err := measureDistances(t.Context(), g, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := newCutter(of)
	better := 0
	for round := range 40 {
		sources := make([]uint32, 1+r.IntN(400))
		for i, v := range r.Perm(g.Vertices())[:len(sources)] {
			sources[i] = uint32(v)
		}
		batches := batchCount(len(sources), engine.MaxLanes)
		if round%2 == 1 {
			if err := c.cut(t.Context(), sources, batches, 1); err != nil {
				t.Fatal(err)
			}
		}
		before, sorted := spreadOf(of, c.mean, sources, batches), slices.Sorted(slices.Values(sources))
		c.regroup(t.Context(), sources, batches)
		after := spreadOf(of, c.mean, sources, batches)
		if !slices.Equal(slices.Sorted(slices.Values(sources)), sorted) {
			t.Fatalf("round %d: other sources than before", round)
		}
		if after > before*(1+1e-9) {
			t.Errorf("round %d, %d sources: spread %v, before %v", round, len(sources), after, before)
		}
		if batches >= 3 && round%2 == 0 && after > before/2 {
			t.Errorf("round %d, %d sources in random order: spread %v, before %v", round, len(sources), after, before)
		}
		if round%2 == 1 && after < before*.95 {
			better++
		}
	}
	if better < 10 {
		t.Errorf("only %d of 20 cuts became better", better)
	}
}

// Equal sources keep their places, and so do all sources once the context has ended.
func TestRegroupLeavesAlone(t *testing.T) {
	c := newCutter(make([]distances, 100))
	sources := make([]uint32, 100)
	for i := range sources {
		sources[i] = uint32(i)
	}
	want := slices.Clone(sources)
	c.regroup(t.Context(), sources, 2)
	if !slices.Equal(sources, want) {
		t.Errorf("%v", sources)
	}
	g := graphOf(20*20, testgraphs.Grid(20, 20))
	of, err := measureDistances(t.Context(), g, 1)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	newCutter(of).regroup(ended, sources, 2)
	if !slices.Equal(sources, want) {
		t.Errorf("%v", sources)
	}
}

// The stages of a deep block do not depend on the number of threads, hold every source once, and have
// more compact groups than stages that are only cut.
func TestDrawRegroupsDeepBlocks(t *testing.T) {
	p, err := Reduce(t.Context(), graphOf(60*60, testgraphs.Grid(60, 60)), Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	block, ok := p.Drawable(false)
	if !ok {
		t.Fatal("nothing to draw")
	}
	q, err := p.Draw(t.Context(), block, draws.Drawing{Seed: 5}, 1)
	if err != nil {
		t.Fatal(err)
	}
	again, err := p.Draw(t.Context(), block, draws.Drawing{Seed: 5}, 3)
	if err != nil || !reflect.DeepEqual(q, again) {
		t.Fatalf("threads change the drawing: %v", err)
	}
	b := &q.Blocks[block]
	if sorted := slices.Sorted(slices.Values(b.Sources)); len(sorted) != b.Vertices() || len(slices.Compact(sorted)) != b.Vertices() {
		t.Fatalf("%d sources of %d, or some twice", len(b.Sources), b.Vertices())
	}
	of, err := measureDistances(t.Context(), &b.Graph, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := newCutter(of)
	var ours, cuts float64
	for _, stage := range q.Drawn.Stages {
		sources, batches := b.Sources[q.Batches[stage.First].First:][:stage.Sources], stage.End-stage.First
		ours += spreadOf(of, c.mean, sources, batches)
		sources = slices.Clone(sources)
		if err := c.cut(t.Context(), sources, batches, 1); err != nil {
			t.Fatal(err)
		}
		cuts += spreadOf(of, c.mean, sources, batches)
	}
	if ours > cuts*.95 {
		t.Errorf("spread of all groups %v, by cutting alone %v", ours, cuts)
	}
}

// Batches begin with a source in their middle, and their groups stay together.
func TestLead(t *testing.T) {
	r := rand.New(rand.NewPCG(99, 2))
	g := graphOf(50*50, testgraphs.Grid(50, 50))
	of, err := measureDistances(t.Context(), g, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := newCutter(of)
	// groups of a batch, each sorted, in order of their first sources
	groups := func(batch []uint32) (list [][]uint32) {
		for group := range slices.Chunk(batch, engine.DrawnLanes) {
			list = append(list, slices.Sorted(slices.Values(group)))
		}
		slices.SortFunc(list, slices.Compare)
		return list
	}
	farthest := func(batch []uint32) (most int) {
		for _, v := range batch {
			across, down := int(v%50)-int(batch[0]%50), int(v/50)-int(batch[0]/50)
			most = max(most, max(across, -across)+max(down, -down))
		}
		return most
	}
	before, after := 0, 0
	for range 100 {
		sources := make([]uint32, 1+r.IntN(400))
		for i, v := range r.Perm(g.Vertices())[:len(sources)] {
			sources[i] = uint32(v)
		}
		batches := batchCount(len(sources), engine.MaxLanes)
		if err := c.cut(t.Context(), sources, batches, 1); err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(sources)
		c.lead(t.Context(), sources, batches)
		for i := range batches {
			first, end := batchBounds(len(sources), batches, i)
			if got, want := groups(sources[first:end]), groups(want[first:end]); !reflect.DeepEqual(got, want) {
				t.Fatalf("groups %v, before %v", got, want)
			}
			before += farthest(want[first:end])
			after += farthest(sources[first:end])
		}
	}
	if after > before*4/5 {
		t.Errorf("the first sources of batches are up to %d steps from the others, before %d", after, before)
	}
}

// Draws from a large deep block are searched one at a time, and stay as drawn. No such walk has shares by hops, so that their
// stages are arranged.
func TestDrawArrangesWhatIsSearchedTogether(t *testing.T) {
	for share, arranged := range map[string]bool{"": false, "power:2": true} {
		opts := Options{Threads: 2, Question: question.Question{Decay: question.Decay{Share: share}}}
		p, err := Reduce(t.Context(), graphOf(200*200, testgraphs.Grid(200, 200)), opts)
		if err != nil {
			t.Fatal(err)
		}
		block, ok := p.Drawable(false)
		if !ok {
			t.Fatal("nothing to draw")
		}
		q, err := p.Draw(t.Context(), block, draws.Drawing{Seed: 5}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if b := &q.Blocks[block]; b.Ball.Alone == arranged || (b.Farness != nil) != arranged {
			t.Errorf("share %q: searched one at a time %t, arranged %t", share, b.Ball.Alone, b.Farness != nil)
		}
	}
}
