package report

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// kept returns a column with these values.
func kept(name string, values ...string) Kept {
	return Kept{name, func(row int) string { return values[row] }}
}

func TestGeometry(t *testing.T) {
	point := func(x, y float64) plotter.XYs { return plotter.XYs{{X: x, Y: y}} }
	line := plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 2, Y: 0.25}}
	for text, want := range map[string]shape{
		"":                             nil,
		"POINT EMPTY":                  nil,
		"POINT (1.5 -2)":               {point(1.5, -2)},
		"point(1.5 -2)":                {point(1.5, -2)},
		"POINT Z (1 2 3)":              {point(1, 2)},
		"SRID=4326;POINT(1 2)":         {point(1, 2)},
		"MULTIPOINT ((0 0), (1 1))":    {point(0, 0), point(1, 1)},
		"MULTIPOINT (0 0, 1 1)":        {point(0, 0), point(1, 1)},
		"LINESTRING (0 0,1 1, 2 0.25)": {line},
		"LINESTRING ZM EMPTY":          nil,
		"MULTILINESTRING ((0 0, 1 1, 2 0.25), (2 2, 3 3))": {line, {{X: 2, Y: 2}, {X: 3, Y: 3}}},
	} {
		if got, ok := geometry(text); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"POLYGON ((0 0, 4 0, 4 4, 0 0))", "POINT", "POINT (1)", "POINT (a b)", "POINT (NaN 1)", "POINT (1e300 1)", "LINESTRING (0 0, 1)", "Point Reyes (38 122)x", "12"} {
		if got, ok := geometry(text); ok {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// Geometries are preferred to numbers, and columns with other names or values are not places.
func TestPlaces(t *testing.T) {
	d := Data{Columns: []Column{{Name: "betweenness_centrality", Values: []float64{1, 2}}}}
	x, y := kept("x", "1", ""), kept("Y", "2", "3")
	for _, test := range []struct {
		kept []Kept
		from string
	}{
		{nil, ""},
		{[]Kept{kept("name", "POINT (1 2)", "b")}, ""},
		{[]Kept{kept("shape", "", "")}, ""},
		{[]Kept{x}, ""},
		{[]Kept{kept("x", "1", "2"), kept("y", "2", "b")}, ""},
		{[]Kept{y, x}, "x Y"},
		{[]Kept{x, y, kept("Longitude", "5", "6"), kept("latitude", "7", "8")}, "Longitude latitude"},
		{[]Kept{x, y, kept("shape", "", "POINT (1 2)")}, "shape"},
	} {
		d.Kept = test.kept
		if _, from := d.places(); strings.Join(from, " ") != test.from {
			t.Errorf("places from %q, want %q", from, test.from)
		}
	}
	d.Kept = []Kept{y, x}
	shapes, _ := d.places()
	if want := []shape{{{{X: 1, Y: 2}}}, nil}; !reflect.DeepEqual(shapes, want) {
		t.Errorf("%v, want %v", shapes, want)
	}
}

// chequered is a report of side*side vertices at whole numbers, with scores that grow along the rows.
func chequered(side int, line bool) Data {
	d := Data{Names: []string{"vertex"}, Columns: []Column{{Name: "betweenness_centrality"}}}
	var places []string
	for v := range side * side {
		d.Columns[0].Values = append(d.Columns[0].Values, float64(v))
		text := fmt.Sprintf("POINT (%d %d)", 1000+v%side, v/side)
		if line {
			text = fmt.Sprintf("LINESTRING (%d %d, %d %d)", 1000+v%side, v/side, 1001+v%side, v/side)
		}
		places = append(places, text)
	}
	d.Kept = []Kept{kept("shape", places...), kept("name", places...)}
	d.Top = []Vertex{{Row: side*side - 1, Rank: 1, ID: []string{"last"}}}
	return d
}

// Colours follow rank, a covered place is drawn once, and vertices without a place are counted.
func TestMap(t *testing.T) {
	d := chequered(10, false)
	shapes, _ := d.places()
	m := &atlas{}
	if placed, left := m.fill(shapes, d.Score().Values, 0.25); placed != 100 || left != 0 {
		t.Errorf("%d placed and %d left, want 100 and 0", placed, left)
	}
	for i, want := range []int{1, 4, 15, 30, 50} {
		if got := len(m.dots[i]); got != want {
			t.Errorf("%d dots of colour %d, want %d", got, i, want)
		}
	}
	if want := (plotter.XYs{{X: 1009, Y: 9}}); !reflect.DeepEqual(m.dots[0], want) {
		t.Errorf("the highest score is at %v, want %v", m.dots[0], want)
	}
	m = &atlas{}
	m.fill(shapes, d.Score().Values, 2.5) // dots are 10 wide
	if dots := len(m.dots[0]); dots != 1 || len(m.dots[4]) != 0 {
		t.Errorf("%d and %d dots in one place, want the highest alone", dots, len(m.dots[4]))
	}

	p, err := d.drawMap()
	if err != nil {
		t.Fatal(err)
	}
	d.Kept[0] = kept("shape", append(make([]string, 99), "POINT (1 2)")...)
	if p, err = d.drawMap(); err != nil || !strings.Contains(p.Caption, "99 of 100 vertices have no place") {
		t.Errorf("%+v, %v", p, err)
	}
	if svg, err := p.SVG(); err != nil || strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("one place: %s, %v", svg, err)
	}
	if names := d.Shown(); len(names) != 0 {
		t.Errorf("geometries in the table: %d columns", len(names))
	}
}

// A page stays small: of too many lines, those with the lowest scores are left out, and the caption counts them.
func TestMapOfMany(t *testing.T) {
	d := chequered(320, true)
	p, err := d.drawMap()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(p.Caption, "lowest scores are left out") {
		t.Error(p.Caption)
	}
	if svg, err := p.SVG(); err != nil || len(svg) > 4<<20 {
		t.Errorf("%d bytes, %v", len(svg), err)
	}
}

// Places that may be degrees have their proportions on the ground.
func TestMapOfDegrees(t *testing.T) {
	for _, test := range []struct {
		at   plotter.XY
		want float64
	}{{plotter.XY{X: 6, Y: 60}, 0.5}, {plotter.XY{X: 0, Y: 0}, 1}, {plotter.XY{X: 600, Y: 60}, 1}, {plotter.XY{X: 6, Y: 100}, 1}} {
		if got := asDegrees([]shape{nil, {{test.at}}}); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", test.at, got, test.want)
		}
	}
}
