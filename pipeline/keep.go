package pipeline

import (
	"fmt"
	"slices"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
)

// kept are the columns of the vertex table that go through to the output, a row for
// each of the first vertices: a vertex table comes before the edges, so that its
// rows, each vertex once, have the numbers 0, 1, ...
type kept struct {
	values  []tables.KeptValues
	repeats int // rows of a vertex that an earlier row has named
	again   int // the first of those, of all rows
	rows    int // that have been added

	of  []tables.GroupColumn // names and types of the columns
	geo tables.Geo           // and which are geometries
}

// add takes the rows of a batch that the builder has numbered, and before which it had
// so many vertices.
func (k *kept) add(builder *building.Builder, batch tables.Batch, before int) error {
	rows, fresh := batch.Vertices.Len(), builder.Vertices()-before
	var skip []bool
	if fresh < rows {
		by := make([]building.Keys, len(batch.By))
		for i, column := range batch.By {
			by[i] = building.Keys(column)
		}
		numbers, err := builder.Number(building.Keys(batch.Vertices), batch.Side, by...)
		if err != nil {
			return err
		}
		skip = make([]bool, rows)
		next := uint32(before)
		for row, v := range numbers {
			if skip[row] = v != next; !skip[row] {
				next++
			}
		}
		if k.repeats == 0 {
			k.again = k.rows + slices.Index(skip, true)
		}
		k.repeats += rows - fresh
	}
	k.append(batch.Kept, rows, skip)
	return nil
}

// append adds so many rows, without those to skip; nil: none.
func (k *kept) append(columns []tables.KeptValues, rows int, skip []bool) {
	k.rows += rows
	if k.values == nil {
		k.values = make([]tables.KeptValues, len(columns))
	}
	for i, values := range columns {
		k.values[i].Append(values, skip)
	}
}

// held is their memory in a table of so many vertices.
func (k *kept) held(vertices int) int64 { return k.heldWith(vertices, nil) }

// heldWith is that once the rows of a batch have been added.
func (k *kept) heldWith(vertices int, rows []tables.KeptValues) (bytes int64) {
	for i := range max(len(k.values), len(rows)) {
		var column, more tables.KeptValues
		if i < len(k.values) {
			column = k.values[i]
		}
		if i < len(rows) {
			more = rows[i]
		}
		bytes += column.Held(vertices, more)
	}
	return bytes
}

// output are the columns of the output: the first so many.
func (k *kept) output(most int) []tables.KeptColumn {
	columns := k.columns()
	return columns[:min(most, len(columns))]
}

// columns are all of them.
func (k *kept) columns() (list []tables.KeptColumn) {
	for i, column := range k.of {
		c := tables.KeptColumn{Name: column.Name, Type: column.Type}
		if k.values != nil {
			c.KeptValues = k.values[i]
		}
		list = append(list, c)
	}
	return list
}

// note says which rows do not count.
func (k *kept) note() []string {
	if k.repeats == 0 {
		return nil
	}
	return []string{fmt.Sprintf("vertices that the vertex table names again, and whose first row Options.Input.Files.Keep takes: %d", k.repeats)}
}
