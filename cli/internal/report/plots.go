package report

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Plot is one picture of the report.
type Plot struct {
	Name    string // of its file, without an ending
	Title   string
	Caption string // what to read from it
	draw    *plot.Plot
	height  vg.Length
}

const width = 7 * vg.Inch

var accent = color.RGBA{R: 0x2b, G: 0x6c, B: 0xb0, A: 0xff}

// SVG is the picture as an element of a page.
func (p Plot) SVG() (string, error) {
	canvas := vgsvg.New(width, p.height)
	p.draw.Draw(margins(canvas))
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return "", err
	}
	_, svg, found := strings.Cut(text.String(), "<svg")
	if !found {
		return "", fmt.Errorf("report: %s: no picture", p.Name)
	}
	// Arial and its like have the widths that the labels were placed by.
	svg = strings.ReplaceAll(svg, "font-family:Liberation Sans", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif")
	return `<svg role="img" aria-label="` + p.Title + `"` + svg, nil
}

// PNG writes the picture at twice the resolution of a screen.
func (p Plot) PNG(w io.Writer) error {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, p.height), vgimg.UseDPI(192))}
	p.draw.Draw(margins(canvas))
	_, err := canvas.WriteTo(w)
	return err
}

// margins leave room for labels that are wider in the reader's font.
func margins(canvas vg.CanvasSizer) draw.Canvas {
	return draw.Crop(draw.New(canvas), 12, -12, 4, -8)
}

// newPlot has axes in the page's style. What y counts stands on top: on a
// logarithmic axis, the library leaves far too much room for a label beside it.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.X.Label.Text, p.Title.Text = x, y
	p.Title.TextStyle.Font.Variant, p.Title.TextStyle.Font.Size, p.Title.Padding = "Sans", 11, 8
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Tick.Marker = plot.TickerFunc(plain)
		axis.Label.TextStyle.Font.Variant, axis.Tick.Label.Font.Variant = "Sans", "Sans"
		axis.Label.TextStyle.Font.Size, axis.Tick.Label.Font.Size = 11, 10
		axis.Label.Padding = 4
	}
	return p
}

// grid draws lines behind what is drawn later.
func grid(p *plot.Plot) {
	lines := plotter.NewGrid()
	lines.Horizontal.Color, lines.Vertical.Color = color.Gray{0xe2}, color.Gray{0xe2}
	p.Add(lines)
}

// logarithmic makes an axis over values above 0.
func logarithmic(axis *plot.Axis, lowest, highest float64) {
	axis.Scale, axis.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
	axis.Min, axis.Max = lowest/1.2, highest*1.2
}

// plain labels ticks without the zeros behind a point that the library adds.
func plain(lowest, highest float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(lowest, highest)
	for i, tick := range ticks {
		if tick.Label != "" {
			ticks[i].Label = fmt.Sprintf("%.4g", tick.Value)
			if tick.Value == math.Trunc(tick.Value) && math.Abs(tick.Value) < 1e9 {
				ticks[i].Label = fmt.Sprintf("%.0f", tick.Value)
			}
		}
	}
	return ticks
}

// decades marks the powers of ten between min and max, about eight with a
// label; between powers that are close it marks 2 to 9 too.
func decades(lowest, highest float64) []plot.Tick {
	first, last := int(math.Floor(math.Log10(lowest))), int(math.Ceil(math.Log10(highest)))
	every := (last-first)/8 + 1
	var ticks []plot.Tick
	for power := first; power <= last; power++ {
		base := math.Pow10(power)
		label := ""
		if power%every == 0 {
			label = fmt.Sprintf("%g", base)
			if power > 5 || power < -4 {
				label = fmt.Sprintf("1e%d", power)
			}
		}
		ticks = append(ticks, plot.Tick{Value: base, Label: label})
		if last-first > 4 {
			continue
		}
		for digit := 2.0; digit < 10; digit++ {
			tick := plot.Tick{Value: digit * base}
			if last-first <= 1 {
				tick.Label = fmt.Sprintf("%g", tick.Value)
			}
			ticks = append(ticks, tick)
		}
	}
	return slices.DeleteFunc(ticks, func(t plot.Tick) bool { return t.Value < lowest || t.Value > highest })
}

// distribution shows how many vertices reach a score; nil without any above 0.
func distribution(scores []float64) (*Plot, error) {
	positive := slices.DeleteFunc(slices.Clone(scores), func(s float64) bool { return s <= 0 })
	if len(positive) == 0 {
		return nil, nil
	}
	slices.Sort(positive)
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
	p := newPlot("betweenness centrality", "share of vertices with this score or more")
	logarithmic(&p.X, positive[0], positive[len(positive)-1])
	logarithmic(&p.Y, 1/n, 1)
	grid(p)
	if err := scatter(p, points); err != nil {
		return nil, err
	}
	caption := fmt.Sprintf("Both axes are logarithmic: a straight line is a power law. %d of %d vertices (%.3g %%) have score 0 and are not shown.",
		len(scores)-len(positive), len(scores), 100*float64(len(scores)-len(positive))/n)
	return &Plot{"distribution", "Score distribution", caption, p, 3.6 * vg.Inch}, nil
}

// degree shows degree against score; nil without any above 0.
func degree(degrees []int64, scores []float64) (*Plot, error) {
	least, most := math.Inf(1), 0.0
	lowest, highest := math.Inf(1), 0.0
	for v, score := range scores {
		if score > 0 {
			least, most = min(least, float64(degrees[v])), max(most, float64(degrees[v]))
			lowest, highest = min(lowest, score), max(highest, score)
		}
	}
	if highest == 0 {
		return nil, nil
	}
	var points plotter.XYs
	cells := newCells(least, most, lowest, highest)
	for v, score := range scores {
		if point := (plotter.XY{X: float64(degrees[v]), Y: score}); score > 0 && cells.first(point) {
			points = append(points, point)
		}
	}
	p := newPlot("degree", "betweenness centrality")
	logarithmic(&p.X, least, most)
	logarithmic(&p.Y, lowest, highest)
	grid(p)
	if err := scatter(p, points); err != nil {
		return nil, err
	}
	caption := "High on the left are bridges: few neighbours, many shortest paths. Points that would cover each other are drawn once."
	return &Plot{"degree", "Degree against betweenness", caption, p, 4 * vg.Inch}, nil
}

func scatter(p *plot.Plot, points plotter.XYs) error {
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: color.NRGBA{accent.R, accent.G, accent.B, 0xa0}, Radius: 2, Shape: draw.CircleGlyph{}}
	p.Add(dots)
	return nil
}

// cells keep a picture of millions of points small: one point for each cell of
// a logarithmic grid as fine as the picture's dots.
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

// bars are horizontal, the first on top, each with its value beside it.
func bars(axis string, names []string, values []float64, format func(float64) string) (*plot.Plot, error) {
	slices.Reverse(names)
	slices.Reverse(values)
	for i := range names {
		names[i] += "  " // the reader's font may be wider
	}
	p := newPlot(axis, "")
	chart, err := plotter.NewBarChart(plotter.Values(values), 15)
	if err != nil {
		return nil, err
	}
	chart.Horizontal, chart.Color, chart.LineStyle.Width = true, accent, 0
	labels := plotter.XYLabels{XYs: make(plotter.XYs, len(values)), Labels: make([]string, len(values))}
	for i, value := range values {
		labels.XYs[i] = plotter.XY{X: value, Y: float64(i)}
		labels.Labels[i] = format(value)
	}
	texts, err := plotter.NewLabels(labels)
	if err != nil {
		return nil, err
	}
	for i := range texts.TextStyle {
		texts.TextStyle[i].Font.Variant, texts.TextStyle[i].Font.Size = "Sans", 10
		texts.TextStyle[i].YAlign = draw.YCenter
	}
	texts.Offset.X = 4
	p.Add(chart, texts)
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = p.Y.Min-0.4, p.Y.Max+0.4
	p.X.Min, p.X.Max = 0, max(slices.Max(values)*1.15, 1e-9)
	return p, nil
}

// barsHeight leaves the axis and every bar its room.
func barsHeight(count int) vg.Length { return vg.Length(count)*24 + 60 }
