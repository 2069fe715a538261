package preprocess

import (
	"context"
	"slices"
	"unsafe"

	"bcstage/internal/wholes"
)

// dropCliques is the step "cliques": no vertex lies between two others.
func (r *reducer) dropCliques(ctx context.Context, _ wholes.Forms) error {
	drops := func(e outline) bool { return e.clique() && !r.hangs(e) }
	for _, e := range r.outlines {
		if !drops(e) {
			continue
		}
		if err := r.cliqueEdges(ctx, e); err != nil {
			return err
		}
	}
	r.outlines = slices.DeleteFunc(r.outlines, drops)
	return nil
}

// settleCycles is the step "cycles".
func (r *reducer) settleCycles(_ context.Context, closed wholes.Forms) error {
	r.outlines = slices.DeleteFunc(r.outlines, func(e outline) bool {
		if !e.cycle() || r.graph.Directed() && r.plan.off("two-way") {
			return false
		}
		round := r.copier.goRound(e.block)
		from, to := r.massesOf(e, round)
		var length []int64
		for i, v := range round {
			next := round[(i+1)%len(round)]
			v, next = r.core.vertex[v], r.core.vertex[next]
			if r.opts.Copies != nil && max(r.opts.Copies.Count(v, next), r.opts.Copies.Count(next, v)) > 1 {
				return false // ways round of one length are not the same number of paths
			}
			if r.graph.HasLengths() {
				length = append(length, r.graph.Length(v, next))
				if r.graph.Length(next, v) != length[i] {
					return false
				}
			}
		}
		values := cycle(from, to, length)
		if r.edges != nil && values != nil {
			of := cycleEdges(from, to, length)
			if of == nil {
				return false
			}
			for i, v := range round {
				next := round[(i+1)%len(round)]
				r.edgeForms().AddWide(r.edges.Number(r.core.vertex[v], r.core.vertex[next]), of[i])
			}
		}
		for i, value := range values {
			closed.AddWide(r.core.vertex[round[i]], value)
		}
		return values != nil
	})
	return nil
}

// cycle gives the score of each vertex of a cycle, in their order around it, from the block
// that they form: ordered pairs, exact, in linear time. It is nil if a score is not a whole
// number, which can happen with two masses. length[i] is that of the edge from vertex i to the
// next; nil: all are 1.
//
// Let L be the length of the cycle. The way forward from s to t is the shorter one if its
// length is below L/2. If it is L/2, half of the shortest paths go that way. Every pair counts
// in both directions, and by half each where both are equally long. Hence, with
//
//	A(v, D) = sum of from(s) * to(t) + to(s) * from(t) over s before v and t after it,
//	          the way forward from s to t being at most D
//
// v gets (A(v, ceil(L/2)-1) + A(v, floor(L/2)))/2, which is a whole number with one mass.
func cycle(from, to, length []int64) []wholes.Wide {
	k := len(from)
	// Positions go twice around, so that no way forward is cut. Once around is less than 2^64,
	// even where cycleEdges has doubled it. Twice may overflow, but differences are right
	// modulo 2^64.
	position := make([]uint64, 2*k+1)
	for i := range 2 * k {
		step := uint64(1)
		if length != nil {
			step = uint64(length[i%k])
		}
		position[i+1] = position[i] + step
	}
	around := position[k]
	values := make([]wholes.Wide, k)
	for _, within := range [2]uint64{(around+1)/2 - 1, around / 2} {
		forward(from, to, position, within, values)
		if unsafe.SliceData(from) != unsafe.SliceData(to) {
			forward(to, from, position, within, values)
		}
	}
	if unsafe.SliceData(from) == unsafe.SliceData(to) {
		return values
	}
	for v := range values {
		half, even := values[v].Half()
		if !even {
			return nil
		}
		values[v] = half
	}
	return values
}

// forward adds, for every vertex v of a cycle, the sum of first(s) * second(t) over s before v
// and t after it that s reaches within the given distance.
//
// Let far(s) be the last vertex that s reaches. Then s adds, to each v between them, first(s)
// times the sum of second behind v up to far(s). Sums and products are kept as differences,
// which begin behind s and end at far(s).
func forward(first, second []int64, position []uint64, within uint64, values []wholes.Wide) {
	k := len(first)
	before := make([]int64, 2*k+1) // sum of second over the vertices before
	for i := range 2 * k {
		before[i+1] = before[i] + second[i%k]
	}
	sums := make([]int64, 2*k+1)           // differences: of first(s)
	products := make([]wholes.Wide, 2*k+1) // differences: of first(s) times second before and at far(s)
	far := 0
	for s, mass := range first {
		far = max(far, s)
		for far+1 < s+k && position[far+1]-position[s] <= within {
			far++
		}
		if far <= s+1 {
			continue // nothing is between
		}
		sums[s+1] += mass
		products[s+1] = products[s+1].Plus(mass, before[far+1])
		sums[far] -= mass
		products[far] = products[far].Minus(mass, before[far+1])
	}
	sum, product := int64(0), wholes.Wide{}
	for v := range 2 * k {
		sum += sums[v]
		product = product.And(products[v])
		values[v%k] = values[v%k].And(product.Minus(sum, before[v+1]))
	}
}

// massesOf returns the masses of the listed core vertices of a block, the head first.
func (k *copier) massesOf(b *Block, round []uint32) (from, to []int64) {
	for i, v := range round {
		local := k.local[v]
		if i == 0 {
			local = 0
		}
		from, to = append(from, int64(b.From[local])), append(to, int64(b.To[local]))
	}
	return from, to
}

// goRound goes around a block that is a cycle, and returns its vertices, the head first.
func (k *copier) goRound(block uint32) (round []uint32) {
	head, members := k.head[block], k.members[k.first[block]:k.first[block+1]]
	round = append(make([]uint32, 0, len(members)+1), head)
	// The search met the head's neighbours first.
	for last, v := head, members[0]; v != head; {
		round = append(round, v)
		for _, u := range k.graph.Neighbours(v) {
			if u != last && (u == head || k.of[u] == block) {
				last, v = v, u
				break
			}
		}
	}
	return round
}
