package report

import (
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"bcstage/cli/internal/figures"
)

// Plot is one picture of the report.
type Plot struct {
	Name    string // of its file, without an ending
	Title   string
	Caption string // how to read it
	draw    *plot.Plot
	height  vg.Length
	marks   *marks // nil: no point has a name
}

// As wide as a page's column, and narrow enough for readable labels on a telephone.
const (
	width     = 5.5 * vg.Inch
	labelSize = 9.5
	tickSize  = 8.5
)

// PNG writes the picture at two and a half times the resolution of a screen.
func (p Plot) PNG(w io.Writer) error {
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, p.height), vgimg.UseDPI(240))}
	p.draw.Draw(margins(canvas))
	_, err := canvas.WriteTo(w)
	return err
}

// margins leaves room for labels that are wider in the reader's font.
func margins(canvas vg.CanvasSizer) draw.Canvas {
	return draw.Crop(draw.New(canvas), 12, -12, 4, -8)
}

// newPlot has axes in the page's style. The label of y stands on top: on a logarithmic axis, the
// library leaves far too much room for a label beside it.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.X.Label.Text, p.Title.Text = x, y
	p.Title.TextStyle.Font.Variant, p.Title.TextStyle.Font.Size, p.Title.Padding = "Sans", labelSize, 6
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Tick.Marker = plot.TickerFunc(plain)
		axis.Label.TextStyle.Font.Variant, axis.Tick.Label.Font.Variant = "Sans", "Sans"
		axis.Label.TextStyle.Font.Size, axis.Tick.Label.Font.Size = labelSize, tickSize
		axis.Label.Padding = 4
	}
	return p
}

// grid draws lines behind later layers.
func grid(p *plot.Plot) {
	lines := plotter.NewGrid()
	lines.Horizontal.Color, lines.Vertical.Color = rule, rule
	p.Add(lines)
}

// logarithmic makes an axis over values above 0.
func logarithmic(axis *plot.Axis, lowest, highest float64) {
	axis.Scale, axis.Tick.Marker = plot.LogScale{}, plot.TickerFunc(decades)
	axis.Min, axis.Max = lowest/1.2, min(highest*1.2, math.MaxFloat64)
}

// plain labels ticks without the library's trailing zeros.
func plain(lowest, highest float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(lowest, highest)
	for i, tick := range ticks {
		if tick.Label != "" {
			ticks[i].Label = fmt.Sprintf("%.4g", tick.Value)
			if tick.Value == math.Trunc(tick.Value) && math.Abs(tick.Value) < 1e9 {
				ticks[i].Label = figures.GroupedFloat(tick.Value, 0)
			}
		}
	}
	return ticks
}

// decades marks the powers of ten between min and max, about eight with a label; between powers
// that are close it marks 2 to 9 too. A range with perhaps none of them is marked like other axes.
func decades(lowest, highest float64) []plot.Tick {
	if highest/lowest < 4 {
		return plain(lowest, highest)
	}
	first, last := int(math.Floor(math.Log10(lowest))), int(math.Ceil(math.Log10(highest)))
	every := (last-first)/8 + 1
	var ticks []plot.Tick
	for power := first; power <= last; power++ {
		base := math.Pow10(power)
		label := ""
		if power%every == 0 {
			label = fmt.Sprintf("%g", base)
			if power > 0 && power <= 5 {
				label = figures.GroupedFloat(base, 0)
			}
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
			if highest/lowest < 100 && (digit == 2 || digit == 5) {
				tick.Label = fmt.Sprintf("%.4g", tick.Value) // without the product's rounding
				if power > 0 && power <= 5 {
					tick.Label = figures.GroupedFloat(tick.Value, 0)
				}
			}
			ticks = append(ticks, tick)
		}
	}
	return slices.DeleteFunc(ticks, func(t plot.Tick) bool { return t.Value < lowest || t.Value > highest })
}

// bars are horizontal, the first on top, each with its value beside it.
func bars(axis string, names []string, values []float64, format func(float64) string) (*plot.Plot, error) {
	slices.Reverse(names)
	slices.Reverse(values)
	for i := range names {
		names[i] += "  " // the reader's font may be wider
	}
	p := newPlot(axis, "")
	chart, err := plotter.NewBarChart(plotter.Values(values), 12)
	if err != nil {
		return nil, err
	}
	chart.Horizontal, chart.Color, chart.LineStyle.Width = true, palette[0], 0
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
		texts.TextStyle[i].Font.Variant, texts.TextStyle[i].Font.Size = "Sans", tickSize
		texts.TextStyle[i].YAlign = draw.YCenter
	}
	texts.Offset.X = 4
	p.Add(chart, texts)
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = p.Y.Min-0.4, p.Y.Max+0.4
	p.X.Min, p.X.Max = 0, max(slices.Max(values)*1.2, 1e-9)
	return p, nil
}

// barsHeight leaves room for the axis and every bar.
func barsHeight(count int) vg.Length { return vg.Length(count)*19 + 48 }
