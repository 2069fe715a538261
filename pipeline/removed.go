package pipeline

import (
	"context"
	"errors"
	"fmt"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/pipeline/internal/change"
)

// Removed are edges or vertices that WhatIf removes from a graph, in the order of their rows. Rows that repeat one are left out.
type Removed struct {
	idPairs
	vertices bool
	dropped  int // rows with a null
}

// ReadRemovedEdges reads edges of any format by read, which is arrowio.Read. They hold their memory of files.Budget.
func ReadRemovedEdges(ctx context.Context, read readEdges, files tables.Options) (*Removed, error) {
	m := &Removed{idPairs: newIDPairs()}
	files.IDs, files.IgnoreWeight, files.Directed = tables.IDsString, true, true
	add := m.adding(files)
	summary, err := eachBatch(ctx, read, files, func(batch tables.Batch) error {
		err := add(building.Keys(batch.Src), building.Keys(batch.Dst))
		if err == nil {
			batch.Release()
		}
		return err
	})
	return m.closed(summary.NullsDropped, err)
}

// ReadRemovedVertices reads ids by read, which is arrowio.ReadIDs, from a file's first column, as ReadVertexSet does.
func ReadRemovedVertices(ctx context.Context, read readIDs, files tables.Options) (*Removed, error) {
	m := &Removed{idPairs: newIDPairs(), vertices: true}
	add := m.adding(files)
	dropped, err := read(ctx, files, func(ids tables.Keys) error { return add(building.Keys(ids)) })
	return m.closed(dropped, err)
}

// RemovedEdges are edges between some integers: from src[i] to dst[i].
func RemovedEdges[K Integer](src, dst []K) *Removed { return &Removed{idPairs: idPairsOf(src, dst)} }

// RemovedVertices are vertices named by some integers.
func RemovedVertices[K Integer](ids ...K) *Removed {
	return &Removed{idPairs: idPairsOf(ids, ids), vertices: true}
}

// adding returns a function that adds rows: the ids of vertices, or of both ends of edges.
func (m *Removed) adding(files tables.Options) func(ends ...building.Keys) error {
	hold := holding(files.Budget, func() string { return fmt.Sprintf("after %d rows", len(m.rows)) })
	return func(ends ...building.Keys) error {
		for _, ids := range ends {
			if ids.Offsets == nil && ids.Len() > 0 {
				return errors.New("ids of removed edges are no text") // arrowio's are, as they are asked for
			}
		}
		return m.add(func(ids building.Keys, rows int) error { return hold(m.held(ids, rows)) }, ends...)
	}
}

func (m *Removed) closed(dropped int64, err error) (*Removed, error) {
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	m.close()
	m.dropped = int(dropped)
	return m, nil
}

// find finds the edges or vertices in the graph: a removal for each, once, and the two ends that its row names. both has a removed
// edge take the arcs of both directions.
func (m *Removed) find(ctx context.Context, g *csr.Graph, n *names, both bool) (list []change.Removal, ends [][2]uint32, err error) {
	vertices, err := m.ends(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	both = both || !g.Directed()
	met := map[[2]uint32]bool{}
	for i, row := range m.rows {
		u, v := vertices[i][0], vertices[i][1]
		one := change.Removal{Vertex: csr.None}
		switch {
		case m.vertices:
			one.Vertex = u
		case g.Arc(u, v):
			one.Edges = append(one.Edges, [2]uint32{u, v})
		}
		if !m.vertices && g.Directed() && both && g.Arc(v, u) {
			one.Edges = append(one.Edges, [2]uint32{v, u})
		}
		if !m.vertices && len(one.Edges) == 0 {
			return nil, nil, fmt.Errorf("%w: row %d: %s and %s: the graph has no such edge", tables.ErrInput, i+1, quoted(m.ids.id(int(row[0]))), quoted(m.ids.id(int(row[1]))))
		}
		key := [2]uint32{u, v}
		if both {
			key = [2]uint32{min(u, v), max(u, v)}
		}
		if !met[key] {
			met[key] = true
			list, ends = append(list, one), append(ends, [2]uint32{u, v})
		}
	}
	return list, ends, nil
}
