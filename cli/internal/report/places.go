package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"
)

// shape is the place of a vertex: lines, where a line of one position is a point. None: unknown.
type shape []plotter.XYs

// axes are the names, in lower case, of two columns of numbers that are places.
var axes = [...][2]string{{"lon", "lat"}, {"lng", "lat"}, {"longitude", "latitude"}, {"x", "y"}}

// farthest bounds the numbers of places.
const farthest = 1e15

// places returns the shapes of all vertices, or straight edges, and the names of their columns.
func (d Data) places() (shapes []shape, from []string) {
	if d.Ends == nil {
		return placesOf(d.Kept, len(d.Score().Values))
	}
	vertices, from := placesOf(d.Ends.Kept, d.Ends.Count)
	if vertices == nil {
		return nil, nil
	}
	shapes = make([]shape, len(d.Score().Values))
	for edge := range shapes {
		var line plotter.XYs
		for _, rows := range d.Ends.Rows {
			if row := rows[edge]; row >= 0 && len(vertices[row]) > 0 {
				line = append(line, vertices[row].middle())
			}
		}
		if len(line) == 2 {
			shapes[edge] = shape{line}
		}
	}
	return shapes, from
}

// middle is a position of the shape for its name.
func (s shape) middle() plotter.XY { return s[0][len(s[0])/2] }

// placesOf returns the shapes of n vertices, and the names of their kept columns. It takes the first column with
// points or lines in well-known text and nothing else except gaps, or else two columns of numbers with the names of
// axes.
func placesOf(kept []Kept, n int) (shapes []shape, from []string) {
	for _, column := range kept {
		if shapes := shapesOf(n, func(row int) (shape, bool) { return geometry(column.Text(row)) }); shapes != nil {
			return shapes, []string{column.Name}
		}
	}
	named := func(name string) int {
		return slices.IndexFunc(kept, func(k Kept) bool { return strings.ToLower(k.Name) == name })
	}
	for _, pair := range axes {
		x, y := named(pair[0]), named(pair[1])
		if x < 0 || y < 0 {
			continue
		}
		shapes := shapesOf(n, func(row int) (shape, bool) {
			at := [2]string{kept[x].Text(row), kept[y].Text(row)}
			if at[0] == "" || at[1] == "" {
				return nil, true
			}
			place, ok := position(at[:])
			return shape{{place}}, ok
		})
		if shapes != nil {
			return shapes, []string{kept[x].Name, kept[y].Name}
		}
	}
	return nil, nil
}

// shapesOf returns each row's shape; nil if a value is not a shape, or all are empty.
func shapesOf(n int, of func(row int) (shape, bool)) []shape {
	shapes, some := make([]shape, n), false
	for row := range shapes {
		one, ok := of(row)
		if !ok {
			return nil
		}
		shapes[row], some = one, some || len(one) > 0
	}
	if !some {
		return nil
	}
	return shapes
}

// geometry reads a point, a line or several of them as well-known text. Empty text is no shape; ok is false for
// anything else.
func geometry(text string) (of shape, ok bool) {
	if text == "" {
		return nil, true
	}
	if _, after, found := strings.Cut(text, ";"); found && strings.HasPrefix(text, "SRID=") {
		text = after
	}
	kind, list, _ := strings.Cut(text, "(")
	kind = strings.ToUpper(kind)
	word, _, _ := strings.Cut(strings.TrimSpace(kind), " ")
	point := word == "POINT" || word == "MULTIPOINT"
	if !point && word != "LINESTRING" && word != "MULTILINESTRING" {
		return nil, false
	}
	if strings.HasSuffix(strings.TrimSpace(kind), " EMPTY") {
		return nil, list == ""
	}
	var line plotter.XYs
	end := func() {
		if len(line) > 0 {
			of, line = append(of, line), nil
		}
	}
	for part := range strings.SplitSeq(list, ",") {
		if strings.Contains(part, "(") || point {
			end()
		}
		at, ok := position(strings.Fields(strings.Trim(part, "() ")))
		if !ok {
			return nil, false
		}
		line = append(line, at)
	}
	end()
	return of, true
}

// position reads two numbers; others may follow: height and measure.
func position(numbers []string) (at plotter.XY, ok bool) {
	if len(numbers) < 2 {
		return at, false
	}
	var err [2]error
	at.X, err[0] = strconv.ParseFloat(numbers[0], 64)
	at.Y, err[1] = strconv.ParseFloat(numbers[1], 64)
	near := math.Abs(at.X) < farthest && math.Abs(at.Y) < farthest
	return at, err == [2]error{} && near
}

// asDegrees scales places that may be degrees: a degree of longitude is shorter by the cosine of the middle latitude.
func asDegrees(shapes []shape) (squeeze float64) {
	south, north := math.Inf(1), math.Inf(-1)
	for _, lines := range shapes {
		for _, line := range lines {
			for _, at := range line {
				if math.Abs(at.X) > 180 || math.Abs(at.Y) > 90 {
					return 1
				}
				south, north = min(south, at.Y), max(north, at.Y)
			}
		}
	}
	return max(math.Cos((south+north)/2*math.Pi/180), 0.01)
}
