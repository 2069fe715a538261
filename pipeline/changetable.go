package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/preprocess/question"
)

// ChangeTable is a list of changes of a graph, in the order of its rows: op "+" adds an edge, "-" removes one. Where edges have lengths,
// a number in place of "+" is the length of an edge that is added, or has been there. A vertex that loses its last edge goes, too.
type ChangeTable struct{ rows *TripTable }

// changeColumns are the columns of a table of changes.
var changeColumns = [3]string{"src", "dst", "op"}

// ReadChangeTable reads a table of columns src, dst and op with read, which is arrowio.ReadTrips. Every format with
// columns will do. Its memory counts in files.Budget.
func ReadChangeTable(ctx context.Context, read readTrips, files tables.Options) (*ChangeTable, error) {
	rows, err := ReadTripTable(ctx, read, files, changeColumns)
	return &ChangeTable{rows}, err
}

// source sends the edges of the prepared graph after the changes, behind the rows of the vertex table, if files name one. Vertices of the
// graph keep their order.
func (s *Since) source(asked question.Question, files tables.Options, read readEdges) Source {
	return func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		defer close(edges)
		b, err := s.open(ctx, asked, files.Threads)
		if err != nil {
			return tables.Summary{}, fmt.Errorf("pipeline: %w", err)
		}
		defer b.Close() // batches are copies
		summary := tables.Summary{IDs: b.about.IDs}
		if files.Vertices != "" {
			if read == nil {
				return summary, errNoEdges
			}
			send := func(batch tables.Batch) error { return parallel.Send(ctx, edges, batch) }
			if summary, err = eachBatch(ctx, read, b.about.verticesAlone(files), send); err != nil {
				return summary, err
			}
		}
		if summary.IDs.IsInteger() != b.about.IDs.IsInteger() {
			return summary, fmt.Errorf("%w: vertex table: ids are of type %s, and were of type %s before", tables.ErrInput, summary.IDs, b.about.IDs)
		}
		c, err := s.Changes.changed(ctx, b, asked.Lengths.Column)
		if err != nil {
			return summary, fmt.Errorf("pipeline: Options.Since.Changes: %w", err)
		}
		err = c.each(func(vertices, src, dst []uint32, lengths building.Weights) error {
			summary.Rows += int64(len(src))
			batch := tables.Batch{Vertices: tables.Keys(c.ids.Pick(vertices)), Src: tables.Keys(c.ids.Pick(src)), Dst: tables.Keys(c.ids.Pick(dst)), Weights: tables.Weights(lengths)}
			return parallel.Send(ctx, edges, batch)
		})
		summary.IDs = c.typ
		summary.NullsDropped += int64(s.Changes.rows.dropped)
		summary.Files++
		return summary, err
	}
}

// readEdges is arrowio.Read.
type readEdges = func(ctx context.Context, files tables.Options, edges chan<- tables.Batch) (tables.Summary, error)

// eachBatch calls take with the batches that read reads. take releases a batch, unless it returns an error.
func eachBatch(ctx context.Context, read readEdges, files tables.Options, take func(tables.Batch) error) (summary tables.Summary, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches, failed := make(chan tables.Batch, batchesInFlight), make(chan error, 1)
	go func() {
		var err error
		summary, err = read(ctx, files, batches)
		failed <- err
	}()
	for batch := range batches {
		if err == nil {
			err = take(batch)
		}
		if err != nil {
			stop()
			batch.Release()
		}
	}
	if failure := <-failed; err == nil {
		err = failure
	}
	return summary, err
}

// changedGraph is a graph with its changes.
type changedGraph struct {
	*before
	ids   building.Keys      // of the graph's vertices, then of the new ones
	typ   tables.IDType      // of all ids
	is    map[[2]uint32]bool // by changed pair, of an undirected edge the smaller number first: the edge exists
	order [][2]uint32        // the pairs in the order in which they first appear

	weighted bool              // edges have lengths
	lengths  building.Weights  // by row of the changes; 0: it removes
	row      map[[2]uint32]int // by changed pair: the last row
	exponent int16             // of lengths before
}

// changed applies the changes.
func (t *ChangeTable) changed(ctx context.Context, b *before, weight string) (*changedGraph, error) {
	if len(b.By) > 0 || b.Side != nil {
		return nil, fmt.Errorf("%w: a table of changes cannot name a graph or a side; give all edges instead", ErrOptions)
	}
	c := &changedGraph{before: b, is: map[[2]uint32]bool{}, row: map[[2]uint32]int{}, weighted: weight != ""}
	if c.weighted {
		if err := c.measure(ctx, t); err != nil {
			return nil, err
		}
	}
	of, err := c.number(ctx, t.rows.ids)
	if err != nil {
		return nil, err
	}
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
		op := t.op(i)
		switch {
		case !c.weighted && op != "+" && op != "-":
			return nil, wrong(fmt.Sprintf("column op is %q, want + or -", op))
		case c.weighted && op != "-" && c.lengths.Digits[i] == 0 && (c.lengths.High == nil || c.lengths.High[i] == 0):
			return nil, wrong(fmt.Sprintf("column op is %q, want - or a length above 0", op))
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
		c.is[pair], c.row[pair] = op != "-", i
	}
	return c, nil
}

// op is the operation of a row.
func (t *ChangeTable) op(row int) string {
	ops := &t.rows.trips
	if len(ops.Null) > 0 && ops.Null[row] {
		return ""
	}
	return ops.Type.Format(ops.Keys, row)
}

// measure reads the lengths of the changes.
func (c *changedGraph) measure(ctx context.Context, t *ChangeTable) (err error) {
	texts := tables.KeptColumn{Name: changeColumns[2], Type: tables.StringIDs(), KeptValues: tables.KeptValues{Keys: tables.Keys{Offsets: []int64{0}}}}
	for row := range t.rows.rows {
		op := t.op(row)
		if op == "-" || op == "+" {
			op = "0"
		}
		texts.Keys.Bytes = append(texts.Keys.Bytes, op...)
		texts.Keys.Offsets = append(texts.Keys.Offsets, int64(len(texts.Keys.Bytes)))
	}
	lengths, err := texts.Masses(ctx, tables.NullsError)
	if err != nil {
		return err
	}
	c.lengths = building.Weights(lengths)
	unit := c.about.Lengths.scale().Unit
	base, power, some := strings.Cut(unit, "^")
	exponent, err := strconv.ParseInt(cmp.Or(power, "0"), 10, 16)
	if some && base != "10" || err != nil {
		return fmt.Errorf("%w: lengths of the graph before are rounded to multiples of %s; give all edges instead", ErrOptions, unit)
	}
	c.exponent = int16(exponent)
	return nil
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
		number, ok := numberIn(c.about.IDs, text)
		if !ok {
			return fmt.Errorf("%w: id %s: not of the graph's type %s", tables.ErrInput, quoted(id), c.about.IDs)
		}
		if before, met := numbers[number]; met {
			*as = before
			return nil
		}
		numbers[number] = *as
		c.ids.Ints = append(c.ids.Ints, number)
		c.typ = tables.Int64IDs()
		if _, signed := numberIn(c.about.IDs, "-1"); !signed {
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
func (c *changedGraph) each(send func(vertices, src, dst []uint32, lengths building.Weights) error) error {
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
			if err := send(some, nil, nil, building.Weights{}); err != nil {
				return err
			}
			some = some[:0]
		}
	}
	var lengths building.Weights
	flush := func(most int) error {
		if len(src) == 0 || len(src) < most {
			return nil
		}
		err := send(nil, src, dst, lengths)
		src, dst, lengths = src[:0], dst[:0], building.Weights{}
		return err
	}
	add := func(u, v uint32, digits [2]uint64, exponent int16) {
		if src, dst = append(src, u), append(dst, v); c.weighted {
			lengths.Digits, lengths.High = append(lengths.Digits, int64(digits[1])), append(lengths.High, int64(digits[0]))
			lengths.Exponents = append(lengths.Exponents, exponent)
		}
	}
	divisor := uint64(max(c.about.Lengths.scale().Divisor, 1))
	for v := range uint32(c.Vertices) {
		for arc := c.Upward.Offsets[v]; arc < c.Upward.Offsets[v+1]; arc++ {
			w := c.Upward.Targets[arc]
			if _, named := c.is[[2]uint32{v, w}]; named {
				continue
			}
			high, low := bits.Mul64(divisor, uint64(c.Upward.ArcLength(arc)))
			add(v, w, [2]uint64{high, low}, c.exponent)
			if err := flush(sliceRows); err != nil {
				return err
			}
		}
	}
	for _, pair := range c.order {
		if !c.is[pair] {
			continue
		}
		digits, exponent := [2]uint64{}, int16(0)
		if row := c.row[pair]; c.weighted {
			if digits[1] = uint64(c.lengths.Digits[row]); c.lengths.High != nil {
				digits[0] = uint64(c.lengths.High[row])
			}
			if c.lengths.Exponents != nil {
				exponent = c.lengths.Exponents[row]
			}
		}
		add(pair[0], pair[1], digits, exponent)
	}
	return flush(0)
}
