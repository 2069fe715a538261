package report

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bcstage/arrowio/tables"
	"bcstage/cli/internal/figures"
)

// distribution shows the share of vertices above each score; nil without any above 0.
func (d Data) distribution() (*Plot, error) {
	scores := d.Score().Values
	positive := slices.DeleteFunc(slices.Clone(scores), func(s float64) bool { return s <= 0 })
	if len(positive) == 0 {
		return nil, nil
	}
	sort.Sort(sort.Float64Slice(positive))
	n := float64(len(scores))
	var points plotter.XYs
	cells := newCells(positive[0], positive[len(positive)-1], 1/n, 1)
	for i, score := range positive {
		if i > 0 && score == positive[i-1] {
			continue
		}
		point := plotter.XY{X: score, Y: float64(len(positive)-i) / n}
		if cells.first(point) {
			points = append(points, point)
		}
	}
	p := newPlot(measure(d.Score().Name), "share of "+d.all()+" with this score or more")
	logarithmic(&p.X, positive[0], positive[len(positive)-1])
	logarithmic(&p.Y, 1/n, 1)
	grid(p)
	if err := scatter(p, points); err != nil {
		return nil, err
	}
	caption := fmt.Sprintf("Both axes are logarithmic: a straight line is a power law. %s of %s %s (%.3g %%) have score 0 and are not shown.",
		figures.Grouped(int64(len(scores)-len(positive))), figures.Grouped(int64(len(scores))), d.all(), 100*float64(len(scores)-len(positive))/n)
	return &Plot{Name: "distribution", Title: "Score distribution", Caption: caption, draw: p, height: 2.8 * vg.Inch}, nil
}

// against shows a column against the scores, with names at the highest scores; nil without a vertex
// above 0 in both.
func (d Data) against(c Column) (*Plot, error) {
	scores := d.Score().Values
	shown := func(v int) bool { return scores[v] > 0 && c.Values[v] > 0 }
	least, most := math.Inf(1), 0.0
	lowest, highest := math.Inf(1), 0.0
	hidden := 0
	for v, score := range scores {
		if !shown(v) {
			hidden++
			continue
		}
		least, most = min(least, c.Values[v]), max(most, c.Values[v])
		lowest, highest = min(lowest, score), max(highest, score)
	}
	if highest == 0 {
		return nil, nil
	}
	var points plotter.XYs
	cells := newCells(least, most, lowest, highest)
	for v, score := range scores {
		if !shown(v) {
			continue
		}
		if point := (plotter.XY{X: c.Values[v], Y: score}); cells.first(point) {
			points = append(points, point)
		}
	}
	p := newPlot(measure(c.Name), measure(d.Score().Name))
	logarithmic(&p.X, least, most)
	logarithmic(&p.Y, lowest, highest)
	// Room for the names of the highest.
	p.X.Max = min(p.X.Max*math.Pow(most/least, 0.06), math.MaxFloat64)
	p.Y.Max = min(p.Y.Max*math.Pow(highest/lowest, 0.08), math.MaxFloat64)
	grid(p)
	if err := scatter(p, points); err != nil {
		return nil, err
	}
	named := &marks{}
	for _, v := range d.Top {
		if !shown(v.Row) {
			continue
		}
		named.add(plotter.XY{X: c.Values[v.Row], Y: scores[v.Row]}, strings.Join(v.ID, " "), d.title(v))
	}
	p.Add(named)
	caption := "Both axes are logarithmic. "
	if hidden > 0 {
		caption = fmt.Sprintf("Both axes are logarithmic; %s vertices with 0 in either are not shown. ", figures.Grouped(int64(hidden)))
	}
	if c.Name == DegreeColumn && d.Score().Name == tables.ScoreColumn {
		caption = "High on the left are bridges: few neighbours, many shortest paths. "
	}
	caption += "Overlapping points are drawn once."
	_, first := utf8.DecodeRuneInString(c.Name)
	title := strings.ToUpper(c.Name[:first]) + measure(c.Name[first:]) + " against " + d.Short()
	return &Plot{c.Name, title, caption, p, 3.3 * vg.Inch, named}, nil
}

func scatter(p *plot.Plot, points plotter.XYs) error {
	glyphs, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	glyphs.GlyphStyle = draw.GlyphStyle{Color: dots, Radius: 1.6, Shape: draw.CircleGlyph{}}
	p.Add(glyphs)
	return nil
}

// cells keeps a picture of millions of points small: one point for each cell of a logarithmic grid
// as fine as the picture's dots.
type cells struct {
	x, y, perX, perY float64
	taken            map[[2]int]bool
}

func newCells(lowX, highX, lowY, highY float64) *cells {
	per := func(count, low, high float64) float64 { return count / max(math.Log(high/low), 1e-9) }
	return &cells{lowX, lowY, per(250, lowX, highX), per(120, lowY, highY), map[[2]int]bool{}}
}

// first reports whether the point is the first of its cell.
func (c *cells) first(p plotter.XY) bool {
	cell := [2]int{int(math.Log(p.X/c.x) * c.perX), int(math.Log(p.Y/c.y) * c.perY)}
	if c.taken[cell] {
		return false
	}
	c.taken[cell] = true
	return true
}
