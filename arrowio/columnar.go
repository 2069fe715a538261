package arrowio

import (
	"context"
	"fmt"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/ids"
)

// batchRows is how many rows of a columnar input make one batch.
const batchRows = ids.BatchRows

// keysOf is a column without its nulls, for a batch.
func keysOf(c *ids.Column) Keys { return Keys{c.Ints, c.Bytes, c.Offsets} }

// edgeTable sends the batches of one columnar input: its columns' names and types,
// the null policy and the memory that its batches share.
type edgeTable struct {
	out       *sink
	names     []string // of the id columns: source and destination, or the one of a vertex table
	positions []int    // of the id columns in the schema
	checkSign []bool   // by id column: its values decide the output's type
	signed    []bool
	decimal   []bool // it is sent as decimal text
	dropNulls bool
	expansion int       // Options.MaxExpansion
	columns   sync.Pool // *ids.Column
}

// newEdgeTable chooses the id columns among the names and tells the sink their types.
func newEdgeTable(opts *Options, vertices bool, out *sink, names []string, typeOf func(i int) (arrow.DataType, error)) (*edgeTable, error) {
	t := &edgeTable{out: out, dropNulls: opts.Nulls == NullsDrop, expansion: opts.MaxExpansion}
	if vertices {
		i, err := vertexColumn(names)
		if err != nil {
			return nil, err
		}
		t.positions = []int{i}
	} else {
		src, dst, err := chooseColumns(names, columnChoice{opts.Src, opts.Dst, opts.IgnoreWeight})
		if err != nil {
			return nil, err
		}
		t.positions = []int{src, dst}
	}
	for _, i := range t.positions {
		typ, err := typeOf(i)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", names[i], err)
		}
		if err := out.column(names[i], typ); err != nil {
			return nil, err
		}
		_, value := IDType{typ}.parts()
		if opts.IDs == IDsInt && kindOf(value) != kindIntegers {
			return nil, advise(rejected("column %q: ids of type %s, not integers", names[i], typ), `Options.IDs "auto" takes them as they are`)
		}
		decimal := out.ids.decimals(typ)
		signed := arrow.IsSignedInteger(value.ID())
		t.names = append(t.names, names[i])
		t.signed = append(t.signed, signed)
		t.checkSign = append(t.checkSign, !decimal && (signed || value.ID() == arrow.UINT64))
		t.decimal = append(t.decimal, decimal)
	}
	t.columns.New = func() any { return new(ids.Column) }
	return t, nil
}

// column is an empty column with the memory of a batch that was released.
func (t *edgeTable) column() *ids.Column { return t.columns.Get().(*ids.Column) }

// send applies the null policy to equally long columns and sends them as one
// batch; they belong to the batch then, whatever happens. Errors name place,
// column and row, counted from first.
func (t *edgeTable) send(ctx context.Context, place string, first int64, columns ...*ids.Column) error {
	batch := Batch{release: func() {
		for _, c := range columns {
			t.columns.Put(c)
		}
	}}
	if err := t.applyNulls(place, first, columns); err != nil {
		batch.Release()
		return err
	}
	for i, c := range columns {
		if t.decimal[i] {
			c.Decimal(t.signed[i])
		}
		if !t.checkSign[i] {
			continue
		}
		if err := t.out.integers(t.names[i], c.Ints, t.signed[i]); err != nil {
			batch.Release()
			return fmt.Errorf("%s: %w", place, err)
		}
	}
	if len(columns) == 1 {
		batch.Vertices = keysOf(columns[0])
	} else {
		batch.Src, batch.Dst = keysOf(columns[0]), keysOf(columns[1])
	}
	return t.out.send(ctx, batch)
}

const dropNulls = `Options.Nulls "drop" leaves such rows out`

// applyNulls refuses or leaves out the rows with a null in any column.
func (t *edgeTable) applyNulls(place string, first int64, columns []*ids.Column) error {
	rows := columns[0].Len()
	drop := columns[0].Null
	for i, c := range columns {
		for row, null := range c.Null {
			switch {
			case !null:
			case !t.dropNulls:
				return advise(rejected("%s: column %q: null id at row %d", place, t.names[i], first+int64(row)), dropNulls)
			case len(drop) == 0:
				drop = c.Null
			default:
				drop[row] = true
			}
		}
	}
	if len(drop) == 0 {
		return nil
	}
	kept := 0
	for _, c := range columns {
		kept = c.Keep(drop)
	}
	t.out.dropped(int64(rows - kept))
	return nil
}
