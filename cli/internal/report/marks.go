package report

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mostLabels is the largest number of names in a picture; every mark has its name in a page's
// tooltip.
const mostLabels = 12

// longestLabel is in runes; the rest of a name is in the tooltip only.
const longestLabel = 28

// marks are points with names: each has a dot of another colour, and the first ones have their
// names beside it, as far as there is room.
type marks struct {
	points plotter.XYs
	names  []string
	titles []string   // of the tooltips, several lines
	bare   bool       // the names are elsewhere
	at     []vg.Point // places of the points in the last drawing
}

func (m *marks) add(point plotter.XY, name, title string) {
	m.points, m.names, m.titles = append(m.points, point), append(m.names, name), append(m.titles, title)
}

// Plot draws the marks, as plot.Plotter.
func (m *marks) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	m.at = m.at[:0]
	dot := draw.GlyphStyle{Color: highlight, Radius: 2, Shape: draw.CircleGlyph{}}
	var taken []vg.Rectangle
	for _, point := range m.points {
		at := vg.Point{X: x(point.X), Y: y(point.Y)}
		m.at = append(m.at, at)
		c.DrawGlyph(dot, at)
		taken = append(taken, around(at, 3, 3))
	}
	if m.bare {
		return
	}
	style := p.X.Tick.Label
	style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
	for i, at := range m.at[:min(len(m.at), mostLabels)] {
		name := shortened(m.names[i])
		wide, high := style.Width(name), style.Height(name)
		for _, place := range []vg.Point{ // of the label's middle, best first
			{X: at.X - wide/2 - 6, Y: at.Y}, {X: at.X + wide/2 + 6, Y: at.Y},
			{X: at.X, Y: at.Y + high/2 + 5}, {X: at.X, Y: at.Y - high/2 - 5},
			{X: at.X - wide/2 - 4, Y: at.Y + high/2 + 3}, {X: at.X + wide/2 + 4, Y: at.Y - high/2 - 3},
		} {
			box := around(place, wide/2+1, high/2)
			if box.Min.X < c.Min.X || box.Max.X > c.Max.X+10 || box.Min.Y < c.Min.Y || box.Max.Y > c.Max.Y+8 || overlaps(box, taken) {
				continue
			}
			taken = append(taken, box)
			c.FillPolygon(color.NRGBA{0xff, 0xff, 0xff, 0xc0}, []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}})
			c.FillText(style, vg.Point{X: box.Min.X + 1, Y: place.Y}, name)
			break
		}
	}
}

func around(middle vg.Point, x, y vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: middle.X - x, Y: middle.Y - y}, Max: vg.Point{X: middle.X + x, Y: middle.Y + y}}
}

func overlaps(box vg.Rectangle, taken []vg.Rectangle) bool {
	return slices.ContainsFunc(taken, func(t vg.Rectangle) bool {
		return box.Min.X < t.Max.X && t.Min.X < box.Max.X && box.Min.Y < t.Max.Y && t.Min.Y < box.Max.Y
	})
}

func shortened(name string) string {
	if runes := []rune(name); len(runes) > longestLabel {
		return string(runes[:longestLabel-1]) + "…"
	}
	return name
}
