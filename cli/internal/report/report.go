// Package report draws what a run found and cost: one page without references
// to anything outside it, and its pictures one by one.
package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"

	"bcstage/pipeline"
)

// Data is what there is to show.
type Data struct {
	Title      string
	Convention string // of the scores
	Scores     []float64
	Degrees    []int64         // by vertex; nil: the edges are not known
	Names      []string        // columns that name a vertex
	Top        []Vertex        // best first
	Graphs     *Graphs         // nil: there is one
	Stats      *pipeline.Stats // nil: not known
	Version    string          // of the program
}

// Vertex is a row of the table.
type Vertex struct {
	ID     []string // by column of Data.Names
	Score  string
	Share  float64 // of the highest score, 0..1
	Degree int64
}

// Graphs is the table of several graphs.
type Graphs struct {
	Count   int
	Names   []string // columns that name a graph
	Largest []Graph  // most vertices first
}

// Graph is a row of it.
type Graph struct {
	Name     []string // by column of Graphs.Names
	Vertices int
	Highest  string // vertex of the highest score
	Score    string
}

//go:embed page.html
var pageText string

// Write writes the page.
func Write(w io.Writer, d Data) error {
	plots, err := Plots(d)
	if err != nil {
		return err
	}
	type picture struct {
		Plot
		SVG template.HTML
	}
	page := struct {
		Data
		Vertices int
		Pictures []picture
		JSON     string
	}{Data: d, Vertices: len(d.Scores)}
	for _, p := range plots {
		svg, err := p.SVG()
		if err != nil {
			return err
		}
		page.Pictures = append(page.Pictures, picture{p, template.HTML(svg)})
	}
	if d.Stats != nil {
		text, err := json.MarshalIndent(d.Stats, "", "  ")
		if err != nil {
			return fmt.Errorf("report: statistics: %w", err)
		}
		page.JSON = string(text)
	}
	t, err := template.New("page").Funcs(template.FuncMap{
		"percent": func(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) },
		"figure":  func(value float64) string { return fmt.Sprintf("%.3g", value) },
		"mib":     func(bytes int64) string { return fmt.Sprintf("%.3g", float64(bytes)/(1<<20)) },
		"add":     func(a, b int) int { return a + b },
	}).Parse(pageText)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return t.Execute(w, page)
}

// Plots are the pictures that the data suffice for.
func Plots(d Data) ([]Plot, error) {
	var plots []Plot
	add := func(p *Plot, err error) error {
		if p != nil {
			plots = append(plots, *p)
		}
		return err
	}
	if err := add(distribution(d.Scores)); err != nil {
		return nil, err
	}
	if d.Degrees != nil {
		if err := add(degree(d.Degrees, d.Scores)); err != nil {
			return nil, err
		}
	}
	if d.Stats != nil {
		for _, draw := range []func(*pipeline.Stats) (*Plot, error){reductions, stages, engines, timeline} {
			if err := add(draw(d.Stats)); err != nil {
				return nil, err
			}
		}
	}
	return plots, nil
}

// reductions shows what was left to search of the vertices.
func reductions(s *pipeline.Stats) (*Plot, error) {
	count := func(v float64) string { return fmt.Sprintf("%.0f", v) }
	p, err := bars("vertices", []string{"input", "after folding", "largest block"},
		[]float64{float64(s.Vertices), float64(s.Vertices - s.Folded), float64(s.LargestBlock)}, count)
	caption := fmt.Sprintf("%d rows became %d edges: %d repeated an edge, %d were self-loops. Components: %d. Blocks, once vertices of degree below 2 are folded away and the rest is cut at its articulation points: %d.",
		s.EdgesRead, s.Edges, s.Duplicates, s.SelfLoops, s.Components, s.Blocks)
	return &Plot{"reductions", "What the reductions left", caption, p, barsHeight(3)}, err
}

func stages(s *pipeline.Stats) (*Plot, error) {
	t := s.Seconds
	names := []string{"read", "build", "reduce", "device wait", "compute", "restore", "write", "total"}
	p, err := bars("seconds", names, []float64{t.Read, t.Build, t.Reduce, t.DeviceWait, t.Compute, t.Restore, t.Write, t.Total},
		func(v float64) string { return fmt.Sprintf("%.3g s", v) })
	return &Plot{"stages", "Time per stage", "Wall time. Stages overlap, and devices start beside them, so they need not sum to the total.", p, barsHeight(len(names))}, err
}

// engines is nil if nothing had to be searched.
func engines(s *pipeline.Stats) (*Plot, error) {
	if len(s.Engines) == 0 {
		return nil, nil
	}
	var names []string
	var shares []float64
	for _, engine := range s.Engines {
		names = append(names, engine.Name)
		shares = append(shares, 100*engine.Share)
	}
	p, err := bars("% of the estimated cost", names, shares, func(v float64) string { return fmt.Sprintf("%.1f %%", v) })
	caption := fmt.Sprintf("%d batches of sources, computed with %d CPU threads and devices as listed.", s.Batches, s.Threads)
	return &Plot{"engines", "Who computed", caption, p, barsHeight(len(names))}, err
}
