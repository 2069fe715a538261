package generate

import "math/bits"

// citations lets every paper cite 1 to K earlier ones. It cites a recent one that is drawn or, one
// time in four, one that this cites, so that some are cited often (the copying model of R. Kumar et
// al., "Stochastic models for the web graph", 2000). Every arc is drawn from its hash alone. Arc e
// belongs to paper e/K+1; a paper that cites fewer than K omits its last arcs.
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
			arc = k * (cited - 1) // its first, which always exists
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

// dependencies lets every vertex of a layer lead to K vertices of the next. The lower the number of
// a vertex in its layer, the more arcs lead to it.
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
