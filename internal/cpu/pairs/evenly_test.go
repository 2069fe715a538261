package pairs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// list returns the probability of every outcome of a draw: the ends, and the
// vertices inside the path, ascending. It follows all walks that get nearer to
// their target.
func list(b *preprocess.Block) map[string]float64 {
	n := b.Vertices()
	from, to := b.Pairs()
	outcomes := map[string]float64{}
	for target := range uint32(n) {
		const none = math.MaxInt64 / 2
		distance := slices.Repeat([]int64{none}, n)
		distance[target] = 0
		for changed := true; changed; {
			changed = false
			for v := range uint32(n) {
				for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
					if d := distance[b.Targets[e]] + arcLength(b, e); d < distance[v] {
						distance[v], changed = d, true
					}
				}
			}
		}
		for source := range uint32(n) {
			p := b.From[source] / from * b.To[target] / to
			if b.HasTrips() {
				p = 0
				for _, w := range b.WaivedBy(source) {
					if w.Target == target {
						p = -w.Mass / from
					}
				}
			}
			if p == 0 {
				continue
			}
			if source == target || distance[source] >= none || b.Cutoff > 0 && distance[source] > int64(b.Cutoff) {
				outcomes[key(source, target, nil)] += p
				continue
			}
			for _, w := range b.WaivedBy(source) {
				if w.Target == target && w.Mass > 0 { // still drawn as a target
					none := b.From[source] / from * w.Mass / to
					outcomes[key(source, target, nil)] += none
					p -= none
				}
			}
			paths, total := map[string]float64{}, 0.0
			var follow func(v uint32, inner []uint32, weight float64)
			follow = func(v uint32, inner []uint32, weight float64) {
				for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
					u := b.Targets[e]
					switch {
					case distance[u]+arcLength(b, e) != distance[v]:
					case u == target:
						paths[key(source, target, inner)] += weight
						total += weight
					default:
						mu := 1.0
						if b.Multiplicity != nil {
							mu = b.Multiplicity[u]
						}
						follow(u, append(slices.Clone(inner), u), weight*mu)
					}
				}
			}
			follow(source, nil, 1)
			for path, weight := range paths {
				outcomes[path] += p * weight / total
			}
		}
	}
	return outcomes
}

func arcLength(b *preprocess.Block, e int64) int64 {
	if b.Lengths == nil {
		return 1
	}
	return b.Lengths[e]
}

func key(source, target uint32, inner []uint32) string {
	inner = slices.Clone(inner)
	slices.Sort(inner)
	return fmt.Sprint(source, target, inner)
}

// Every outcome has its expected frequency: Pearson's test over all pairs and
// paths, with the fixed numbers of a fixed seed.
func TestEveryPathIsDrawnEvenly(t *testing.T) {
	blocks := small()
	blocks["one way"] = oneWay(rand.New(rand.NewPCG(2, 8)))
	for name, b := range blocks {
		draws := 200_000.0 / testgraphs.OneIn
		if b.Lengths != nil { // they take longer
			draws = 40_000 / testgraphs.OneIn
		}
		s := New(b, 2)
		x, seen := newSearch(s), map[string]int{}
		for i := range uint64(draws) {
			r := newRandom(7, 3, i)
			ends := r
			source, target, _ := x.drawEnds(&ends)
			x.inner = x.inner[:0]
			x.draw(t.Context(), r)
			seen[key(source, target, x.inner)]++
		}
		square, rare, rarely, freedom := 0.0, 0.0, 0, -1.0
		for outcome, p := range list(b) {
			if p*draws < 10 {
				rare, rarely = rare+p, rarely+seen[outcome]
			} else {
				d := float64(seen[outcome]) - p*draws
				square += d * d / (p * draws)
				freedom++
			}
			delete(seen, outcome)
		}
		if len(seen) > 0 {
			t.Errorf("%s: no shortest paths are %v", name, seen)
		}
		if d := float64(rarely) - rare*draws; math.Abs(d) > 5*math.Sqrt(rare*draws)+1 {
			t.Errorf("%s: rare outcomes came %d times, not %.0f", name, rarely, rare*draws)
		}
		if limit := freedom + 4*math.Sqrt(2*freedom) + 10; square > limit {
			t.Errorf("%s: chi square is %.1f with %.0f degrees of freedom", name, square, freedom)
		}
	}
}
