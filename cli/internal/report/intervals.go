package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bcstage/pipeline"
)

// interval returns the columns of the intervals of an estimate; nil for exact scores.
func (d Data) interval() (lower, upper []float64) {
	if d.Metadata.Value("estimate") == "" {
		return nil, nil
	}
	for _, c := range d.Columns {
		switch c.Name {
		case pipeline.LowerColumn:
			lower = c.Values
		case pipeline.UpperColumn:
			upper = c.Values
		}
	}
	if lower == nil || upper == nil {
		return nil, nil
	}
	return lower, upper
}

// bound reports whether a column is about intervals or changes, not a measure.
func (c Column) bound() bool {
	return slices.Contains(pipeline.EstimateColumns(true), c.Name)
}

// Claim says how accurate the scores are.
func (d Data) Claim() string {
	if lower, _ := d.interval(); lower == nil {
		return "Exact " + measure(d.Score().Name) + " of every " + d.one() + "."
	}
	claim := "Estimated " + measure(d.Score().Name) + ": every score lies between lower and upper"
	if eps, err := strconv.ParseFloat(d.Metadata.Value("eps"), 64); err == nil {
		claim += fmt.Sprintf(", at most %.2g of all pairs away", eps)
	}
	if confidence := d.Metadata.Value("confidence"); confidence != "" {
		claim += ", with probability " + confidence + " for all of them at once"
	}
	return claim + "."
}

// intervals shows the intervals of the highest scores; nil if they are exact.
func (d Data) intervals() (*Plot, error) {
	lower, upper := d.interval()
	if lower == nil || len(d.Top) == 0 {
		return nil, nil
	}
	p := newPlot(measure(d.Score().Name), "")
	grid(p)
	names := make([]string, len(d.Top))
	most := 0.0
	named := &marks{bare: true}
	for place, v := range d.Top {
		at := float64(len(d.Top) - 1 - place)
		line, err := plotter.NewLine(plotter.XYs{{X: lower[v.Row], Y: at}, {X: upper[v.Row], Y: at}})
		if err != nil {
			return nil, err
		}
		line.LineStyle = draw.LineStyle{Color: palette[0], Width: 3}
		p.Add(line)
		name := strings.Join(v.ID, " ")
		names[len(names)-1-place] = shortened(name) + "  " // the reader's font may be wider
		most = max(most, upper[v.Row])
		named.add(plotter.XY{X: d.Score().Values[v.Row], Y: at}, name, d.title(v))
	}
	p.Add(named)
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = p.Y.Min-0.4, p.Y.Max+0.4
	p.X.Min, p.X.Max = 0, max(most*1.05, 1e-9)
	caption := "Lines run from lower to upper, dots are estimates. If two lines do not overlap, the order of their vertices is right with the probability above."
	return &Plot{"intervals", "Intervals of the highest scores", caption, p, vg.Length(len(names))*15 + 48, named}, nil
}

// title is the tooltip of a listed vertex.
func (d Data) title(v Vertex) string {
	text := fmt.Sprintf("%s\nrank %d", strings.Join(v.ID, " "), v.Rank)
	for _, column := range d.Columns {
		text += fmt.Sprintf("\n%s %s", measure(column.Name), column.Text(v.Row))
	}
	for _, kept := range d.Shown() {
		text += fmt.Sprintf("\n%s %s", kept.Name, kept.Text(v.Row))
	}
	return text
}
