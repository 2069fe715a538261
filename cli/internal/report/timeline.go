package report

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"bcstage/pipeline"
)

// timelineSteps is the number of intervals of time.
const timelineSteps = 60

// timeline shows the speed of each engine, one on top of the other; nil with fewer than two points.
func timeline(s *Stats) (*Plot, error) {
	points := s.Timeline
	if len(points) == 0 || points[len(points)-1].Seconds <= 0 {
		return nil, nil
	}
	end := points[len(points)-1].Seconds
	steps := min(timelineSteps, len(points))
	width := end / float64(steps)
	work := float64(s.Vertices) * float64(s.Edges) / 1e9
	p := newPlot("seconds since computing began", "GTEPS")
	grid(p)
	floor := make([]float64, steps)
	for engine, stat := range s.Engines {
		lower, upper := make(plotter.XYs, 0, 2*steps), make(plotter.XYs, 0, 2*steps)
		for step := range steps {
			from, to := float64(step)*width, float64(step+1)*width
			rate := (finished(points, engine, to) - finished(points, engine, from)) * work / width
			for _, x := range []float64{from, to} {
				lower = append(lower, plotter.XY{X: x, Y: floor[step]})
				upper = append(upper, plotter.XY{X: x, Y: floor[step] + rate})
			}
			floor[step] += rate
			p.Y.Max = max(p.Y.Max, floor[step])
		}
		for i := range lower {
			upper = append(upper, lower[len(lower)-1-i])
		}
		area, err := plotter.NewPolygon(upper)
		if err != nil {
			return nil, err
		}
		area.Color, area.LineStyle.Width = palette[engine%len(palette)], 0
		p.Add(area)
		p.Legend.Add(stat.Name+"  ", area) // the reader's font may be wider
	}
	p.X.Min, p.X.Max, p.Y.Min = 0, end, 0
	p.Y.Max = max(p.Y.Max*(1.05+0.07*float64(len(s.Engines))), 1e-9) // the legend has a line for each
	legend(p)
	caption := fmt.Sprintf("Speed of each engine, on top of each other: vertices times edges of the input per second, by the share of the estimated cost that it finished. %d moments.", len(points))
	return &Plot{Name: "timeline", Title: "Engines over time", Caption: caption, draw: p, height: 2.4 * vg.Inch}, nil
}

// legend stands above the areas.
func legend(p *plot.Plot) {
	p.Legend.Top, p.Legend.XOffs, p.Legend.YOffs = true, -4, 16
	p.Legend.TextStyle.Font.Variant, p.Legend.TextStyle.Font.Size = "Sans", tickSize
	p.Legend.ThumbnailWidth = 12
}

// finished is the share of all work that an engine has finished after so many seconds, interpolated
// between two points.
func finished(points []pipeline.TimelinePoint, engine int, seconds float64) float64 {
	before := pipeline.TimelinePoint{}
	for _, p := range points {
		if seconds <= p.Seconds {
			a, b := share(before, engine), share(p, engine)
			if p.Seconds == before.Seconds {
				return b
			}
			return a + (b-a)*(seconds-before.Seconds)/(p.Seconds-before.Seconds)
		}
		before = p
	}
	return share(before, engine)
}

// share is 0 for an engine that is not in a point.
func share(p pipeline.TimelinePoint, engine int) float64 {
	if engine >= len(p.Shares) {
		return 0
	}
	return p.Shares[engine]
}
