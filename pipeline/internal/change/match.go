package change

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
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
	of, left, among, err := inOrder(ctx, some, others)
	if err != nil || len(left) == 0 && len(among) == 0 {
		return of, err
	}
	some, others = some.pick(left), others.pick(among)
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
	numbers, err := table.Number(some.IDs, some.Side, some.By...)
	if err != nil {
		return nil, err
	}
	for i, number := range numbers {
		if int(number) < count {
			of[left[i]] = among[number]
		}
	}
	return of, ctx.Err()
}

// inOrder matches vertices as far as both lists have them in one order, as those of two nights mostly are. A few may be
// missing between. left and among are the other vertices.
func inOrder(ctx context.Context, some, others Vertices) (of, left, among []uint32, err error) {
	const ahead = 32
	n, m := uint32(some.IDs.Len()), uint32(others.IDs.Len())
	of = slices.Repeat([]uint32{csr.None}, int(n))
	i, j := uint32(0), uint32(0)
	pass := func(from *uint32, list *[]uint32, count uint32) {
		for range count {
			*list = append(*list, *from)
			*from++
		}
	}
	for i < n && j < m && len(left)+len(among) <= int(n+m)/8 {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, nil, nil, ctx.Err()
		}
		if some.same(i, &others, j) {
			of[i] = j
			i, j = i+1, j+1
			continue
		}
		k := uint32(1)
		for ; k < ahead; k++ {
			if i+k < n && some.same(i+k, &others, j) {
				pass(&i, &left, k)
				break
			}
			if j+k < m && some.same(i, &others, j+k) {
				pass(&j, &among, k)
				break
			}
		}
		if k == ahead {
			pass(&i, &left, 1)
			pass(&j, &among, 1)
		}
	}
	pass(&i, &left, n-i)
	pass(&j, &among, m-j)
	return of, left, among, nil
}

// same reports whether vertex i has the name of vertex j of others.
func (v *Vertices) same(i uint32, others *Vertices, j uint32) bool {
	if v.Side != nil && v.Side[i] != others.Side[j] || !sameKey(v.IDs, i, others.IDs, j) {
		return false
	}
	for c, column := range v.By {
		if !sameKey(column, i, others.By[c], j) {
			return false
		}
	}
	return true
}

func sameKey(a building.Keys, i uint32, b building.Keys, j uint32) bool {
	if a.Offsets == nil {
		return a.Ints[i] == b.Ints[j]
	}
	return bytes.Equal(a.Bytes[a.Offsets[i]:a.Offsets[i+1]], b.Bytes[b.Offsets[j]:b.Offsets[j+1]])
}

// pick returns some of the vertices.
func (v *Vertices) pick(some []uint32) (picked Vertices) {
	picked.IDs = v.IDs.Pick(some)
	if v.Side != nil {
		picked.Side = make([]uint8, len(some))
		for i, of := range some {
			picked.Side[i] = v.Side[of]
		}
	}
	for _, column := range v.By {
		picked.By = append(picked.By, column.Pick(some))
	}
	return picked
}
