package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// File names made of column names stay in their folder, are valid on every file system, and are
// unique.
func TestFileNames(t *testing.T) {
	for text, want := range map[string]string{
		"degree":                 "degree",
		"../../x":                "______x",
		`..\..\x`:                "______x",
		"/etc/passwd":            "_etc_passwd",
		"C:x":                    "C_x",
		"a b.png":                "a_b_png",
		"--help":                 "_-help",
		"größe_中心-3":             "größe_中心-3",
		"":                       "_",
		"\x00\xff\u202e":         "___",
		strings.Repeat("é", 200): strings.Repeat("é", 50),
	} {
		if got := fileName(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	var plots []Plot
	for _, name := range []string{"x/y", "x:y", "X y", "x_y-2", "distribution", "Distribution"} {
		plots = append(plots, Plot{Name: name})
	}
	fileNames(plots)
	var names []string
	for _, p := range plots {
		names = append(names, p.Name)
	}
	if want := []string{"x_y", "x_y-2", "X_y-3", "x_y-2-2", "distribution", "Distribution-2"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestPlotsAreNamedForFiles(t *testing.T) {
	d := Data{Columns: []Column{{Name: "score", Values: []float64{1, 2, 3}}}}
	for i := range 3 {
		d.Top = append(d.Top, Vertex{Row: i, ID: []string{fmt.Sprint(i)}})
	}
	for _, name := range []string{"../../x", "../..:x", "distribution"} {
		d.Columns = append(d.Columns, Column{Name: name, Values: []float64{3, 1, 2}})
	}
	plots, err := Plots(d)
	if err != nil || len(plots) != 4 {
		t.Fatalf("%d plots, %v", len(plots), err)
	}
	met := map[string]bool{}
	for _, p := range plots {
		if p.Name != filepath.Base(p.Name) || strings.Contains(p.Name, ".") || met[p.Name] {
			t.Errorf("a plot is called %q", p.Name)
		}
		met[p.Name] = true
	}
}
