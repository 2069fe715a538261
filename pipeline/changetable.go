package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/preprocess/question"
)

// ChangeTable is a list of changes of a graph, in the order of its rows: op "+" adds an edge, "-" removes one. A vertex
// that loses its last edge goes, too.
type ChangeTable struct{ rows *TripTable }

// changeColumns are the columns of a table of changes.
var changeColumns = [3]string{"src", "dst", "op"}

// ReadChangeTable reads a table of columns src, dst and op with read, which is arrowio.ReadTrips. Every format with
// columns will do. Its memory counts in files.Budget.
func ReadChangeTable(ctx context.Context, read readTrips, files tables.Options) (*ChangeTable, error) {
	rows, err := ReadTripTable(ctx, read, files, changeColumns)
	return &ChangeTable{rows}, err
}

// source sends the edges of the prepared graph after the changes. Its vertices keep their order.
func (s *Since) source(asked question.Question, threads int) Source {
	return func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		defer close(edges)
		b, err := s.open(ctx, asked, threads)
		if err != nil {
			return tables.Summary{}, fmt.Errorf("pipeline: %w", err)
		}
		defer b.Close() // batches are copies
		c, err := s.Changes.changed(ctx, b)
		if err != nil {
			return tables.Summary{}, fmt.Errorf("pipeline: Options.Since.Changes: %w", err)
		}
		rows := int64(0)
		err = c.each(func(vertices, src, dst []uint32) error {
			rows += int64(len(src))
			batch := tables.Batch{Vertices: tables.Keys(c.ids.Pick(vertices)), Src: tables.Keys(c.ids.Pick(src)), Dst: tables.Keys(c.ids.Pick(dst))}
			return parallel.Send(ctx, edges, batch)
		})
		return tables.Summary{IDs: c.typ, Files: 1, Rows: rows}, err
	}
}

// changedGraph is a graph with its changes.
type changedGraph struct {
	*before
	ids   building.Keys      // of the graph's vertices, then of the new ones
	typ   tables.IDType      // of all ids
	is    map[[2]uint32]bool // by changed pair, of an undirected edge the smaller number first: the edge exists
	order [][2]uint32        // the pairs in the order in which they first appear
}

// changed applies the changes.
func (t *ChangeTable) changed(ctx context.Context, b *before) (*changedGraph, error) {
	if len(b.By) > 0 || b.Side != nil {
		return nil, fmt.Errorf("%w: a table of changes cannot name a graph or a side; give all edges instead", ErrOptions)
	}
	c := &changedGraph{before: b, is: map[[2]uint32]bool{}}
	of, err := c.number(ctx, t.rows.ids)
	if err != nil {
		return nil, err
	}
	ops := &t.rows.trips
	for i, ends := range t.rows.rows {
		wrong := func(what string) error {
			return fmt.Errorf("%w: row %d: %s and %s: %s", tables.ErrInput, i+1, quoted(t.rows.ids.id(int(ends[0]))), quoted(t.rows.ids.id(int(ends[1]))), what)
		}
		u, v := of[ends[0]], of[ends[1]]
		pair := [2]uint32{u, v}
		if !b.Question.Directed {
			pair = [2]uint32{min(u, v), max(u, v)}
		}
		there, named := c.is[pair]
		if !named {
			there = c.had(pair)
		}
		op := ""
		if len(ops.Null) == 0 || !ops.Null[i] {
			op = ops.Type.Format(ops.Keys, i)
		}
		switch {
		case op != "+" && op != "-":
			return nil, wrong(fmt.Sprintf("column op is %q, want + or -", op))
		case u == v:
			return nil, wrong("an edge from a vertex to itself")
		case op == "+" && there:
			return nil, wrong("the graph has this edge already")
		case op == "-" && !there:
			return nil, wrong("the graph has no such edge")
		}
		if !named {
			c.order = append(c.order, pair)
		}
		c.is[pair] = op == "+"
	}
	return c, nil
}

// had reports whether the graph had an edge before its changes.
func (c *changedGraph) had(pair [2]uint32) bool {
	if int(max(pair[0], pair[1])) >= c.Vertices {
		return false
	}
	_, found := slices.BinarySearch(c.Upward.Neighbours(pair[0]), pair[1])
	return found
}

// number returns the vertex of each id. Vertices that the graph lacks get the next numbers.
func (c *changedGraph) number(ctx context.Context, ids *VertexSet) ([]uint32, error) {
	old, err := namesOf(c.IDs, c.Scopes, c.about.IDs, nil, false)
	if err != nil {
		return nil, err
	}
	of, same, err := ids.met(ctx, &old)
	if err != nil {
		return nil, err
	}
	c.ids, c.typ = cloned(c.IDs), c.about.IDs
	numbers := map[uint64]uint32{}
	for i := range of {
		if as, again := same[i]; again && of[i] == csr.None {
			of[i] = of[as] // an earlier row, so it has a number
		}
		if of[i] != csr.None {
			continue
		}
		of[i] = uint32(c.ids.Len())
		if err := c.add(ids.id(i), numbers, &of[i]); err != nil {
			return nil, err
		}
	}
	return of, nil
}

// add adds the id of a new vertex. A number that came before in another spelling is that vertex.
func (c *changedGraph) add(id []byte, numbers map[uint64]uint32, as *uint32) error {
	name, _ := c.about.IDs.MarshalText() // never fails
	switch text := string(id); {
	case c.about.IDs.IsInteger():
		bits, err := strconv.ParseUint(text, 10, 64)
		if signed, signedErr := strconv.ParseInt(text, 10, 64); signedErr == nil {
			bits, err = uint64(signed), nil
		}
		if err != nil || !sameNumber(c.about.IDs, bits, text) {
			return fmt.Errorf("%w: id %s: not of the graph's type %s", tables.ErrInput, quoted(id), c.about.IDs)
		}
		if before, met := numbers[bits]; met {
			*as = before
			return nil
		}
		numbers[bits] = *as
		c.ids.Ints = append(c.ids.Ints, bits)
		if c.typ = tables.Int64IDs(); !sameNumber(c.about.IDs, ^uint64(0), "-1") {
			c.typ = tables.Uint64IDs()
		}
	case strings.HasSuffix(string(name), "utf8") || strings.HasSuffix(string(name), "string_view"):
		c.ids.Bytes = append(c.ids.Bytes, id...)
		c.ids.Offsets = append(c.ids.Offsets, int64(len(c.ids.Bytes)))
		c.typ = tables.StringIDs()
	default:
		return fmt.Errorf("%w: id %s: not in the graph, and new ids of type %s cannot be given as text", tables.ErrInput, quoted(id), c.about.IDs)
	}
	return nil
}

// each calls send with the vertices that stay, and then with the edges, some at a time.
func (c *changedGraph) each(send func(vertices, src, dst []uint32) error) error {
	degrees := make([]int64, c.Vertices)
	for v, degree := range c.Degrees {
		degrees[v] = int64(degree)
	}
	for pair, is := range c.is {
		for _, v := range pair {
			if int(v) >= c.Vertices {
				continue
			}
			if was := c.had(pair); was && !is {
				degrees[v]--
			} else if !was && is {
				degrees[v]++
			}
		}
	}
	var some, src, dst []uint32
	for v, degree := range degrees {
		if degree > 0 || c.Degrees[v] == 0 {
			some = append(some, uint32(v))
		}
		if len(some) == sliceRows || v+1 == len(degrees) && len(some) > 0 {
			if err := send(some, nil, nil); err != nil {
				return err
			}
			some = some[:0]
		}
	}
	flush := func(most int) error {
		if len(src) == 0 || len(src) < most {
			return nil
		}
		err := send(nil, src, dst)
		src, dst = src[:0], dst[:0]
		return err
	}
	for v := range c.Vertices {
		for _, w := range c.Upward.Neighbours(uint32(v)) {
			if _, named := c.is[[2]uint32{uint32(v), w}]; named {
				continue
			}
			src, dst = append(src, uint32(v)), append(dst, w)
			if err := flush(sliceRows); err != nil {
				return err
			}
		}
	}
	for _, pair := range c.order {
		if c.is[pair] {
			src, dst = append(src, pair[0]), append(dst, pair[1])
		}
	}
	return flush(0)
}
