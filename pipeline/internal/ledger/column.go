package ledger

import (
	"cmp"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/wholes"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// column is the ledger's state of one measure: exact sums, and the values that the reductions give.
type column struct {
	measures.Measure
	base wholes.Forms // closed forms, by vertex of the graph, or by edge
	sums *sums
}

// newColumns returns the columns of a question, for n vertices and m edges, without closed forms.
func newColumns(q question.Question, n int, m int64) (list []column) {
	for _, measure := range q.Sums() {
		c := column{Measure: measure, sums: newSumsOf(n, fractionOf(measure, q, n))}
		if q.Parts() || q.EndsInPart() {
			c.base.Fraction = q.Fraction(n)
		}
		if c.Per == measures.PerEdge {
			c.sums.words = make([]word, m)
		}
		list = append(list, c)
	}
	return list
}

// fractionOf is the number of fraction bits of a measure's sums. By lengths, farness has no limit in the number of
// vertices, but is a whole number below 2^96, and eccentricity is one below 2^64. Inverse distances, which may be
// small, are at most 1. Flows are at most the product of the sums of origins and destinations.
func fractionOf(m measures.Measure, q question.Question, n int) int {
	switch m.Search {
	case measures.Paths:
		return q.Fraction(n)
	case measures.Reached:
		return accessFraction(m, q, n)
	}
	if q.Lengths.Column == "" {
		return wholes.Fraction(n)
	}
	switch cmp.Or(m.Of, m.Name) {
	case measures.Farness, measures.Eccentricity:
		return 0
	case measures.Harmonic:
		return 128 - bits.Len(uint(n)) - 1
	}
	return wholes.Fraction(n)
}

// columnsOf returns the columns of a plan without results, in the room if there is some.
func columnsOf(plan *preprocess.Plan, room *Room) []column {
	if room == nil {
		room = &Room{columns: newColumns(plan.Question, plan.Vertices, plan.Edges)}
	}
	list := room.columns
	for i := range list {
		list[i].base = plan.ClosedForm(list[i].Key())
	}
	return list
}

// defaultColumns is describe of the zero question's columns.
const defaultColumns = "betweenness:vertex:sum"

// describe names the columns, with their unit (vertex, edge or source) and their join.
func describe(columns []column) string {
	var list []string
	for _, c := range columns {
		list = append(list, strings.Join([]string{c.Key(), string(c.Per), string(c.Join)}, ":"))
	}
	return strings.Join(list, ",")
}

// suffix returns the suffix of the column's names in a table.
func (c *column) suffix() string {
	if c.Key() == measures.Betweenness {
		return ""
	}
	return ":" + c.Key()
}

// join adds the column of another part of the run.
func (c *column) join(other *column) {
	for v, w := range other.sums.words {
		switch c.Join {
		case measures.Sum:
			c.sums.words[v].plus(w)
		case measures.Max:
			c.sums.words[v] = greater(c.sums.words[v], w)
		}
	}
}

// addFound adds the results of distance searches at some vertices.
func (c *column) addFound(vertices []uint32, found []engine.Found) {
	s := c.sums
	switch cmp.Or(c.Of, c.Name) {
	case measures.Reach:
		for i, v := range vertices {
			s.addWhole(v, found[i].Reach, 0)
		}
	case measures.Farness:
		for i, v := range vertices {
			s.addWhole(v, found[i].Farness, 0)
		}
	case measures.Harmonic:
		for i, v := range vertices {
			f := &found[i]
			s.addWhole(v, f.Harmonic, engine.HarmonicBits)
			if f.HarmonicHigh != 0 {
				s.addWhole(v, f.HarmonicHigh, engine.HarmonicBits-64)
			}
			if f.Inverse != 0 {
				s.add(v, f.Inverse)
			}
		}
	case measures.Eccentricity:
		for i, v := range vertices {
			s.raise(v, found[i].Eccentricity)
		}
	}
}

// addAccess adds the masses that a source reaches.
func (c *column) addAccess(v uint32, access engine.Access) {
	switch c.Name {
	case measures.Access:
		c.sums.add(v, access.Shared)
	case measures.Within:
		c.sums.add(v, access.Mass)
	case measures.WeightedFarness:
		c.sums.add(v, access.Distance)
	case measures.WeightedHarmonic:
		c.sums.add(v, access.Inverse)
	}
}

// limbs is the number of 32-bit limbs of a sum.
const limbs = 4

// closed reports whether reductions give some of the column's values.
func (c *column) closed() bool { return c.Search == measures.Paths }

// wide reports whether the closed form needs a second column.
func (c *column) wide() bool { return c.closed() && (c.Flow || c.base.Fraction > 0) }

// laid returns the names of the columns that lay makes.
func (c *column) laid() (names []string) {
	if c.closed() {
		names = append(names, "closed_form"+c.suffix())
	}
	if c.wide() {
		names = append(names, "closed_form_high"+c.suffix())
	}
	for i := range limbs {
		names = append(names, "sum_"+strconv.Itoa(i)+c.suffix())
	}
	return names
}

// lay returns the column as columns of a table.
func (c *column) lay() (list []tables.Column) {
	names := c.laid()
	if c.closed() {
		list = append(list, tables.Column{Name: names[0], Values: tables.Ints(c.base.Low)})
		names = names[1:]
	}
	if c.wide() {
		list = append(list, tables.Column{Name: names[0], Values: tables.Ints(c.base.High)})
		names = names[1:]
	}
	for i := range limbs {
		values := make(tables.Ints, len(c.sums.words))
		for v, w := range c.sums.words {
			half := w.low
			if i >= 2 {
				half = w.high
			}
			values[v] = int64(half >> (32 * (i % 2)) & (1<<32 - 1))
		}
		list = append(list, tables.Column{Name: names[i], Values: values})
	}
	return list
}

// fill reads the columns that lay made.
func (c *column) fill(table *tables.Table) error {
	n := len(c.sums.words)
	name := "closed_form" + c.suffix()
	if c.base.Low = table.Ints(name); c.closed() && len(c.base.Low) != n {
		return fmt.Errorf("no column %q of %d rows", name, n)
	}
	if name = "closed_form_high" + c.suffix(); c.wide() {
		if c.base.High = table.Ints(name); len(c.base.High) != n {
			return fmt.Errorf("no column %q of %d rows", name, n)
		}
	}
	for i := range limbs {
		name := "sum_" + strconv.Itoa(i) + c.suffix()
		values := table.Ints(name)
		if len(values) != n {
			return fmt.Errorf("no column %q of %d rows", name, n)
		}
		for v, value := range values {
			if value < 0 {
				return fmt.Errorf("column %q: negative at row %d", name, v)
			}
			low, high := uint64(value)<<(32*(i%2)), uint64(0)
			if i%2 == 1 {
				high = uint64(value) >> 32 // added columns have carries into the next limb
			}
			if i >= 2 {
				low, high = 0, low
			}
			c.sums.words[v].plus(word{high: high, low: low})
		}
	}
	return nil
}
