package gpu

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/resident"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// Clusters have every vertex once and are connected; one is small only if it has no neighbour left to
// add.
func TestClusters(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	blocks := []*preprocess.Block{grid(8, 8, 64), grid(30, 41, 64), grid(1, 700, 64)}
	for range 50 {
		n := 2 + r.IntN(300)
		blocks = append(blocks, testblocks.Of(n, testgraphs.Random(r, n, n, r.IntN(n)), 64))
	}
	for _, b := range blocks {
		n := b.Vertices()
		order := resident.Clusters(b)
		place := make([]int, n) // position plus 1 of a vertex that was met
		for first, at := 0, 0; at < len(order); at++ {
			v := uint32(order[at])
			if place[v] != 0 {
				t.Fatalf("%d vertices: %d is in places %d and %d", n, v, place[v]-1, at)
			}
			among := func(from int) func(uint32) bool {
				return func(u uint32) bool { return place[u] > from }
			}
			if at > 0 && (at == first+resident.ClusterSize || !slices.ContainsFunc(b.Neighbours(v), among(first))) { // the next cluster
				for _, u := range order[first:at] {
					if left := slices.ContainsFunc(b.Neighbours(uint32(u)), func(w uint32) bool { return place[w] == 0 }); left && at < first+resident.ClusterSize {
						t.Errorf("%d vertices: a cluster of %d ends though %d has a neighbour left", n, at-first, u)
					}
				}
				if smallest := slices.Index(place, 0); int(v) != smallest {
					t.Errorf("%d vertices: a cluster begins at %d, though %d is left", n, v, smallest)
				}
				first = at
			}
			place[v] = at + 1
		}
		if len(order) != n {
			t.Fatalf("%d of %d vertices are in clusters", len(order), n)
		}
	}
}

// If a strategy cannot search a block, the reason says whether its size or the question is the cause.
func TestAskedForInVain(t *testing.T) {
	for _, c := range []struct {
		strategy wave.Strategy
		found    survey.Findings
		want     wave.Strategy
		reason   string
	}{
		{methods.Solo, survey.Findings{Vertices: resident.SoloVertices, Simple: true}, methods.Solo, "asked for"},
		{methods.Solo, survey.Findings{Vertices: resident.SoloVertices + 1, Simple: true}, methods.Frontier, "blocks of 65536 vertices at most"},
		{methods.Solo, survey.Findings{Vertices: 100}, methods.Frontier, "the question does not allow"},
		{methods.Ragged, survey.Findings{Vertices: 100, Simple: true}, methods.Frontier, "the question does not allow"},
		{methods.Ragged, survey.Findings{Vertices: 1 << 20, Simple: true, Plain: true}, methods.Ragged, "asked for"},
	} {
		if m, reason := methods.Choose(c.strategy, c.found); m.Name() != c.want || !strings.HasSuffix(reason, c.reason) {
			t.Errorf("%s of %+v: %s, %q", c.strategy, c.found, m.Name(), reason)
		}
	}
}
