// Package report draws the results and the cost of a run: one page without references to anything
// outside it, or its pictures one by one.
package report

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/cli/internal/figures"
	"bcstage/internal/expression"
	"bcstage/internal/measures"
)

// Data is the content of a report.
type Data struct {
	Title    string
	OfEdges  bool            // a vertex below is an edge
	Names    []string        // columns that name a vertex
	Columns  []Column        // of each vertex; the first is the score
	Kept     []Kept          // of each vertex: other columns
	Ends     *Ends           // of each edge; nil: unknown, or the rows are vertices
	Top      []Vertex        // best first
	Graphs   *Graphs         // nil: there is one
	Metadata tables.Metadata // of the scores
	Stats    *Stats          // nil: unknown
	Version  string          // of the program
}

// DegreeColumn counts the neighbours of a vertex.
const DegreeColumn = "degree"

// Column is a column of numbers, one for each vertex.
type Column struct {
	Name   string
	Values []float64
	Whole  bool // all of them are integers

	decimals int // to show
}

// Kept is a column of other data about each vertex, as text; "": nothing.
type Kept struct {
	Name string
	Text func(row int) string
}

// Ends are the vertices that edges join: rows of another table.
type Ends struct {
	Rows  [2][]int // of each edge; -1: missing
	Kept  []Kept   // of each vertex
	Count int      // of vertices
}

// Vertex is a row of the table.
type Vertex struct {
	Row  int      // in the columns
	Rank int      // in its graph, from 1; equal scores share one
	ID   []string // by column of Data.Names
}

// Graphs is the table of several graphs.
type Graphs struct {
	Count   int
	Names   []string // columns that name a graph
	Largest []Graph  // most vertices first
}

// Graph is a row of Graphs.
type Graph struct {
	Name     []string // by column of Graphs.Names
	Vertices int
	Highest  string // vertex of the highest score
	Score    float64
}

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// blankInNumber matches the blank between thousands; a line must not break there.
var blankInNumber = expression.Lazy(`(\d) (\d)`)

// picture is a plot in the page.
type picture struct {
	Plot
	SVG template.HTML
}

// Write writes the page.
func Write(w io.Writer, d Data) error {
	d = d.withDecimals()
	page := struct {
		Data
		Style          template.CSS
		Script         template.JS
		Results, Costs []picture
		JSON           string
	}{Data: d, Style: template.CSS(pageStyle), Script: template.JS(pageScript)}
	var err error
	if page.Results, err = pictures(d.results()); err != nil {
		return err
	}
	if d.Stats != nil {
		if page.Costs, err = pictures(d.costs()); err != nil {
			return err
		}
		text, err := json.MarshalIndent(d.Stats, "", "  ")
		if err != nil {
			return fmt.Errorf("report: statistics: %w", err)
		}
		page.JSON = string(text)
	}
	t, err := template.New("page").Funcs(template.FuncMap{
		"percent": func(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) },
		"grouped": func(n int) string { return figures.Grouped(int64(n)) },
		"exact":   exact,
		"score":   func(x float64) string { return figures.GroupedFloat(x, figures.Decimals(x)) },
		"measure": measure,
		"id":      breakable,
		"words":   strings.Fields,
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return t.Execute(w, page)
}

// breakable lets text break after its punctuation, so that no word is broken.
func breakable(text string) template.HTML {
	var out strings.Builder
	for rest := text; rest != ""; {
		at := strings.IndexAny(rest, "/._:;,@=&?-") + 1
		if at == 0 {
			at = len(rest)
		}
		out.WriteString(template.HTMLEscapeString(rest[:at]))
		if rest = rest[at:]; rest != "" {
			out.WriteString("<wbr>")
		}
	}
	return template.HTML(out.String())
}

// withDecimals sets the decimals of its columns for their listed values.
func (d Data) withDecimals() Data {
	d.Columns = slices.Clone(d.Columns)
	for i, c := range d.Columns {
		highest := 0.0
		for _, v := range d.Top {
			highest = max(highest, c.Values[v.Row])
		}
		if !c.Whole {
			d.Columns[i].decimals = figures.Decimals(highest)
		}
	}
	return d
}

func pictures(plots []Plot, err error) ([]picture, error) {
	var list []picture
	for _, p := range plots {
		svg, err := p.SVG()
		if err != nil {
			return nil, err
		}
		p.Caption = blankInNumber().ReplaceAllString(p.Caption, "$1\u00a0$2")
		list = append(list, picture{p, template.HTML(svg)})
	}
	return list, err
}

// Plots returns the pictures that the data suffice for, each with a unique valid file name,
// whatever the names of columns.
func Plots(d Data) ([]Plot, error) {
	d = d.withDecimals()
	plots, err := d.results()
	if err == nil && d.Stats != nil {
		var costs []Plot
		costs, err = d.costs()
		plots = append(plots, costs...)
	}
	fileNames(plots)
	return plots, err
}

// results shows the distribution of the scores, and every column that may be a measure against
// them.
func (d Data) results() ([]Plot, error) {
	draws := []func() (*Plot, error){d.drawMap, d.intervals, d.distribution}
	for _, c := range d.Columns[1:] {
		if !c.bound() && (!c.Whole || c.measured()) {
			draws = append(draws, func() (*Plot, error) { return d.against(c) })
		}
	}
	return drawn(draws)
}

// costs shows the cost of the run.
func (d Data) costs() ([]Plot, error) {
	var draws []func() (*Plot, error)
	for _, draw := range []func(*Stats) (*Plot, error){reductions, stages, engines, timeline} {
		draws = append(draws, func() (*Plot, error) { return draw(d.Stats) })
	}
	return drawn(draws)
}

func drawn(draws []func() (*Plot, error)) ([]Plot, error) {
	var plots []Plot
	for _, draw := range draws {
		p, err := draw()
		if err != nil {
			return nil, err
		}
		if p != nil {
			plots = append(plots, *p)
		}
	}
	return plots, nil
}

// Listed returns the columns of the table, without ranks that equal the table's own.
func (d Data) Listed() []Column {
	return slices.DeleteFunc(slices.Clone(d.Columns), func(c Column) bool {
		if c.Name != measures.Rank {
			return false
		}
		for _, v := range d.Top {
			if c.Values[v.Row] != float64(v.Rank) {
				return false
			}
		}
		return true
	})
}

// Shown returns the kept columns of the table: geometries are on the map.
func (d Data) Shown() []Kept {
	return slices.DeleteFunc(slices.Clone(d.Kept), func(k Kept) bool {
		return slices.ContainsFunc(d.Top, func(v Vertex) bool {
			shape, ok := geometry(k.Text(v.Row))
			return ok && len(shape) > 0
		})
	})
}

// Wide reports whether the table needs the width of the page.
func (d Data) Wide() bool {
	return len(d.Names) > 1 || len(d.Names)+len(d.Shown())+len(d.Listed()) > 4
}

// one and all name the things with scores.
func (d Data) one() string {
	if d.OfEdges {
		return "edge"
	}
	return "vertex"
}

func (d Data) all() string {
	if d.OfEdges {
		return "edges"
	}
	return "vertices"
}

// Score is the column that vertices are ranked by.
func (d Data) Score() Column { return d.Columns[0] }

// Short is the score's name for a title.
func (d Data) Short() string { return strings.TrimSuffix(measure(d.Score().Name), " centrality") }

// HasDegrees reports whether a column has degrees, also in or out.
func (d Data) HasDegrees() bool {
	return slices.ContainsFunc(d.Columns, func(c Column) bool { return c.measures(measures.Degree) })
}

// measures reports whether the column is a measure, or in a directed graph the measure in one
// direction.
func (c Column) measures(name string) bool {
	return slices.ContainsFunc(measures.All(), func(m measures.Measure) bool {
		return m.Column == c.Name && cmp.Or(m.Of, m.Name) == name
	})
}

// measured reports whether whole numbers are quantities, not numbers of components or places.
func (c Column) measured() bool {
	return c.measures(measures.Degree) || c.measures(measures.Farness) || c.measures(measures.Eccentricity)
}

// Share is a score as a share of the highest, 0..1.
func (d Data) Share(row int) float64 {
	if highest := d.Score().Values[d.Top[0].Row]; highest > 0 {
		return d.Score().Values[row] / highest
	}
	return 0
}

// Text is a value for people; the values of a column have their points below each other.
func (c Column) Text(row int) string { return figures.GroupedFloat(c.Values[row], c.decimals) }

// Exact is a value for computations.
func (c Column) Exact(row int) string { return exact(c.Values[row]) }

func exact(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
