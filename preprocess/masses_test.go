package preprocess

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// Masses of 1 on both sides, or on one, leave the blocks and closed forms of a plain run, in an undirected graph. The
// sums of demand are those of components.
func TestMassesOfOne(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	for range 40 {
		g := randomGraph(r)
		n := g.Vertices()
		reduced := func(opts Options) *Plan {
			p, err := Reduce(t.Context(), g, opts)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		plain := reduced(Options{ComponentSizes: true})
		ones := slices.Repeat([]int64{1}, n)
		for _, opts := range []Options{{Origins: ones, Destinations: ones}, {Origins: ones}, {Destinations: ones}} {
			if opts.Origins != nil {
				opts.Question.Origins = question.Masses{Column: "a", Total: int64(n)}
			}
			if opts.Destinations != nil {
				opts.Question.Destinations = question.Masses{Column: "b", Total: int64(n)}
			}
			p := reduced(opts)
			if len(p.Blocks) != len(plain.Blocks) {
				t.Fatalf("%d blocks, want %d", len(p.Blocks), len(plain.Blocks))
			}
			for i := range p.Blocks {
				if b, want := &p.Blocks[i], &plain.Blocks[i]; !b.OneMass() || !slices.Equal(b.From, want.From) || !slices.Equal(b.Targets, want.Targets) {
					t.Fatalf("block %d differs", i)
				}
			}
			routed := int64(0)
			for v, size := range plain.ComponentSizes {
				routed += int64(size) - 1
				if got, want := p.ClosedForm(measures.Betweenness).At(v), plain.ClosedForm(measures.Betweenness).At(v); got != want {
					t.Fatalf("vertex %d: closed form %v, want %v", v, got, want)
				}
			}
			all := int64(n) * int64(n)
			if got := [3]float64{p.Self.Float(), p.Routed.Float(), p.NoPath.Float()}; got != [3]float64{float64(n), float64(routed), float64(all - int64(n) - routed)} {
				t.Fatalf("sums of demand %v: %d vertices, %d pairs with a path", got, n, routed)
			}
		}
	}
}
