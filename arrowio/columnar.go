package arrowio

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/budget"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// batchRows is how many rows of a columnar input make one batch, and batchBytes about how
// many bytes, where fewer rows have as many.
const (
	batchRows  = ids.BatchRows
	batchBytes = 8 << 20
)

// rowsOf is how many rows make a batch where so many rows have so many bytes.
func rowsOf(rows, bytes int64) int64 {
	if bytes <= 0 || rows <= 0 {
		return batchRows
	}
	return min(max(int64(float64(rows)/float64(bytes)*batchBytes), 1), batchRows)
}

// edgeTable sends the batches of one columnar input: its columns' names and types,
// the null policy and the memory that its batches share.
type edgeTable struct {
	out       *funnel
	columns   []keyColumn
	ends      int   // the first columns are ids: source and destination, or those of a vertex table
	by        []int // by column of Options.By: which column of the input that is; -1: the path says it
	side      int   // which column is the side of a vertex; 0: none
	weight    int   // which column is the length of an edge; 0: none
	keep      int   // the columns from it on are to be kept; 0: none
	length    lengthType
	dropNulls bool

	directions int // the place in the schema of Gephi's column of directions; -1: none
	budget     *budget.Budget
}

// keyColumn is a column that is read.
type keyColumn struct {
	name     string
	position int      // in the schema
	types    *idTypes // to which its type is added; nil: none
	signed   bool
	sign     bool // its values decide the output's type
	spell    bool // ids that become text
	typ      IDType
	convert  func(KeptValues) (KeptValues, error) // of a column that is kept, to its type's storage; nil: it is
	free     sync.Pool                            // *ids.Column
}

// newEdgeTable chooses the columns to read among the names and tells the funnel
// their types.
func newEdgeTable(out *funnel, names []string, typeOf func(i int) (arrow.DataType, error), lengthOf func(i int) (lengthType, error)) (*edgeTable, error) {
	opts, vertices := out.opts, out.vertices
	t := &edgeTable{out: out, dropNulls: opts.Nulls == NullsDrop, budget: opts.Budget}
	var positions []int
	if vertices {
		i, err := opts.vertexColumn(names)
		if err != nil {
			return nil, err
		}
		positions = []int{i}
	} else {
		src, dst, err := chooseColumns(names, columnChoice{opts.Src, opts.Dst, opts.heedless()})
		if err != nil {
			return nil, err
		}
		positions = []int{src, dst}
	}
	t.ends, t.directions = len(positions), -1
	by, err := out.findGroups(names)
	if err != nil {
		return nil, err
	}
	for _, i := range by {
		place := -1
		if i >= 0 {
			if slices.Contains(positions[:t.ends], i) {
				return nil, faults.Usage("column %q is an end of the edges; it cannot name their graph", names[i])
			}
			place = len(positions)
			positions = append(positions, i)
		}
		t.by = append(t.by, place)
	}
	if vertices && opts.Bipartite {
		i, err := oneColumn(names, SideColumn, func(a, b string) bool { return a == b })
		if err != nil {
			return nil, err
		}
		t.side = len(positions)
		positions = append(positions, i)
	}
	if !vertices && opts.Weight != "" {
		i, err := oneColumn(names, opts.Weight, func(a, b string) bool { return a == b })
		if err != nil {
			return nil, err
		}
		if slices.Contains(positions, i) {
			return nil, faults.Usage("column %q holds ids or names graphs; it cannot hold lengths, too", names[i])
		}
		t.weight = len(positions)
		positions = append(positions, i)
	}
	if vertices && len(opts.Keep) > 0 {
		t.keep = len(positions)
		for _, name := range opts.Keep {
			i, err := keptField(name, names, positions[:t.keep])
			if err != nil {
				return nil, err
			}
			positions = append(positions, i)
		}
	}
	if !vertices {
		out.leaves(names, positions, func(i int) bool {
			length, err := lengthOf(i)
			return err == nil && length.kind != textLength
		})
		t.directions = directionColumn(names, positions)
	}
	types := make([]arrow.DataType, len(positions))
	t.columns = make([]keyColumn, len(positions))
	for i, position := range positions {
		t.columns[i].name, t.columns[i].position = names[position], position
		if t.weight > 0 && i == t.weight {
			t.length, err = lengthOf(position)
		} else {
			types[i], err = typeOf(position)
		}
		if err == nil && t.kept(i) {
			types[i], err = keptType(types[i])
		}
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", names[position], err)
		}
	}
	if t.keep > 0 {
		if err := out.keeps(opts.Keep, types[t.keep:]); err != nil {
			return nil, err
		}
	}
	return t, t.addTypes(opts, types)
}

// kept tells whether a column is to be kept.
func (t *edgeTable) kept(i int) bool { return t.keep > 0 && i >= t.keep }

// addTypes tells the funnel the types of the columns.
func (t *edgeTable) addTypes(opts *readOptions, types []arrow.DataType) error {
	unlike := opts.Bipartite && t.ends == 2 && kindWithin(types[0]) != kindWithin(types[1])
	if unlike {
		t.out.note("columns %q and %q are of types %s and %s: all ids are strings", t.columns[0].name, t.columns[1].name, types[0], types[1])
	}
	for i := range t.columns {
		c := &t.columns[i]
		typ := types[i]
		if t.weight > 0 && i == t.weight || t.kept(i) {
			continue
		}
		c.typ = idTypeOf(typ)
		switch by := slices.Index(t.by, i); {
		case t.side > 0 && i == t.side:
			if c.typ.IsInteger() {
				return faults.Rejected("column %q: of type %s; want %q or %q", c.name, typ, SideSrc, SideDst)
			}
			continue
		case by >= 0:
			c.types = &t.out.by[by].types
		default:
			c.types = &t.out.ids
			c.spell = unlike && kindWithin(typ) != kindStrings
		}
		_, value := partsOf(arrowOf(c.typ))
		if i < t.ends && opts.IDs == IDsInt && kindOf(value) != kindIntegers {
			return faults.Advise(faults.Rejected("column %q: ids of type %s, not integers", c.name, typ), `Options.IDs "auto" takes them as they are`)
		}
		c.spell = c.spell || c.types.decimals(typ)
		c.signed = arrow.IsSignedInteger(value.ID())
		c.sign = !c.spell && (c.signed || value.ID() == arrow.UINT64)
		if c.spell {
			typ = arrow.BinaryTypes.String
		}
		if err := c.types.add(t.out.input, typ); err != nil {
			return fmt.Errorf("column %q: %w", c.name, err)
		}
	}
	return nil
}

// positions of the columns in the schema.
func (t *edgeTable) positions() []int {
	var list []int
	for i := range t.columns {
		list = append(list, t.columns[i].position)
	}
	return list
}

// mostSpare is the memory of a column that is kept for the next batch: twice that of
// integers. A larger one is left to the garbage collector.
const mostSpare = 16 * batchRows

// column is an empty column, charged to the account, with the memory of a batch that was
// released.
func (t *edgeTable) column(i int, account *budget.Account) (*ids.Column, error) {
	c, ok := t.columns[i].free.Get().(*ids.Column)
	if !ok {
		c = new(ids.Column)
	}
	c.Charge = account.Charge()
	return c, c.Charge.Take(c.Held())
}

// spare keeps the memory of a column that was released for the next batch.
func (t *edgeTable) spare(i int, c *ids.Column) {
	if c.Held() > mostSpare {
		c.Charge.Drop()
		return
	}
	c.Charge.Clear()
	t.columns[i].free.Put(c)
}

// send applies the null policy to equally long columns and sends them as one
// batch; they belong to the batch then, whatever happens. Errors name place,
// column and row, counted from first.
func (t *edgeTable) send(ctx context.Context, place string, first int64, columns ...*ids.Column) error {
	var batch Batch
	onRelease(&batch, func() {
		for i, c := range columns {
			t.spare(i, c)
		}
	})
	if err := t.fill(&batch, place, first, columns); err != nil {
		batch.Release()
		return err
	}
	for _, c := range columns {
		c.Charge.Pass()
	}
	return t.out.send(ctx, batch)
}

// fill makes a batch of columns.
func (t *edgeTable) fill(batch *Batch, place string, first int64, columns []*ids.Column) error {
	if t.weight > 0 {
		var row int
		var err error
		if batch.Weights, row, err = t.length.weights(columns[t.weight]); err != nil {
			return fmt.Errorf("%s: column %q: row %d: %w", place, t.columns[t.weight].name, first+int64(row), err)
		}
	}
	drop, err := t.applyNulls(place, first, columns)
	if err != nil {
		return err
	}
	if len(drop) > 0 && t.weight > 0 {
		keepWeights(&batch.Weights, drop)
	}
	keys := make([]Keys, len(columns))
	for i, c := range columns {
		if t.columns[i].spell && t.columns[i].typ.IsInteger() {
			c.Decimal(t.columns[i].signed)
		}
		if keys[i] = keysOf(c); t.columns[i].spell && !t.columns[i].typ.IsInteger() {
			if err := c.Charge.Take(3 * int64(len(c.Bytes))); err != nil { // for what cannot be printed
				return err
			}
			keys[i] = spelt(t.columns[i].typ, keys[i])
		}
		if !t.columns[i].sign {
			continue
		}
		if err := t.out.integers(t.columns[i].types, t.columns[i].name, c.Ints, t.columns[i].signed); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
	}
	if t.ends == 1 {
		batch.Vertices = keys[0]
	} else {
		batch.Src, batch.Dst = keys[0], keys[1]
	}
	for _, i := range t.by {
		column := Keys{}
		if i >= 0 {
			column = keys[i]
		}
		batch.By = append(batch.By, column)
	}
	for i := range columns {
		if t.kept(i) {
			null := columns[i].Null
			if len(drop) > 0 && len(null) > 0 {
				null = slices.Clone(null)[:0]
				for row, dropped := range drop {
					if !dropped {
						null = append(null, columns[i].Null[row])
					}
				}
			}
			kept := KeptValues{keys[i], null}
			if convert := t.columns[i].convert; convert != nil {
				if kept, err = convert(kept); err != nil {
					return fmt.Errorf("%s: column %q: %w", place, t.columns[i].name, err)
				}
			}
			batch.Kept = append(batch.Kept, kept)
		}
	}
	if t.side > 0 {
		if batch.Side, err = sidesOf(keys[t.side]); err != nil {
			return fmt.Errorf("%s: column %q: %w", place, SideColumn, err)
		}
	}
	return nil
}

// applyNulls refuses or leaves out the rows with a null in any column, and tells
// which.
func (t *edgeTable) applyNulls(place string, first int64, columns []*ids.Column) (drop []bool, err error) {
	rows := columns[0].Len()
	drop = columns[0].Null
	for i, c := range columns {
		for row, null := range c.Null {
			switch {
			case !null || t.kept(i):
			case !t.dropNulls:
				what := "null id"
				if i >= t.ends {
					what = "null"
				}
				return nil, faults.Advise(faults.Rejected("%s: column %q: %s at row %d", place, t.columns[i].name, what, first+int64(row)), dropNulls)
			case len(drop) == 0:
				drop = c.Null
			default:
				drop[row] = true
			}
		}
	}
	if len(drop) == 0 {
		return nil, nil
	}
	kept := 0
	for _, c := range columns {
		kept = c.Keep(drop)
	}
	t.out.dropped(int64(rows - kept))
	return drop, nil
}
