package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/wholes"
)

// mergeDirectedTwins is the step "directed-twins". In blocks that have enough of them,
// vertices with equal in-arcs and equal out-arcs become one, as targets and between
// others. The step follows out-sets, after which no paths begin at such vertices: those of
// a class begin at a virtual vertex, for which all of the class are targets. So nothing
// within a class is left out. With S(x) and D(x) equal for all x of a class, their
// predecessors see
//
//	sum over x of (To(x) + D(x)) / S(x)  =  (sum of To(x) + sum of D(x)) * mu / sum of S(x)
//
// which is the c of Block for their sums. It is linear in their waivers, too.
func (r *reducer) mergeDirectedTwins(ctx context.Context, _ wholes.Forms) error {
	return r.eachTwins(ctx, true, func(i int, like []uint32) {
		r.plan.Blocks[i].mergeTargets(like)
	})
}

// directedTwins reports whether two vertices, at which no path begins, have equal arcs
// both ways.
func (b *Block) directedTwins(u, v uint32) bool {
	return b.From[u] == 0 && b.From[v] == 0 &&
		slices.Equal(b.Neighbours(u), b.Neighbours(v)) && slices.Equal(b.In.Neighbours(u), b.In.Neighbours(v))
}

// mergeTargets makes one vertex of every class of directed twins. like is, by vertex,
// the smallest vertex of its class.
func (b *Block) mergeTargets(like []uint32) {
	number := make([]uint32, len(like)) // of the class
	var kept []uint32                   // the smallest of each
	for v, u := range like {
		if number[v] = number[u]; u == uint32(v) {
			number[v] = uint32(len(kept))
			kept = append(kept, u)
		}
	}
	from, to := make([]float64, len(kept)), make([]float64, len(kept))
	b.Multiplicity, b.within = make([]float64, len(kept)), make([]float64, len(kept))
	for v, x := range number {
		from[x], to[x] = from[x]+b.From[v], to[x]+b.To[v]
		b.Multiplicity[x]++
	}
	b.From, b.To = from, to
	b.group(number[:len(b.vertices)]) // a virtual vertex has no member
	in := among(b.In, kept, like, number)
	b.Graph = among(&b.Graph, kept, like, number)
	b.In = &in
	b.Waived = sumWaivers(b.Waived, number, to)
}

// among returns the graph of the classes: the rows of the kept vertices, without targets
// that another vertex stands for.
func among(g *csr.Graph, kept, like, number []uint32) csr.Graph {
	arcs := 0
	for _, v := range kept {
		for _, u := range g.Neighbours(v) {
			if like[u] == u {
				arcs++
			}
		}
	}
	out := csr.Graph{Offsets: make([]int64, 1, len(kept)+1), Targets: make([]uint32, 0, arcs)}
	for _, v := range kept {
		for _, u := range g.Neighbours(v) {
			if like[u] == u {
				out.Targets = append(out.Targets, number[u])
			}
		}
		out.Offsets = append(out.Offsets, int64(len(out.Targets)))
	}
	return out
}

// sumWaivers returns waivers by class; to is the mass of each class.
func sumWaivers(waived []waiver, number []uint32, to []float64) []waiver {
	for i, x := range waived {
		waived[i].Source, waived[i].Target = number[x.Source], number[x.Target]
	}
	sums := sumWaived(len(to), waived)
	for i, x := range sums {
		sums[i].Mass = min(x.Mass, to[x.Target]) // rounding must not pass it
	}
	return sums
}
