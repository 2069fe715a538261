package change

import (
	"context"
	"fmt"

	"bcstage/internal/building"
	"bcstage/internal/csr"
)

// Vertices have an id each, and a graph and a side where ids repeat.
type Vertices struct {
	IDs  building.Keys
	Side []uint8         // nil: there are no sides
	By   []building.Keys // columns that name the graph, a row per vertex
}

// Match returns for each vertex of some its number among others, or csr.None. Names of both are unique, and of the same
// types. The error is building.ErrKeys or the context's.
func Match(ctx context.Context, threads int, some, others Vertices) ([]uint32, error) {
	table := building.NewBuilder(threads)
	table.Bipartite = others.Side != nil
	if err := table.AddVertices(others.IDs, others.Side, others.By...); err != nil {
		return nil, err
	}
	count := others.IDs.Len()
	if distinct := table.Vertices(); distinct != count {
		return nil, fmt.Errorf("%d vertices, %d of them distinct", count, distinct)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	of, err := table.Number(some.IDs, some.Side, some.By...)
	if err != nil {
		return nil, err
	}
	for i := range of {
		if int(of[i]) >= count {
			of[i] = csr.None
		}
	}
	return of, ctx.Err()
}
