// Package searches finds the distances from single vertices of a graph. It reduces nothing,
// and sums nothing.
//
//	New          a Search of a graph, for one goroutine
//	Search.Run   up to Search.Lanes sources at once; Rows of each, near ones first
//
// Units: hops, or the graph's lengths. Ownership: the graph is read only, Rows belong to the
// receiver. Complexity, with n vertices and m edges: breadth first, O(n + m) operations on
// masks of 64 sources for each distance that some source has; with paths, masks of 8 sources.
// Where sources share little, O(n + m) for each; with lengths O((n + m) log n) for each
// source. If sources meet few vertices, n and m count only these. Memory: 8n bytes a mask,
// and 12 for each vertex and distance that some source has it at. With paths 64n more. With
// lengths 8n, at most 16 for each arc, and with paths 8n more.
package searches

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"bcstage/internal/csr"
	"bcstage/internal/pages"
)

// ErrPaths says that a vertex has more shortest paths than float64 can count.
var ErrPaths = errors.New("more shortest paths than float64 counts")

// Options of New.
type Options struct {
	Cutoff int64 // the largest distance to search; below 0: all
	Paths  bool  // count shortest paths

	Spare *Spare // memory for Rows; nil: each allocates its own
}

// Rows are the vertices that a source reaches, itself at distance 0 first: by distance, equal
// ones by vertex.
type Rows struct {
	Vertices  []uint32
	Distances []int64
	Paths     []float64 // nil unless they were asked for
}

// Spare keeps the memory of Rows that nobody needs any more, for the next. Searches may share
// one. The zero value is empty, and a nil one stays so.
type Spare struct{ rows sync.Pool }

// Reuse takes Rows back.
func (s *Spare) Reuse(r Rows) {
	if s != nil {
		s.rows.Put(&r)
	}
}

// Rows returns Rows with room for count vertices, of unknown contents.
func (s *Spare) Rows(count int, paths bool) Rows {
	var old *Rows
	if s != nil {
		old, _ = s.rows.Get().(*Rows)
	}
	if old == nil {
		old = &Rows{}
	}
	r := Rows{Vertices: pages.Resize(old.Vertices, count), Distances: pages.Resize(old.Distances, count)}
	if paths {
		r.Paths = pages.Resize(old.Paths, count)
	}
	return r
}

// Search keeps the state of one Run.
type Search struct {
	graph   *csr.Graph
	options Options
	hops    hops
	deep    bool // sources share too little: alone searches
	alone   alone
	lengths lengths
}

// New returns a Search of a graph. It allocates its memory in Run.
func New(g *csr.Graph, o Options) *Search {
	if o.Cutoff < 0 {
		o.Cutoff = math.MaxInt64
	}
	return &Search{graph: g, options: o}
}

// Lanes returns the largest number of sources of a Run.
func (s *Search) Lanes() int {
	switch {
	case s.graph.HasLengths():
		return 1
	case s.options.Paths:
		return pathLanes
	}
	return maxLanes
}

// Run searches from the sources and calls emit for each, in their order. It ends
// with emit's error, the context's, or ErrPaths, which names the vertices by number.
func (s *Search) Run(ctx context.Context, sources []uint32, emit func(Rows) error) error {
	if s.graph.HasLengths() {
		return s.runAlone(ctx, sources, emit)
	}
	if !s.deep {
		var err error
		if s.deep, err = s.hops.search(ctx, s.graph, sources, s.options); err != nil {
			return err
		}
	}
	if s.deep {
		s.hops = hops{}
		return s.runAlone(ctx, sources, emit)
	}
	if err := s.hops.turn(ctx); err != nil {
		return err
	}
	for lane, source := range sources {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rows := s.hops.rows(lane, s.options.Spare)
		if err := countable(source, rows); err != nil {
			return err
		}
		if err := emit(rows); err != nil {
			return err
		}
	}
	return nil
}

// runAlone searches from one source after the other.
func (s *Search) runAlone(ctx context.Context, sources []uint32, emit func(Rows) error) error {
	one := s.alone.search
	if s.graph.HasLengths() {
		one = s.lengths.search
	}
	for _, source := range sources {
		rows, err := one(ctx, s.graph, source, s.options)
		if err == nil {
			err = countable(source, rows)
		}
		if err == nil {
			err = emit(rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// TooManyPaths is ErrPaths with the two vertices, by number.
type TooManyPaths struct{ Source, Vertex uint32 }

func (e *TooManyPaths) Error() string {
	return fmt.Sprintf("%v: from vertex %d to vertex %d", ErrPaths, e.Source, e.Vertex)
}

func (e *TooManyPaths) Unwrap() error { return ErrPaths }

// countable returns an error if a path count has overflowed.
func countable(source uint32, rows Rows) error {
	for i, count := range rows.Paths {
		if math.IsInf(count, 1) {
			return &TooManyPaths{source, rows.Vertices[i]}
		}
	}
	return nil
}

// Bytes returns about the most memory that a Search takes in a Run of that many sources.
func Bytes(g *csr.Graph, lanes int, paths bool) int64 {
	n := int64(g.Vertices())
	// An entry is a vertex at a distance that some of the sources have. Sources near each
	// other make few entries, others at most one each. A level after which there are too many
	// is searched to its end.
	entries := n * int64(min(lanes, most(lanes)+1))
	bytes := 3*8*n + 4*n + 12*entries
	if g.HasLengths() {
		bytes = 8*n + 16*int64(len(g.Targets))
	}
	if paths {
		bytes += 8 * n
		if !g.HasLengths() {
			bytes += 8 * n * (pathLanes - 1)
		}
	}
	return bytes + 2*(4+8+8)*n // the rows of one source, and of one waiting
}
