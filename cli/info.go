package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	urfave "github.com/urfave/cli/v2"

	"bcstage/pipeline"
)

func (p *process) infoCommand() *urfave.Command {
	t := table{environment: "BCSTAGE_"}
	flags := slices.Concat(t.input(), t.later(), t.effort())
	flags = append(flags, t.choice(groupCompute, "precision", "`TYPE` path counts", "float64", "float32"),
		&urfave.BoolFlag{Name: "json", Category: groupOutput, Usage: "one JSON object", DisableDefaultText: true})
	return &urfave.Command{
		Name:      "info",
		Usage:     "what a graph is like, and what run would cost",
		ArgsUsage: "[FILES...]",
		Description: `Reads edges as run does, reduces the graph, and estimates time and memory from a
quarter of a second of computing.`,
		UsageText: `bcstage info edges.parquet
bcstage info --json edges.parquet | jq .estimated_seconds`,
		Flags:  append(flags, t.messages()...),
		Action: p.info,
	}
}

func (p *process) info(c *urfave.Context) error {
	p.configure(c)
	opts, err := p.options(c)
	if err != nil {
		return err
	}
	progress := p.progress(c)
	defer progress.end()
	opts.Progress, opts.ProgressInterval = progress.show, progressInterval
	info, err := pipeline.Inspect(c.Context, opts)
	if err != nil {
		return err
	}
	progress.end()
	nameFlags(&info.Stats)
	p.console.tell(info.Notes, info.Warnings)
	if c.Bool("json") {
		return writeJSON(p.stdout, info)
	}
	return writeInfo(p.stdout, info)
}

func writeInfo(w io.Writer, info *pipeline.Info) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, values ...any) {
		fmt.Fprintf(out, "%s\t%s\n", name, fmt.Sprintf(format, values...))
	}
	line("vertices", "%s", grouped(int64(info.Vertices)))
	line("edges", "%s", grouped(info.Edges))
	line("inputs", "%s", grouped(int64(info.Files)))
	line("edges read", "%s", grouped(info.EdgesRead))
	line("duplicates dropped", "%s", grouped(info.Duplicates))
	line("self-loops dropped", "%s", grouped(info.SelfLoops))
	if info.NullsDropped > 0 {
		line("rows without id dropped", "%s", grouped(info.NullsDropped))
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
	line("components", "%s", grouped(int64(info.Components)))
	line("vertices folded", "%s (%s)", grouped(int64(info.Folded)), percent(info.Folded, info.Vertices))
	line("blocks", "%s", grouped(int64(info.Blocks)))
	line("largest block", "%s vertices (%s)", grouped(int64(info.LargestBlock)), percent(info.LargestBlock, info.Vertices))
	line("estimated work", "%.3g edge visits", info.EstimatedWork)
	line("estimated time", "%s with %d CPU threads", seconds(info.EstimatedSeconds), info.Threads)
	line("estimated memory", "%s to read and reduce, then %s graph, %s engines", bytes(info.ReadingBytes), bytes(info.GraphBytes), bytes(info.EngineBytes))
	line("memory limit", "%s", bytes(info.MemoryLimit))
	return out.Flush()
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(whole, 1)))
}

// bytes in binary units, three digits.
func bytes(n int64) string {
	value, units := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for value >= 1000 && len(units) > 1 {
		value, units = value/1024, units[1:]
	}
	return fmt.Sprintf("%.3g %s", value, units[0])
}
