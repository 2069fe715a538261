package searches

import (
	"context"
	"fmt"
	"math"

	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
)

// Expected is the result of a core's search, with which a device's is compared.
type Expected struct {
	Found
	Edges int64 // among reached vertices: each undirected edge once, each arc of a directed graph once
}

// Expect searches on a core. The error is ErrProblem, ErrRange, the context's, or, with
// BC, that a path count exceeds float64.
func Expect(ctx context.Context, g *csr.Graph, p Problem, source uint32) (*Expected, error) {
	plain := *g
	if p != SSSP {
		plain.Lengths = nil
	} else if !plain.HasLengths() {
		return nil, fmt.Errorf("searches: %w: %s of a graph without lengths", ErrProblem, p)
	}
	var rows searches.Rows
	err := searches.New(&plain, searches.Options{Cutoff: -1, Paths: p == BC}).Run(ctx, []uint32{source}, func(r searches.Rows) error {
		rows = r
		return nil
	})
	if err != nil {
		return nil, err
	}
	n := g.Vertices()
	e := &Expected{Found: Found{Distances: make([]uint32, n)}}
	for v := range e.Distances {
		e.Distances[v] = None
	}
	for i, v := range rows.Vertices {
		if rows.Distances[i] >= None {
			return nil, fmt.Errorf("searches: %w", ErrRange)
		}
		e.Distances[v] = uint32(rows.Distances[i])
		e.Edges += int64(len(g.Neighbours(v)))
	}
	if !g.Directed() {
		e.Edges /= 2
	}
	if p != BC {
		return e, nil
	}
	e.Paths, e.Dependencies = make([]float64, n), make([]float64, n)
	for i, v := range rows.Vertices {
		e.Paths[v] = rows.Paths[i]
	}
	for i := len(rows.Vertices) - 1; i > 0; i-- { // far vertices first: see preprocess.Block
		v, sum := rows.Vertices[i], 0.0
		for _, t := range g.Neighbours(v) {
			if e.Distances[t] == e.Distances[v]+1 {
				sum += (1 + e.Dependencies[t]) / e.Paths[t]
			}
		}
		e.Dependencies[v] = e.Paths[v] * sum
	}
	return e, nil
}

// tolerance is the relative difference allowed in a count or a dependency that was
// added up in another order.
const tolerance = 1e-10

// Compare returns ErrDiffers, with the first vertex, unless f has the same distances
// and, up to rounding, the same path counts and dependencies.
func (e *Expected) Compare(f Found) error {
	for v, want := range e.Distances {
		if f.Distances[v] != want {
			return fmt.Errorf("searches: %w: vertex %d at distance %d, not %d", ErrDiffers, v, f.Distances[v], want)
		}
	}
	for _, c := range []struct {
		what      string
		got, want []float64
	}{{"paths", f.Paths, e.Paths}, {"dependency", f.Dependencies, e.Dependencies}} {
		for v, want := range c.want {
			if !(math.Abs(c.got[v]-want) <= tolerance*want) {
				return fmt.Errorf("searches: %w: vertex %d: %s %g, not %g", ErrDiffers, v, c.what, c.got[v], want)
			}
		}
	}
	return nil
}
