package report

import (
	"fmt"

	"bcstage/cli/internal/figures"
)

// reductions shows how many vertices were left to search.
func reductions(s *Stats) (*Plot, error) {
	count := func(v float64) string { return figures.GroupedFloat(v, 0) }
	grouped := func(n int) string { return figures.Grouped(int64(n)) }
	p, err := bars("vertices", []string{"input", "after folding", "largest block"},
		[]float64{float64(s.Vertices), float64(s.Vertices - s.Folded), float64(s.LargestBlock)}, count)
	caption := fmt.Sprintf("%s rows became %s edges: %s repeated an edge, %s were self-loops. Components: %s. Blocks, once vertices of degree below 2 are folded away and the rest is cut at its articulation points: %s.",
		figures.Grouped(s.EdgesRead), figures.Grouped(s.Edges), figures.Grouped(s.Duplicates), figures.Grouped(s.SelfLoops), grouped(s.Components), grouped(s.Blocks))
	return &Plot{Name: "reductions", Title: "Vertices left by the reductions", Caption: caption, draw: p, height: barsHeight(3)}, err
}

func stages(s *Stats) (*Plot, error) {
	t := s.Seconds
	names := []string{"read", "build", "reduce", "device wait", "compute", "restore", "write", "total"}
	p, err := bars("seconds", names, []float64{t.Read, t.Build, t.Reduce, t.DeviceWait, t.Compute, t.Restore, t.Write, t.Total}, figures.Seconds)
	return &Plot{Name: "stages", Title: "Time per stage", Caption: "Wall time. Stages overlap, and devices start beside them, so they need not sum to the total.", draw: p, height: barsHeight(len(names))}, err
}

// engines is nil if nothing had to be searched.
func engines(s *Stats) (*Plot, error) {
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
	caption := fmt.Sprintf("%s batches of sources, computed with %d CPU threads and devices as listed.", figures.Grouped(int64(s.Batches)), s.Threads)
	return &Plot{Name: "engines", Title: "Work by engine", Caption: caption, draw: p, height: barsHeight(len(names))}, err
}
