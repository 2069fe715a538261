package generate

import "math/bits"

// citations have every paper cite 1 to K earlier ones: a recent one that is drawn or, one
// time in four, one that this cites (the copying model of R. Kumar et al., "Stochastic models
// for the web graph", 2000), so that some are cited often. Every arc is drawn from its hash
// alone; arc e belongs to paper e/K+1, and one that cites fewer than K leaves its last arcs
// out.
func citations(p Parameters) Edges {
	k := uint64(p.K)
	target := func(arc uint64) uint64 {
		for {
			paper := arc/k + 1
			draw := hash(p.Seed ^ hash(arc))
			cited := paper - 1 - skewed(draw, paper)
			if draw%4 != 0 || cited == 0 {
				return cited
			}
			arc = k * (cited - 1) // its first, which is there
		}
	}
	return func(yield func(u, v uint64) bool) {
		for paper := uint64(1); paper < uint64(p.N); paper++ {
			for i := range 1 + hash(p.Seed^hash(^paper))%k {
				if !yield(paper, target(k*(paper-1)+i)) {
					return
				}
			}
		}
	}
}

// dependencies have every vertex of a layer lead to K of the next. The lower the number
// of a vertex in its layer, the more lead to it.
func dependencies(p Parameters) Edges {
	cols, k := uint64(p.Cols), uint64(p.K)
	return func(yield func(u, v uint64) bool) {
		for u := range (uint64(p.Rows) - 1) * cols {
			next := (u/cols + 1) * cols
			for i := range k {
				if !yield(u, next+skewed(hash(p.Seed^hash(u*k+i)), cols)) {
					return
				}
			}
		}
	}
}

// skewed is a number below n, a small one more likely: the product of two even draws.
func skewed(draw, n uint64) uint64 {
	product, _ := bits.Mul64(draw<<32, draw&^(1<<32-1))
	place, _ := bits.Mul64(product, n)
	return place
}
