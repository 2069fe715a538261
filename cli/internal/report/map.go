package report

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bcstage/cli/internal/figures"
)

// shares assigns the colours of heat to shares of the vertices, by score.
var shares = [len(heat)]struct {
	of   float64
	name string
}{{0.01, "highest 1 %"}, {0.05, "5 %"}, {0.2, "20 %"}, {0.5, "50 %"}, {1, "others"}}

const (
	mapGrain    = 0.5    // in points: finer details are not drawn
	dotGrain    = 2      // the same between points
	mostStrokes = 60_000 // about 2 MB of a page
	keyRoom     = 22     // for the names of the colours
)

// atlas is a map: dots and lines by colour, as plot.Plotter.
type atlas struct {
	dots  [len(heat)]plotter.XYs
	lines [len(heat)][]plotter.XYs
	size  vg.Length // of a dot
	named marks
}

// drawMap shows the vertices at their places; nil if no kept columns have places.
func (d Data) drawMap() (*Plot, error) {
	shapes, from := d.places()
	if !slices.ContainsFunc(shapes, func(s shape) bool { return len(s) > 0 }) {
		return nil, nil
	}
	p := newPlot("", "")
	p.HideAxes()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	squeeze := asDegrees(shapes)
	for _, lines := range shapes {
		for _, line := range lines {
			for i := range line {
				line[i].X *= squeeze
				p.X.Min, p.X.Max = min(p.X.Min, line[i].X), max(p.X.Max, line[i].X)
				p.Y.Min, p.Y.Max = min(p.Y.Min, line[i].Y), max(p.Y.Max, line[i].Y)
			}
		}
	}
	wide, high := p.X.Max-p.X.Min, p.Y.Max-p.Y.Min
	height := vg.Length(max(float64(2*vg.Inch), min(float64(width)*high/max(wide, high/4), float64(5*vg.Inch))))
	if wide == 0 && high == 0 {
		height, wide = 2*vg.Inch, 1
	}
	m := &atlas{}
	placed, left := m.fill(shapes, d.Score().Values, max(wide/float64(width), high/float64(height))*mapGrain)
	m.size = vg.Length(min(max(0.4*math.Sqrt(float64(width*height)/float64(placed)), 1), 3.5))
	for _, v := range d.Top {
		if lines := shapes[v.Row]; len(lines) > 0 {
			m.named.add(lines.middle(), strings.Join(v.ID, " "), d.title(v))
		}
	}
	p.Add(m)
	caption := fmt.Sprintf("Each %s at its place by %s, coloured by %s.", d.one(), strings.Join(from, " and "), measure(d.Score().Name))
	if nowhere := len(shapes) - placed; nowhere > 0 {
		caption += fmt.Sprintf(" %s of %s %s have no place.", figures.Grouped(int64(nowhere)), figures.Grouped(int64(len(shapes))), d.all())
	}
	if left > 0 {
		caption += fmt.Sprintf(" The %s with the lowest scores are left out for lack of room.", figures.Grouped(int64(left)))
	}
	return &Plot{"map", "Map", caption, p, height + keyRoom, &m.named}, nil
}

// fill takes the shapes with the highest scores first. A place nearer than grain to an earlier one is left out; so are
// the shapes with the lowest scores, if there are too many. placed counts the shapes with a place.
func (m *atlas) fill(shapes []shape, scores []float64, grain float64) (placed, left int) {
	var falling []int // rows
	for row, lines := range shapes {
		if len(lines) > 0 {
			falling = append(falling, row)
		}
	}
	sort.SliceStable(falling, func(i, j int) bool { return scores[falling[i]] > scores[falling[j]] })
	var least [len(shares)]float64
	for i, share := range shares {
		least[i] = scores[falling[int(math.Ceil(share.of*float64(len(falling))))-1]]
	}
	taken := make(map[[4]int64]bool)
	claim := func(a, b [2]int64) bool {
		if a[0] > b[0] || a[0] == b[0] && a[1] > b[1] {
			a, b = b, a
		}
		stroke := [4]int64{a[0], a[1], b[0], b[1]}
		free := !taken[stroke]
		taken[stroke] = true
		return free
	}
	for i, row := range falling {
		if len(taken) > mostStrokes {
			return len(falling), len(falling) - i
		}
		colour := len(heat) - 1
		if scores[row] > 0 {
			colour = slices.IndexFunc(least[:], func(least float64) bool { return scores[row] >= least })
		}
		for _, line := range shapes[row] {
			if len(line) == 1 {
				if cell := cellOf(line[0], grain*dotGrain/mapGrain); claim(cell, cell) {
					m.dots[colour] = append(m.dots[colour], line[0])
				}
				continue
			}
			var stroke plotter.XYs // since the last omitted place
			end := func() {
				if len(stroke) > 1 {
					m.lines[colour] = append(m.lines[colour], stroke)
				}
				stroke = nil
			}
			before := 0
			for j := 1; j < len(line); j++ {
				from, to := cellOf(line[before], grain), cellOf(line[j], grain)
				if from == to {
					continue
				}
				if !claim(from, to) {
					end()
				} else {
					if stroke == nil {
						stroke = append(stroke, line[before])
					}
					stroke = append(stroke, line[j])
				}
				before = j
			}
			end()
		}
	}
	return len(falling), 0
}

func cellOf(at plotter.XY, grain float64) [2]int64 {
	return [2]int64{int64(math.Floor(at.X / grain)), int64(math.Floor(at.Y / grain))}
}

// Plot draws the map with its key below, as plot.Plotter.
func (m *atlas) Plot(c draw.Canvas, p *plot.Plot) {
	c = draw.Crop(c, 4, -4, keyRoom, -4)
	p = fit(c, p)
	x, y := p.Transforms(&c)
	on := func(at plotter.XY) vg.Point { return vg.Point{X: x(at.X), Y: y(at.Y)} }
	for i := len(heat) - 1; i >= 0; i-- {
		var lines, dots vg.Path
		for _, line := range m.lines[i] {
			lines.Move(on(line[0]))
			for _, at := range line[1:] {
				lines.Line(on(at))
			}
		}
		for _, dot := range m.dots[i] {
			at := on(dot)
			dots.Move(vg.Point{X: at.X + m.size, Y: at.Y})
			dots.Arc(at, m.size, 0, 2*math.Pi)
		}
		c.SetColor(heat[i])
		if len(lines) > 0 {
			c.SetLineStyle(draw.LineStyle{Color: heat[i], Width: vg.Length(2 - 0.3*float64(i))})
			c.Stroke(lines)
		}
		if len(dots) > 0 {
			c.Fill(dots)
		}
	}
	m.named.Plot(c, p)

	style := p.X.Tick.Label
	style.XAlign, style.YAlign = draw.XLeft, draw.YCenter
	at := vg.Point{X: c.Min.X, Y: c.Min.Y - keyRoom/2}
	for i, share := range shares {
		c.DrawGlyphNoClip(draw.GlyphStyle{Color: heat[i], Radius: 4, Shape: draw.BoxGlyph{}}, vg.Point{X: at.X + 4, Y: at.Y})
		c.FillText(style, vg.Point{X: at.X + 12, Y: at.Y}, share.name)
		at.X += 24 + style.Width(share.name)*1.15 // the reader's font may be wider
	}
}

// fit returns a plot whose axes have one scale, with its range in the middle of the canvas.
func fit(c draw.Canvas, p *plot.Plot) *plot.Plot {
	fitted, size := *p, c.Size()
	per := max((p.X.Max-p.X.Min)/float64(size.X), (p.Y.Max-p.Y.Min)/float64(size.Y))
	for axis, room := range map[*plot.Axis]vg.Length{&fitted.X: size.X, &fitted.Y: size.Y} {
		middle := axis.Min + (axis.Max-axis.Min)/2
		half := max(per*float64(room)/2, math.Abs(middle)*1e-9, 1e-9) // all may be in one place
		axis.Min, axis.Max = middle-half, middle+half
	}
	return &fitted
}
