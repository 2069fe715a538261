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
	ids      *VertexSet
	rows     [][2]uint32 // by row: numbers of both ids; of a vertex, its own twice
	vertices bool
}

// ReadRemovedEdges reads edges of any format by read, which is arrowio.Read. They hold their memory of files.Budget.
func ReadRemovedEdges(ctx context.Context, read func(context.Context, tables.Options, chan<- tables.Batch) (tables.Summary, error), files tables.Options) (*Removed, error) {
	m := newRemoved(false)
	files.IDs, files.IgnoreWeight, files.Directed = tables.IDsString, true, true
	edges, failed := make(chan tables.Batch, batchesInFlight), make(chan error, 1)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		_, err := read(ctx, files, edges)
		failed <- err
	}()
	var wrong error
	for batch := range edges {
		if wrong == nil {
			if wrong = m.add(files, building.Keys(batch.Src), building.Keys(batch.Dst)); wrong != nil {
				stop()
			}
		}
		batch.Release()
	}
	if err := <-failed; wrong == nil {
		wrong = err
	}
	return m.closed(wrong)
}

// ReadRemovedVertices reads ids by read, which is arrowio.ReadIDs, from a file's first column, as ReadVertexSet does.
func ReadRemovedVertices(ctx context.Context, read func(context.Context, tables.Options, func(tables.Keys) error) error, files tables.Options) (*Removed, error) {
	m := newRemoved(true)
	return m.closed(read(ctx, files, func(ids tables.Keys) error { return m.add(files, building.Keys(ids)) }))
}

// RemovedEdges are edges between some integers: from src[i] to dst[i].
func RemovedEdges[K Integer](src, dst []K) *Removed {
	m := newRemoved(false)
	_ = m.add(tables.Options{}, keysOf(src), keysOf(dst)) // which are text
	m.ids.close()
	return m
}

// RemovedVertices are vertices named by some integers.
func RemovedVertices[K Integer](ids ...K) *Removed {
	m := newRemoved(true)
	_ = m.add(tables.Options{}, keysOf(ids)) // which are text
	m.ids.close()
	return m
}

func newRemoved(vertices bool) *Removed {
	return &Removed{ids: &VertexSet{ids: building.NewDistinct()}, vertices: vertices}
}

// keysOf are integers as text.
func keysOf[K Integer](ids []K) building.Keys {
	keys := building.Keys{Offsets: []int64{0}}
	for _, id := range ids {
		keys.Bytes = fmt.Append(keys.Bytes, id)
		keys.Offsets = append(keys.Offsets, int64(len(keys.Bytes)))
	}
	return keys
}

// add adds rows: the ids of vertices, or of both ends of edges.
func (m *Removed) add(files tables.Options, ends ...building.Keys) error {
	before := m.held()
	first := len(m.rows)
	m.rows = append(m.rows, make([][2]uint32, ends[0].Len())...)
	for end, ids := range ends {
		if ids.Offsets == nil && ids.Len() > 0 {
			return errors.New("ids of removed edges are no text") // arrowio's are, as they are asked for
		}
		if err := m.ids.add(ids); err != nil {
			return err
		}
		for i := range ids.Len() {
			number, _ := m.ids.ids.Find(ids.Bytes[ids.Offsets[i]:ids.Offsets[i+1]])
			if m.rows[first+i][end] = uint32(number); m.vertices {
				m.rows[first+i][1] = uint32(number)
			}
		}
	}
	if err := files.Budget.Hold(m.held() - before); err != nil {
		return fmt.Errorf("after %d rows: %w", len(m.rows), err)
	}
	return nil
}

// held is its memory.
func (m *Removed) held() int64 {
	return m.ids.ids.Bytes(building.Keys{}) + hashing(m.ids.count()) + 2*8*int64(len(m.rows))
}

func (m *Removed) closed(err error) (*Removed, error) {
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	m.ids.close()
	return m, nil
}

// find finds the edges or vertices in the graph: a removal for each, once, and the two ends that its row names. both has a removed
// edge take the arcs of both directions.
func (m *Removed) find(ctx context.Context, g *csr.Graph, n *names, both bool) (list []change.Removal, ends [][2]uint32, err error) {
	of, _, err := m.ids.met(ctx, n)
	if err != nil {
		return nil, nil, err
	}
	both = both || !g.Directed()
	met := map[[2]uint32]bool{}
	for i, row := range m.rows {
		for _, id := range row {
			if of[id] == csr.None {
				return nil, nil, fmt.Errorf("%w: row %d: %s is no vertex of the graph", tables.ErrInput, i+1, quoted(m.ids.id(int(id))))
			}
		}
		u, v := of[row[0]], of[row[1]]
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
