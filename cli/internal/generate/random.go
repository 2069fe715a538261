package generate

import (
	"math"
	"math/rand/v2"

	"bcstage/internal/splitmix"
)

// kron is the R-MAT generator of the Graph500 benchmark.
func kron(p Parameters) Edges { return quadrants(p, 57, 19, 19) }

// rmat has the defaults of GTgraph (D. Bader, K. Madduri, 2006), the source of R-MAT graphs in
// papers on load balancing: hubs are smaller than kron's.
func rmat(p Parameters) Edges { return quadrants(p, 45, 15, 15) }

// uniform is the Erdos-Renyi model by number of edges, ends drawn independently.
func uniform(p Parameters) Edges { return quadrants(p, 25, 25, 25) }

// quadrants is R-MAT (D. Chakrabarti, Y. Zhan, C. Faloutsos, "R-MAT: a recursive model for graph
// mining", 2004): each edge picks one quadrant of the adjacency matrix per bit of the vertex
// number, the first three with the given per cent. A bijection scrambles labels, so that a vertex's
// number is independent of its degree.
func quadrants(p Parameters, first, second, third uint64) Edges {
	const unit = 1 << 32 // probabilities in units of 2^-32
	a, b, c := first*unit/100, second*unit/100, third*unit/100
	scramble := scrambled(p.Scale, p.Seed)
	return inParallel(p.Threads, int64(p.EdgeFactor)<<p.Scale, func(from int64, edges [][2]uint64) {
		random := pcgAt(p.Seed, uint64(from)*uint64(p.Scale))
		for i := range edges {
			var u, v uint64
			for range p.Scale {
				// Comparisons as sign bits: the next quadrant cannot be predicted, and branches on
				// it would take most of the time.
				r := random.Uint64() >> 32
				below := func(bound uint64) uint64 { return (r - bound) >> 63 }
				u, v = u<<1|(1-below(a+b)), v<<1|(below(a+b)-below(a))+(1-below(a+b+c))
			}
			edges[i] = [2]uint64{scramble(u), scramble(v)}
		}
	})
}

// scrambled is a bijection of the numbers below 2^bits: each round multiplies by an odd number,
// adds, and folds the upper half onto the lower.
func scrambled(bits int, seed uint64) func(v uint64) uint64 {
	mask, half := uint64(1)<<bits-1, max(1, (bits+1)/2)
	var keys [4]uint64
	for round := range keys {
		keys[round] = hash(seed ^ hash(uint64(round)))
	}
	return func(v uint64) uint64 {
		for _, key := range keys {
			v = (v*(key|1) + key>>32) & mask
			v ^= v >> half
		}
		return v
	}
}

// hash gives unrelated values for a number and its successor.
func hash(x uint64) uint64 { return splitmix.Mix(x + splitmix.Golden) }

// smallWorld is D. Watts and S. Strogatz, "Collective dynamics of
// 'small-world' networks", 1998: the far end of each ring edge moves, with
// probability P, to any other vertex.
func smallWorld(p Parameters) Edges {
	return func(yield func(u, v uint64) bool) {
		random := rand.New(rand.NewPCG(p.Seed, 0))
		n := uint64(p.N)
		for u := range n {
			for step := uint64(1); step <= uint64(p.K)/2; step++ {
				v := (u + step) % n
				if random.Float64() < p.P {
					v = (u + 1 + random.Uint64N(n-1)) % n
				}
				if !yield(u, v) {
					return
				}
			}
		}
	}
}

// preferential is the Barabasi-Albert model drawn without a table: an end of
// a uniformly chosen earlier edge is a vertex chosen by degree, and that edge
// is drawn again from its hash (P. Sanders, C. Schulz, "Scalable generation of
// scale-free graphs", 2016). Edge e belongs to vertex e/K+1; slot 2e of the
// edge list holds that vertex, slot 2e+1 the other end.
func preferential(p Parameters) Edges {
	k := uint64(p.K)
	target := func(edge uint64) uint64 {
		for {
			vertex := edge/k + 1
			if vertex == 1 {
				return 0
			}
			earlier := 2 * k * (vertex - 1) // slots of the edges of earlier vertices
			slot := hash(p.Seed^hash(edge)) % earlier
			if slot%2 == 0 {
				return slot/2/k + 1
			}
			edge = slot / 2
		}
	}
	return func(yield func(u, v uint64) bool) {
		for edge := range k * uint64(p.N-1) {
			if !yield(edge/k+1, target(edge)) {
				return
			}
		}
	}
}

// gnp skips from one edge to the next by a geometric law (V. Batagelj, U. Brandes, "Efficient
// generation of large random networks", 2005).
func gnp(p Parameters) Edges {
	return func(yield func(u, v uint64) bool) {
		if p.P == 0 {
			return
		}
		random := rand.New(rand.NewPCG(p.Seed, 0))
		scale := math.Log1p(-p.P) // -Inf for P = 1: every skip is 0
		n := int64(p.N)
		for v, w := int64(1), int64(-1); ; {
			skip := math.Log1p(-random.Float64()) / scale
			if skip > float64(n)*float64(n) {
				return
			}
			w += 1 + int64(skip)
			for w >= v && v < n {
				w, v = w-v, v+1
			}
			if v >= n || !yield(uint64(v), uint64(w)) {
				return
			}
		}
	}
}
