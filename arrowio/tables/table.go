package tables

import (
	"iter"
	"math"
	"slices"
	"strconv"
)

// Table is a table by vertex, with scores or a partial result; or, with Pairs, by
// pair of vertices.
type Table struct {
	IDs  Keys   // id of each vertex, in first-seen order
	Type IDType // of the id column

	// Columns before the ids that distinguish vertices of equal ids.
	By    []KeyColumn // columns that name the graph, a row per graph; none: there is one graph
	Graph []uint32    // number of each vertex's graph, in first-seen order; nil: there is one graph
	Side  []uint8     // of each vertex, 0: SideSrc, 1: SideDst; nil: the graph is not bipartite

	Kept []KeptColumn // of the vertex table, between the ids and Columns
	Geo  Geo          // of the geometries among them, for Parquet and Feather; see Summary.Geo

	Pairs    *Pairs   // vertices of each row; nil: a table by vertex
	Columns  []Column // the columns beside the ids, in the order of the output
	Order    []uint32 // rows to write, by vertex; nil: all in first-seen order
	Metadata Metadata // written under "bcstage:" in the schema or the file

	Threads int // that write it: 0: GOMAXPROCS; at most 1024

	// Release, unless it is nil, gives the memory of Pairs and Columns back to the
	// maker of the table: WriteParts calls it once it no longer needs a part.
	// Calling it is optional.
	Release func()
}

// Pairs has the two vertices of each row of a table, both of one graph.
type Pairs struct {
	Names [2]string // of the two columns of ids
	Ends  [2][]uint32
}

// Column is a column of a table: a name that no other column has, and a value for
// each vertex, or each row of a table by pair. No value is null.
type Column struct {
	Name   string
	Values Values
}

// Values of a column, by vertex: Floats, Ints or Bools.
type Values interface {
	Len() int
	// Check returns a vertex whose value no output may hold, and what is wrong with
	// it.
	Check() (vertex int, wrong string)
	AppendText(text []byte, vertex int) []byte
	// Word is a value's 64 bits.
	Word(vertex int) uint64
	// Numbers are the values as numbers: 1 for true, 0 for false. Those of Floats are not a copy.
	Numbers() []float64

	values() // there are no others
}

type (
	Floats []float64 // finite
	Ints   []int64
	Bools  []bool
)

// Rows is the number of rows of the table.
func (t *Table) Rows() int {
	switch {
	case t.Pairs != nil:
		return len(t.Pairs.Ends[0])
	case t.Order != nil:
		return len(t.Order)
	}
	return t.IDs.Len()
}

// Vertex is the vertex of a row; in a table by pair, the row.
func (t *Table) Vertex(row int) int {
	if t.Order != nil {
		return int(t.Order[row])
	}
	return row
}

// Floats returns the values of the float64 column with that name; nil: there is
// none.
func (t *Table) Floats(name string) []float64 {
	if i := t.Column(name); i >= 0 {
		values, _ := t.Columns[i].Values.(Floats)
		return values
	}
	return nil
}

// Ints returns the values of the int64 column with that name; nil: there is none.
func (t *Table) Ints(name string) []int64 {
	if i := t.Column(name); i >= 0 {
		values, _ := t.Columns[i].Values.(Ints)
		return values
	}
	return nil
}

// Column is the position of the first column with that name; -1: there is none.
func (t *Table) Column(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}

func (Floats) values() {}
func (Ints) values()   {}
func (Bools) values()  {}

func (f Floats) Len() int { return len(f) }
func (f Floats) Check() (vertex int, wrong string) {
	for vertex, x := range f {
		if x-x != 0 { // NaN, or infinite
			return vertex, strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	return 0, ""
}
func (f Floats) AppendText(text []byte, vertex int) []byte { return appendScore(text, f[vertex]) }
func (f Floats) Word(vertex int) uint64                    { return math.Float64bits(f[vertex]) }
func (f Floats) Numbers() []float64                        { return f }

func (i Ints) Len() int                          { return len(i) }
func (i Ints) Check() (vertex int, wrong string) { return 0, "" }
func (i Ints) AppendText(text []byte, vertex int) []byte {
	return strconv.AppendInt(text, i[vertex], 10)
}
func (i Ints) Word(vertex int) uint64 { return uint64(i[vertex]) }
func (i Ints) Numbers() []float64 {
	list := make([]float64, len(i))
	for v, x := range i {
		list[v] = float64(x)
	}
	return list
}

func (b Bools) Len() int                          { return len(b) }
func (b Bools) Check() (vertex int, wrong string) { return 0, "" }
func (b Bools) AppendText(text []byte, vertex int) []byte {
	return strconv.AppendBool(text, b[vertex])
}
func (b Bools) Word(vertex int) uint64 {
	if b[vertex] {
		return 1
	}
	return 0
}
func (b Bools) Numbers() []float64 {
	list := make([]float64, len(b))
	for v := range b {
		list[v] = float64(b.Word(v))
	}
	return list
}

// Metadata are facts about a table.
type Metadata []KeyValue

// Value is the value of a key; "": there is none.
func (m Metadata) Value(key string) string {
	for _, entry := range m {
		if entry.Key == key {
			return entry.Value
		}
	}
	return ""
}

// KeyValue is one entry of metadata; Key lacks the prefix "bcstage:".
type KeyValue struct{ Key, Value string }

// appendScore appends a score as text: the shortest text that reads back as the same
// float64. From 1e-6 up to 1e15 it has no exponent, so that people can read it.
func appendScore(text []byte, score float64) []byte {
	if size := math.Abs(score); size != 0 && (size < 1e-6 || size >= 1e15) {
		return strconv.AppendFloat(text, score, 'e', -1, 64)
	}
	return strconv.AppendFloat(text, score, 'f', -1, 64)
}

// Rows are rows of whole numbers: the ids, and a value for each other column.
type Rows struct {
	Ends   [2]string // names of two columns of ids; empty: one, of vertices
	Values []string  // names of the other columns
	Each   iter.Seq[[]int64]
}
