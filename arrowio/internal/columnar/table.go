// Package columnar makes batches from Arrow's columns: records of streams, files and Go
// callers, and, for Parquet, columns that were decoded elsewhere.
//
// Flow: NewTable chooses columns by name and type; a Promoter copies rows of arrays, checked
// against their buffers, into columns of ids; Table.Send applies the null policy and sends.
//
// Units: a batch has BatchRows rows, fewer where they are long.
//
// Ownership: a batch owns the columns that Send takes; its Release gives them back to the
// table. Records stay their owner's.
//
// Complexity: linear in the rows that are read; memory O(batches in flight).
package columnar

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/keeping"
	"bcstage/arrowio/internal/lengths"
	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
)

// BatchRows is the number of rows of a columnar input in one batch; batchBytes is about
// its largest size in bytes, which long rows reach first.
const (
	BatchRows  = ids.BatchRows
	batchBytes = 8 << 20
)

// RowsOf is the number of rows of a batch, if `rows` rows have `bytes` bytes.
func RowsOf(rows, bytes int64) int64 {
	if bytes <= 0 || rows <= 0 {
		return BatchRows
	}
	return min(max(int64(float64(rows)/float64(bytes)*batchBytes), 1), BatchRows)
}

// Table sends the batches of one columnar input. It has its columns' names and types, the
// null policy and the memory that its batches share.
type Table struct {
	out       *edgetable.Funnel
	Columns   []Column
	ends      int            // the first columns are ids: source and destination, or those of a vertex table
	by        []int          // by column of Options.By: its column in the input; -1: the path has the value
	side      int            // column with the side of a vertex; 0: none
	Weight    int            // column with the length of an edge; 0: none
	keep      int            // first of the kept columns, which come last; 0: none
	ways      arrow.DataType // type of the last of these, if it says which way edges run; nil: none does
	length    lengths.Type
	dropNulls bool

	Directions int   // position in the schema of Gephi's column of directions; -1: none
	Rows       int64 // of a batch, where a reader makes larger ones than BatchRows
	Budget     *budget.Budget
}

// Column is a column that is read.
type Column struct {
	Name     string
	Position int             // in the schema
	types    *idtypes.Merged // gets its type; nil: none
	signed   bool
	sign     bool // its values decide the output's type
	spell    bool // ids that become text
	typ      tables.IDType
	Convert  func(tables.KeptValues) (tables.KeptValues, error) // of a kept column, to its type's storage; nil: it is stored so
	Free     sync.Pool                                          // *ids.Column
}

// NewTable chooses the columns to read among the names and gives the funnel their types.
func NewTable(out *edgetable.Funnel, names []string, typeOf func(i int) (arrow.DataType, error), lengthOf func(i int) (lengths.Type, error)) (*Table, error) {
	opts, vertices := out.Opts, out.Vertices
	t := &Table{out: out, dropNulls: opts.Nulls == tables.NullsDrop, Budget: opts.Budget}
	var positions []int
	if vertices {
		i, err := opts.VertexColumn(names)
		if err != nil {
			return nil, err
		}
		positions = []int{i}
	} else {
		src, dst, err := opts.ChooseColumns(names)
		if err != nil {
			return nil, err
		}
		positions = []int{src, dst}
	}
	t.ends, t.Directions = len(positions), -1
	by, err := out.FindGroups(names)
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
		i, err := edgetable.OneColumn(names, tables.SideColumn)
		if err != nil {
			return nil, err
		}
		t.side = len(positions)
		positions = append(positions, i)
	}
	if !vertices && opts.Weight != "" {
		i, err := edgetable.OneColumn(names, opts.Weight)
		if err != nil {
			return nil, err
		}
		if slices.Contains(positions, i) {
			return nil, faults.Usage("column %q holds ids or names graphs; it cannot also hold lengths", names[i])
		}
		t.Weight = len(positions)
		positions = append(positions, i)
	}
	beside := opts.Beside(vertices)
	if len(beside) > 0 {
		t.keep = len(positions)
		taken := positions[:t.keep]
		if t.Weight > 0 { // lengths may be kept, too
			taken = positions[:t.Weight]
		}
		for _, name := range beside {
			i, err := opts.KeptField(name, names, taken)
			if err != nil {
				return nil, err
			}
			positions = append(positions, i)
		}
	}
	if !vertices {
		out.Leaves(names, positions, func(i int) bool {
			length, err := lengthOf(i)
			return err == nil && length.Kind != lengths.Text
		})
		t.Directions = edgetable.DirectionColumn(names, positions)
	}
	types := make([]arrow.DataType, len(positions))
	t.Columns = make([]Column, len(positions))
	for i, position := range positions {
		t.Columns[i].Name, t.Columns[i].Position = names[position], position
		if t.Weight > 0 && i == t.Weight {
			t.length, err = lengthOf(position)
		} else {
			types[i], err = typeOf(position)
		}
		if err == nil && opts.Numbers {
			_, err = lengthOf(position)
		}
		if err == nil && t.Kept(i) {
			types[i], err = keeping.TypeOf(types[i])
		}
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", names[position], err)
		}
	}
	if t.keep > 0 {
		if err := out.Keeps(beside, types[t.keep:]); err != nil {
			return nil, err
		}
		if !vertices && opts.OneWay != "" {
			t.ways = types[len(types)-1]
		}
	}
	return t, t.addTypes(opts, types)
}

// Kept says whether a column is to be kept.
func (t *Table) Kept(i int) bool { return t.keep > 0 && i >= t.keep }

// addTypes gives the funnel the types of the columns.
func (t *Table) addTypes(opts *edgetable.Options, types []arrow.DataType) error {
	unlike := opts.Bipartite && t.ends == 2 && idtypes.KindWithin(types[0]) != idtypes.KindWithin(types[1])
	if unlike {
		t.out.Note("columns %q and %q have types %s and %s: all ids are read as strings", t.Columns[0].Name, t.Columns[1].Name, types[0], types[1])
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		typ := types[i]
		if t.Weight > 0 && i == t.Weight || t.Kept(i) || opts.Numbers {
			continue
		}
		c.typ = idtypes.Of(typ)
		switch by := slices.Index(t.by, i); {
		case t.side > 0 && i == t.side:
			if c.typ.IsInteger() {
				return faults.Rejected("column %q: type %s; want %q or %q", c.Name, typ, tables.SideSrc, tables.SideDst)
			}
			continue
		case by >= 0:
			c.types = &t.out.By[by].Types
		default:
			c.types = &t.out.IDs
			c.spell = unlike && idtypes.KindWithin(typ) != idtypes.Strings
		}
		_, value := idtypes.Parts(idtypes.Arrow(c.typ))
		if i < t.ends && opts.IDs == tables.IDsInt && idtypes.Kind(value) != idtypes.Integers {
			return faults.Advise(faults.Rejected("column %q: ids of type %s, not integers", c.Name, typ), `Options.IDs "auto" takes them as they are`)
		}
		c.spell = c.spell || c.types.Decimals(typ)
		c.signed = arrow.IsSignedInteger(value.ID())
		c.sign = !c.spell && (c.signed || value.ID() == arrow.UINT64)
		if c.spell {
			typ = arrow.BinaryTypes.String
		}
		if err := c.types.Add(t.out.Input, typ); err != nil {
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
	}
	return nil
}

// Positions lists the columns' positions in the schema.
func (t *Table) Positions() []int {
	var list []int
	for i := range t.Columns {
		list = append(list, t.Columns[i].Position)
	}
	return list
}

// mostSpare is the largest memory of a column that is reused for another batch: twice that
// of integers. The garbage collector takes larger ones.
func (t *Table) mostSpare() int64 { return 16 * max(t.Rows, BatchRows) }

// Column is an empty column, charged to the account, with the memory of a released batch.
func (t *Table) Column(i int, account *budget.Account) (*ids.Column, error) {
	c, ok := t.Columns[i].Free.Get().(*ids.Column)
	if !ok {
		c = new(ids.Column)
	}
	c.Charge = account.Charge()
	return c, c.Charge.Take(c.Held())
}

// spare keeps the memory of a released column for the next batch.
func (t *Table) spare(i int, c *ids.Column) {
	if c.Held() > t.mostSpare() {
		c.Charge.Drop()
		return
	}
	c.Charge.Clear()
	t.Columns[i].Free.Put(c)
}

// Send applies the null policy to equally long columns and sends them as one batch, which
// owns them from then on, also after an error. Errors name place, column and row, counted
// from first.
func (t *Table) Send(ctx context.Context, place string, first int64, columns ...*ids.Column) error {
	var batch tables.Batch
	batch.OnRelease(func() {
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
	return t.out.Send(ctx, batch)
}

// fill makes a batch from columns.
func (t *Table) fill(batch *tables.Batch, place string, first int64, columns []*ids.Column) error {
	if t.Weight > 0 {
		var row int
		var err error
		if batch.Weights, row, err = t.length.Weights(columns[t.Weight]); err != nil {
			return fmt.Errorf("%s: column %q: row %d: %w", place, t.Columns[t.Weight].Name, first+int64(row), err)
		}
	}
	drop, err := t.applyNulls(place, first, columns)
	if err != nil {
		return err
	}
	if len(drop) > 0 && t.Weight > 0 {
		lengths.Keep(&batch.Weights, drop)
	}
	keys := make([]ids.Keys, len(columns))
	for i, c := range columns {
		if t.Columns[i].spell && t.Columns[i].typ.IsInteger() {
			c.Decimal(t.Columns[i].signed)
		}
		if keys[i] = c.Keys(); t.Columns[i].spell && !t.Columns[i].typ.IsInteger() {
			if err := c.Charge.Take(3 * int64(len(c.Bytes))); err != nil { // for escapes of unprintable bytes
				return err
			}
			keys[i] = idtypes.Spelt(t.Columns[i].typ, keys[i])
		}
		if !t.Columns[i].sign {
			continue
		}
		if err := t.out.Integers(t.Columns[i].types, t.Columns[i].Name, c.Ints, t.Columns[i].signed); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
	}
	if t.ends == 1 {
		batch.Vertices = keys[0]
	} else {
		batch.Src, batch.Dst = keys[0], keys[1]
	}
	for _, i := range t.by {
		column := ids.Keys{}
		if i >= 0 {
			column = keys[i]
		}
		batch.By = append(batch.By, column)
	}
	for i := range columns {
		if t.Kept(i) {
			null := columns[i].Null
			if len(drop) > 0 && len(null) > 0 {
				null = slices.Clone(null)[:0]
				for row, dropped := range drop {
					if !dropped {
						null = append(null, columns[i].Null[row])
					}
				}
			}
			kept := tables.KeptValues{Keys: keys[i], Null: null}
			if convert := t.Columns[i].Convert; convert != nil {
				if kept, err = convert(kept); err != nil {
					return fmt.Errorf("%s: column %q: %w", place, t.Columns[i].Name, err)
				}
			}
			batch.Kept = append(batch.Kept, kept)
		}
	}
	if last := len(batch.Kept) - 1; t.ways != nil {
		var row int
		if batch.Ways, row, err = edgetable.WaysOf(batch.Kept[last], t.ways); err != nil {
			return fmt.Errorf("%s: column %q: row %d: %w", place, t.Columns[len(t.Columns)-1].Name, first+int64(row), err)
		}
		batch.Kept = batch.Kept[:last]
	}
	if t.side > 0 {
		if batch.Side, err = edgetable.SidesOf(keys[t.side]); err != nil {
			return fmt.Errorf("%s: column %q: %w", place, tables.SideColumn, err)
		}
	}
	return nil
}

// applyNulls refuses or drops the rows with a null in any column, and returns the dropped
// ones.
func (t *Table) applyNulls(place string, first int64, columns []*ids.Column) (drop []bool, err error) {
	rows := columns[0].Len()
	drop = columns[0].Null
	for i, c := range columns {
		for row, null := range c.Null {
			switch {
			case !null || t.Kept(i):
			case !t.dropNulls:
				what := "null id"
				if i >= t.ends {
					what = "null"
				}
				return nil, t.out.Opts.AdviseNulls(faults.Rejected("%s: column %q: %s at row %d", place, t.Columns[i].Name, what, first+int64(row)))
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
	t.out.Dropped(int64(rows - kept))
	return drop, nil
}
