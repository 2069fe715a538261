// Package building turns columns of ids and edges into a graph.
//
//	Keys       a column of ids, integers or strings
//	interner   ids -> numbers, in first-seen order; strings and integers have a table each
//	Scopes     the graph and the side that separate vertices of equal ids
//	Builder    batches of edges -> pairs of numbers -> rows -> Input
//	EdgeList   numbers of edges, for a question about them
//	Weights    decimal lengths or masses -> whole numbers of a unit: Scale, MassUnits
//	Overlap    whether the two columns of ids look like two sets
//
// Units: numbers of lengths and masses are multiples of a power of ten or of two; sums of them are exact. Ownership: a
// Builder copies its arguments, and is used by one goroutine, once; an Input is never written after Build. Complexity:
// O(n + m) time and memory, edges being sorted by digits; 8 bytes per edge until Build. Numbers depend on the order of
// rows alone, on no thread.
package building

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/invariants"
	"bcstage/internal/spill"
	"bcstage/preprocess/question"
)

// Builder collects edges and makes a graph of them. Vertices are numbered in first-seen order: row by row, the source
// before the destination. The numbers depend on nothing else, neither on threads nor on how rows are batched.
//
// Edges may belong to several graphs. Columns beside their ends then name the graph of each, and equal ids in two
// graphs are two vertices. All rows have the same number of such columns.
//
// Until Build it holds 8 bytes per edge, 8 or 10 more for a length, and the distinct ids with a table of them. For
// several graphs, it holds 8 to 20 bytes more per vertex. A Builder is used by one goroutine, once.
type Builder struct {
	// Bipartite says that sources and destinations are two sets of ids. It is
	// set before anything is added.
	Bipartite bool
	// Repeats is the rule for the lengths of repeated edges, as in question.Lengths. It is set before Build.
	Repeats string

	// KeepEdges asks for Input.Edges: a copy of the 8 bytes per edge during Build, and then 12 to 16 per distinct edge.
	// It is set before Build.
	KeepEdges bool

	// KeepRows asks for Input.Rows, beside Input.Edges: 12 bytes per row, 16 where only some rows run both ways. It is
	// set before Build.
	KeepRows bool

	// Directed says that edges run one way, from source to destination: a to b and b to a are then two arcs. It may be
	// set until Build.
	Directed bool

	// Files are where edges go that do not fit memory: see Spill. nil: nowhere. It is set before anything is added.
	Files *spill.Files
	// Fits is asked, if it is set, whether so many bytes fit memory: with the graph of edges that are in Files.
	Fits func(bytes int64) error

	threads int
	limit   int  // vertices
	spilled bool // edges are in Files
	err     error
	table   *vertexTable // nil: nothing has been added
	edges   []pairs
	rows    int64     // edges so far
	numbers []uint32  // scratch of AddVertices
	weights []Weights // of the edges, batch by batch; none: they have no lengths
	mixed   mixed
}

const (
	fewestRows = 1 << 10 // of a chunk of edges
	mostRows   = 1 << 20
)

// NewBuilder returns a Builder that uses up to threads goroutines; 0: GOMAXPROCS.
func NewBuilder(threads int) *Builder {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return &Builder{threads: threads, limit: csr.MaxVertices}
}

// AddEdges adds an edge src[i], dst[i] for every i, to the graph that row i of by names. The columns are copied and may
// be used again. An error, ErrKeys or ErrTooLarge, ends the Builder.
func (b *Builder) AddEdges(src, dst Keys, by ...Keys) error {
	if b.err == nil && len(b.weights) > 0 && src.Len() > 0 {
		b.err = fmt.Errorf("preprocess: %w: only some edges have any", ErrLengths)
	}
	return b.addEdges(src, dst, by)
}

func (b *Builder) addEdges(src, dst Keys, by []Keys) error {
	if err := b.admit(by, src, dst); err != nil {
		return err
	}
	for from, rows := 0, src.Len(); from < rows; {
		room, err := b.room(rows - from)
		if err != nil {
			return err
		}
		to := from + len(room.src)
		b.table.number(src.slice(from, to), dst.slice(from, to), nil, sliced(by, from, to), room.src, room.dst)
		if err := b.checkSize(); err != nil {
			return err
		}
		from = to
	}
	b.rows += int64(src.Len())
	return nil
}

// AddWeightedEdges is AddEdges for edges with lengths: weights has a row for each.
// Either all edges have lengths, or none. An error that wraps ErrLengths ends the
// Builder, too.
func (b *Builder) AddWeightedEdges(src, dst Keys, weights Weights, by ...Keys) error {
	if b.err == nil && (b.rows > 0) != (len(b.weights) > 0) {
		b.err = fmt.Errorf("preprocess: %w: only some edges have any", ErrLengths)
	}
	if b.err == nil {
		if err := weights.check(src.Len()); err != nil {
			b.err = fmt.Errorf("preprocess: %w", err)
		}
	}
	if err := b.addEdges(src, dst, by); err != nil {
		return err
	}
	if src.Len() > 0 {
		b.weights = append(b.weights, weights.copied())
	}
	return nil
}

// AddVertices adds the ids that have not been seen, as vertices without edges so far. side, if the graph is bipartite,
// and by are those of each id (see Scopes). Errors are those of AddEdges.
func (b *Builder) AddVertices(ids Keys, side []uint8, by ...Keys) error {
	if err := b.admit(by, ids); err != nil {
		return err
	}
	if b.err = b.admitSides(side, ids.Len()); b.err != nil {
		return b.err
	}
	if b.numbers == nil {
		b.numbers = make([]uint32, fewestRound)
	}
	for from, rows := 0, ids.Len(); from < rows; {
		to := min(from+len(b.numbers), rows)
		if err := b.numberVertices(ids, side, by, from, to, b.numbers); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// Number returns the vertex number of each id. It adds unseen ids, like AddVertices.
func (b *Builder) Number(ids Keys, side []uint8, by ...Keys) ([]uint32, error) {
	if err := b.admit(by, ids); err != nil {
		return nil, err
	}
	if b.err = b.admitSides(side, ids.Len()); b.err != nil {
		return nil, b.err
	}
	numbers := make([]uint32, ids.Len())
	if len(numbers) == 0 {
		return numbers, nil
	}
	return numbers, b.numberVertices(ids, side, by, 0, len(numbers), numbers)
}

// numberVertices numbers the rows [from, to).
func (b *Builder) numberVertices(ids Keys, side []uint8, by []Keys, from, to int, out []uint32) error {
	if side != nil {
		side = side[from:to]
	}
	b.table.number(ids.slice(from, to), Keys{}, side, sliced(by, from, to), out, nil)
	return b.checkSize()
}

// room makes room for up to rows edges, at least one.
func (b *Builder) room(rows int) (pairs, error) {
	last := len(b.edges) - 1
	if last < 0 || len(b.edges[last].src) == cap(b.edges[last].src) {
		chunk, err := b.chunk(min(max(rows, int(b.rows/8), fewestRows), mostRows))
		if err != nil {
			return pairs{}, err
		}
		if last >= 0 {
			b.filed().Idle(b.edges[last].src)
		}
		b.edges = append(b.edges, chunk)
		last++
	}
	chunk := &b.edges[last]
	used := len(chunk.src)
	end := used + min(rows, cap(chunk.src)-used)
	chunk.src, chunk.dst = chunk.src[:end], chunk.dst[:end]
	return pairs{chunk.src[used:], chunk.dst[used:]}, nil
}

// admit checks the columns of one batch. The first rows decide between integers and strings, column by column.
func (b *Builder) admit(by []Keys, ids ...Keys) error {
	if b.err != nil {
		return b.err
	}
	if err := b.admitColumns(by, ids); err != nil {
		b.err = fmt.Errorf("preprocess: %w", err)
	}
	return b.err
}

func (b *Builder) admitColumns(by, ids []Keys) error {
	if b.table == nil {
		b.table = newVertexTable(b.threads, b.Bipartite, len(by))
	}
	if len(by) != len(b.table.by) {
		return fmt.Errorf("%w: %d columns name the graph, and %d before", ErrKeys, len(by), len(b.table.by))
	}
	rows := ids[0].Len()
	for _, keys := range ids {
		if keys.Len() != rows {
			return fmt.Errorf("%w: %d sources, %d destinations", ErrKeys, rows, keys.Len())
		}
		if err := b.table.ids.admit(keys); err != nil {
			return err
		}
	}
	for i, keys := range by {
		if keys.Len() != rows {
			return fmt.Errorf("%w: %d ids, %d rows that name the graph", ErrKeys, rows, keys.Len())
		}
		if err := b.table.by[i].admit(keys); err != nil {
			return err
		}
	}
	return nil
}

func (b *Builder) admitSides(side []uint8, rows int) error {
	switch {
	case b.Bipartite != (side != nil) && rows > 0:
		return fmt.Errorf("preprocess: %w: sides belong to bipartite graphs", ErrKeys)
	case side != nil && len(side) != rows:
		return fmt.Errorf("preprocess: %w: %d ids, %d sides", ErrKeys, rows, len(side))
	}
	for row, s := range side {
		if s > 1 {
			return fmt.Errorf("preprocess: %w: side %d at row %d", ErrKeys, s, row)
		}
	}
	return nil
}

// Vertices returns the number of vertices added so far.
func (b *Builder) Vertices() int {
	if b.table == nil {
		return 0
	}
	return b.table.count()
}

func (b *Builder) checkSize() error {
	if b.table.count() > b.limit {
		b.err = fmt.Errorf("preprocess: %w", csr.ErrTooLarge)
	}
	return b.err
}

// Build makes the graph. Cancelled, it returns the context's error within milliseconds. The Builder cannot be used
// again.
func (b *Builder) Build(ctx context.Context) (*Input, error) {
	if b.err != nil {
		return nil, b.err
	}
	b.err = errors.New("preprocess: Builder used after Build")
	in := &Input{EdgesRead: b.rows + int64(len(b.mixed.row))}
	if b.table != nil {
		in.IDs, in.Scopes = b.table.names()
	}
	b.table = nil // no longer needed
	edges, weights := b.mixed.behind(b.edges, b.weights)
	b.edges, b.weights = nil, nil
	var kept []pairs    // for use after makeRows
	var longer []uint64 // by bit, rows longer than their edge
	copies := b.Repeats == question.RepeatsKeep
	if len(weights) > 0 || b.KeepEdges || copies {
		kept = slices.Clone(edges)
	}
	var err error
	if !b.Bipartite {
		if in.Overlap, err = overlapOf(ctx, in.IDs.Len(), edges, b.threads); err != nil {
			return nil, fmt.Errorf("preprocess: build: %w", err)
		}
	}
	in.Graph, in.SelfLoops, err = makeRows(ctx, in.IDs.Len(), edges, kept != nil, b.Directed, b.threads, b.filed(), func(edges int64) error {
		return b.fits(in.IDs.Len(), edges, in.IDs.Held())
	})
	if err != nil {
		return nil, fmt.Errorf("preprocess: build: %w", err)
	}
	in.Duplicates = in.EdgesRead - in.SelfLoops - in.Graph.Edges()
	if len(weights) > 0 {
		if in.Scale, longer, err = weigh(ctx, &in.Graph, kept, weights, b.Repeats, b.KeepRows || copies, b.threads); err != nil {
			return nil, fmt.Errorf("preprocess: build: %w", err)
		}
	}
	if copies && in.Duplicates > 0 {
		var counted int64
		if in.Copies, counted, err = countCopies(ctx, &in.Graph, kept, longer, b.threads); err != nil {
			return nil, fmt.Errorf("preprocess: build: %w", err)
		}
		in.Duplicates = in.EdgesRead - in.SelfLoops - counted
	}
	if b.KeepEdges {
		if in.Edges, err = listEdges(ctx, &in.Graph, kept, b.threads); err != nil {
			return nil, fmt.Errorf("preprocess: build: %w", err)
		}
		if b.KeepRows {
			if in.Rows, err = in.Edges.rows(ctx, kept, &b.mixed, longer, b.threads); err != nil {
				return nil, fmt.Errorf("preprocess: build: %w", err)
			}
		}
	}
	if invariants.On {
		if err := in.Graph.Check(); err != nil {
			return nil, fmt.Errorf("preprocess: build: %w", err)
		}
	}
	return in, nil
}
