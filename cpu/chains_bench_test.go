package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bcstage/preprocess"
	"bcstage/preprocess/testblocks"
)

// BenchmarkChains computes graphs by chains and by lanes: a square grid and a
// random cubic graph, whose edges are cut into chains so that there are about
// 6000 vertices. gain is what preprocess goes by: n*m / chains^2.
func BenchmarkChains(b *testing.B) {
	for _, shape := range []string{"grid", "random"} {
		for _, inside := range []float64{1.5, 2, 3, 5} { // mean number of vertices in a chain
			d := cut(shape, inside)
			var src, dst []uint64
			for _, e := range d.edges {
				src, dst = append(src, uint64(e[0])), append(dst, uint64(e[1]))
			}
			lanes := reduced(b, src, dst, preprocess.Options{Off: []string{"chains"}})
			block := lanes.Blocks[0]
			var err error
			if block.Chains, err = preprocess.FindChains(b.Context(), &block); err != nil {
				b.Fatal(err)
			}
			block.Sources, block.Lanes = block.Chains.Sources(), 512
			gain := float64(block.Vertices()) * float64(block.Edges()) /
				math.Pow(float64(len(block.Chains.Ends)), 2)
			for _, by := range []string{"chains", "lanes"} {
				plan := map[string]*preprocess.Plan{"chains": testblocks.Plan(&block), "lanes": lanes}[by]
				b.Run(fmt.Sprintf("%s/inside=%v/%s", shape, inside, by), func(b *testing.B) {
					for b.Loop() {
						results(b, plan, Options{}, plan.Batches)
					}
					b.ReportMetric(gain, "gain")
				})
			}
		}
	}
}

func cut(shape string, inside float64) *drawing {
	r := rand.New(rand.NewPCG(1, 1))
	d := &drawing{}
	join := func(a, b uint32) { d.chain(a, b, 1+int(inside*r.ExpFloat64()+0.5)) }
	if shape == "grid" {
		side := uint32(1)
		for float64(side*side)*(1+2*inside) < 6000 {
			side++
		}
		d.n = side * side
		for v := range side * side {
			if v%side != side-1 {
				join(v, v+1)
			}
			if v < side*(side-1) {
				join(v, v+side)
			}
		}
		return d
	}
	n := uint32(6000 / (1 + 1.5*inside))
	d.n = n
	for v := range n {
		join(v, (v+1)%n)
		if v%2 == 0 {
			join(v, r.Uint32N(n))
		}
	}
	return d
}
