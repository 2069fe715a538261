package pipeline

import (
	"fmt"
	"slices"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
)

// kept holds the columns of the vertex table that go to the output, a row for each of the first
// vertices. A vertex table comes before the edges, so its vertices have the numbers 0, 1, ... Those of a prepared graph have
// any.
type kept struct {
	values  []tables.KeptValues
	repeats int // rows of a vertex that an earlier row names
	again   int // the first of these, among all rows
	rows    int // added so far

	row []uint32 // by vertex of a prepared graph; nil: of vertex v it is v

	of  []tables.GroupColumn // names and types of the columns
	geo tables.Geo           // the columns that are geometries
}

// add adds the rows of a batch that the builder has numbered; before is the builder's number of
// vertices before it.
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

// append adds rows, without those to skip; nil: none.
func (k *kept) append(columns []tables.KeptValues, rows int, skip []bool) {
	k.rows += rows
	if k.values == nil {
		k.values = make([]tables.KeptValues, len(columns))
	}
	for i, values := range columns {
		k.values[i].Append(values, skip)
	}
}

// held is the memory of the columns for so many vertices.
func (k *kept) held(vertices int) int64 { return k.heldWith(vertices, nil) }

// heldWith is held after the rows of a batch have been added.
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

// output returns the first columns, those of the output.
func (k *kept) output(most int) []tables.KeptColumn {
	columns := k.columns()
	columns = columns[:min(most, len(columns))]
	if k.row != nil {
		for i := range columns {
			columns[i].KeptValues = columns[i].Pick(k.row)
		}
	}
	return columns
}

// columns returns all columns.
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

// note counts the rows that are not used.
func (k *kept) note() []string {
	if k.repeats == 0 {
		return nil
	}
	return []string{fmt.Sprintf("repeated vertices in the vertex table: %d; Options.Input.Files.Keep takes their first rows", k.repeats)}
}
