package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	urfave "github.com/urfave/cli/v2"

	"bcstage/cli/internal/figures"
	"bcstage/internal/budget"
	"bcstage/pipeline"
)

func (p *process) infoCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "info",
		Usage:     "describe a graph, and predict the time of a run",
		ArgsUsage: "[FILES...]",
		Description: `Reads edges as run does, reduces the graph, computes for a quarter of a second,
and predicts the time and memory of a run from that. A block of more than about
25 million edges would take too long: its prediction uses the speed of a typical
core.

With --engine gpu, or a --device by number, one device also searches 1/500 of
the work. That predicts the time of a run on 1, 8 and 64 such devices.`,
		UsageText: `bcstage info edges.parquet
bcstage info graph.bcg --engine gpu
bcstage info --json edges.parquet | jq .estimated_seconds`,
		Action: p.info,
	}
}

func (p *process) info(c *urfave.Context) error {
	opts, err := p.options(c)
	if err != nil {
		return err
	}
	progress := p.progress(c, &opts)
	defer progress.end()
	info, err := pipeline.Inspect(c.Context, opts)
	if err != nil {
		return err
	}
	progress.end()
	p.tell(&info.Stats)
	if c.Bool("json") {
		return p.writeJSON(p.stdout, info)
	}
	return writeInfo(p.stdout, info)
}

func writeInfo(w io.Writer, info *pipeline.Info) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, values ...any) {
		fmt.Fprintf(out, "%s\t%s\n", name, fmt.Sprintf(format, values...))
	}
	line("vertices", "%s", figures.Grouped(int64(info.Vertices)))
	line("edges", "%s", figures.Grouped(info.Edges))
	line("inputs", "%s", figures.Grouped(int64(info.Files)))
	line("edges read", "%s", figures.Grouped(info.EdgesRead))
	line("duplicates dropped", "%s", figures.Grouped(info.Duplicates))
	line("self-loops dropped", "%s", figures.Grouped(info.SelfLoops))
	if info.NullsDropped > 0 {
		line("rows without id dropped", "%s", figures.Grouped(info.NullsDropped))
	}
	var on, off []string
	for _, r := range info.Reductions {
		if r.Off == "" {
			on = append(on, r.Name)
		} else {
			off = append(off, r.Name+" ("+r.Off+")")
		}
	}
	line("reductions", "%s", strings.Join(on, ", "))
	if len(off) > 0 {
		line("reductions off", "%s", strings.Join(off, ", "))
	}
	line("components", "%s", figures.Grouped(int64(info.Components)))
	if l := info.Lengths; l != nil {
		unit := "whole numbers"
		if l.Unit != "1" {
			unit += " of " + l.Unit
		}
		if l.Equal {
			unit = "all equal"
		}
		line("lengths", "%s, %s", l.Column, unit)
		line("edges pruned", "%s (%s)", figures.Grouped(l.Pruned), percent(int(l.Pruned), int(info.Edges)))
	}
	line("vertices folded", "%s (%s)", figures.Grouped(int64(info.Folded)), percent(info.Folded, info.Vertices))
	line("blocks", "%s", figures.Grouped(int64(info.Blocks)))
	line("largest block", "%s vertices (%s)", figures.Grouped(int64(info.LargestBlock)), percent(info.LargestBlock, info.Vertices))
	writeSince(line, info.Since)
	line("estimated work", "%.3g edge visits", info.EstimatedWork)
	line("estimated time", "%s with %d CPU threads", figures.Seconds(info.EstimatedSeconds), info.Threads)
	if d := info.Device; d != nil {
		line("estimated time", "%s on one device (%s), %s on 8, %s on 64; %.2g %% of the work took %s",
			figures.Seconds(d.Seconds), d.Name, figures.Seconds(d.Seconds/8), figures.Seconds(d.Seconds/64), 100*d.Share, figures.Seconds(d.Measured))
	}
	for _, c := range info.Choices {
		line("walk", "%s (%s), blocks of kind %s: %s with %s vertices; %s", c.Walk, c.Set, c.Kind, figures.Grouped(int64(c.Blocks)), figures.Grouped(c.Vertices), c.Why)
	}
	if info.Plan != "" {
		line("estimates", "%s", info.Plan)
	}
	line("estimated memory", "%s to read and reduce, then %s graph, %s engines", budget.Text(info.ReadingBytes), budget.Text(info.GraphBytes), budget.Text(info.EngineBytes))
	line("memory limit", "%s", budget.Text(info.MemoryLimit))
	return out.Flush()
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(whole, 1)))
}
