package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/cli/internal/figures"
	"bcstage/pipeline"
	"bcstage/preprocess/question"
)

func (p *process) runCommand() *urfave.Command {
	t := table{environment: "BCSTAGE_"}
	var flags []urfave.Flag
	for _, group := range [][]urfave.Flag{t.input(), t.columns(), t.output(), t.keep(), t.compute(), t.effort(), t.sample(), t.parts(), t.messages()} {
		flags = append(flags, group...)
	}
	return &urfave.Command{
		Name:        "run",
		Usage:       "compute the scores; the default command",
		ArgsUsage:   "[FILES...]",
		Description: runDescription,
		UsageText:   runExamples,
		Flags:       flags,
		Action:      p.run,
	}
}

var runDescription = `Reads edges, from stdin or as one table from all FILES, patterns and folders,
and writes one row per vertex: "vertex" and "betweenness_centrality", the number
of shortest paths between other vertices that run through it, where all paths
between two vertices count as one. Edges are undirected unless --directed is
given; repeated ones count once.

One thing goes to stdout: the scores, or else --stats -. Everything else goes to
stderr. On a terminal, the 20 highest scores are shown instead of binary output;
-o - writes the bytes all the same. A file appears whole or not at all. As input
and as output, s3://BUCKET/KEY names an object: see docs/objectstores.md.

--scale divides scores: raw by 1, ordered by 1/2 (each pair both ways), pairs by
(n-1)(n-2)/2 (NetworkX's normalized=True, n all vertices), component by the same
for the vertex's own component, max by the highest. With --directed, raw scores
are over ordered pairs, pairs divides by (n-1)(n-2), component is refused.

--columns asks for more than betweenness, or for something else: a column each,
in the order of the list. The first is the score that --sort and --top go by.
A vertex that reaches no other has 0 in those that are about distances. With
--directed these, and degree, are asked for by the distances to a vertex, as
closeness_in, which is NetworkX's closeness, or from it, as closeness_out.

` + measureHelp()

// measureHelp is a line per measure.
func measureHelp() string {
	var text strings.Builder
	for i, m := range question.Measures() {
		if m.Of != "" {
			continue
		}
		if i > 0 {
			text.WriteByte('\n')
		}
		fmt.Fprintf(&text, "  %-18s %s", m.Name, m.Help)
	}
	return text.String()
}

const runExamples = `bcstage edges.parquet -o scores.parquet
zcat edges.txt.gz | bcstage --format csv > scores.csv
bcstage edges.parquet -o scores.parquet --checkpoint work.arrow --resume
bcstage --src follower --dst followed --top 10 'follows/*.csv'
bcstage 's3://lake/edges/*.parquet' -o s3://lake/scores.parquet`

func (p *process) run(c *urfave.Context) (err error) {
	p.configure(c)
	opts, err := p.options(c)
	if err != nil {
		return err
	}
	out, err := p.destination(c)
	if err != nil {
		return err
	}
	var stats *pipeline.Stats
	defer func() { err = p.meter(c, stats, err) }()
	if err := p.checkpoint(c, &opts); err != nil {
		return err
	}
	progress := p.progress(c)
	defer progress.end()
	opts.Progress, opts.ProgressInterval = progress.show, progressInterval
	if out.scale != scaleRaw && !opts.Question.Asks(question.Betweenness) {
		return usagef(c.Command, "--scale %s: --columns has no betweenness, and other measures have no scale", out.scale)
	}
	out.sizes = out.scale.need(&opts.Question)
	if opts.Question.Edges = out.edges.path != ""; opts.Shard.Whole() {
		opts.Edges = out.edgeSink()
	}
	stats, err = pipeline.Run(c.Context, opts, out.sink(progress.end))
	progress.end()
	if stats != nil { // beside an error, too: a warning may say that work of another graph was dropped
		nameFlags(stats)
		p.console.tell(stats.Notes, stats.Warnings)
	}
	if errors.Is(err, pipeline.ErrPartial) {
		return &inFile{c.String("checkpoint"), err}
	}
	if err != nil {
		return err
	}
	if v := stats.Verification; v != nil {
		p.console.note(fmt.Sprintf("verified %s sources: largest relative difference %.1e", figures.Grouped(int64(v.Sources)), v.LargestRelative),
			"sources", v.Sources, "largest_relative_difference", v.LargestRelative)
	}
	if e := stats.Estimate; e != nil {
		p.console.note(summarise(*e), "way", e.Way, "eps", e.Eps, "searches", e.Searches, "sources", e.Sources)
	}
	if err := out.writeStats(c.Context, stats); err != nil {
		return err
	}
	p.delivered(c)
	if progress.wanted() {
		p.console.note(summary(stats), "vertices", stats.Vertices, "edges", stats.Edges,
			"seconds", stats.Seconds.Total, "compute_seconds", stats.Seconds.Compute, "gteps", stats.GTEPS)
	}
	return nil
}

// configure takes the flags about messages.
func (p *process) configure(c *urfave.Context) {
	p.console.quiet = c.Bool("quiet")
	if chosen(c, "log-format") == "json" {
		p.console.useJSON()
	}
}

// options are those of the pipeline, without its ends. Ranges are checked
// there; here only what the pipeline has no name for.
func (p *process) options(c *urfave.Context) (pipeline.Options, error) {
	switch {
	case c.NArg() == 0 && isTerminal(p.stdin):
		return pipeline.Options{}, usagef(c.Command, "no FILES, and stdin is a terminal; - reads it all the same")
	}
	sample, err := sampleOf(c)
	if err != nil {
		return pipeline.Options{}, err
	}
	memory, err := size(c.String("memory"))
	if err != nil {
		return pipeline.Options{}, usagef(c.Command, "--memory %s: %v", c.String("memory"), err)
	}
	memory = holdMemory(memory)
	asked, err := measures(c.String("columns"))
	if err != nil {
		return pipeline.Options{}, err
	}
	asked.Directed, asked.Endpoints, asked.Sample = c.Bool("directed"), c.Bool("endpoints"), sample
	if err := asked.Set("cutoff", c.String("cutoff")); err != nil { // as it is written everywhere: 2.50 is 2.5
		return pipeline.Options{}, err
	}
	asked.Lengths.Column = c.String("weight")
	if rule := chosen(c, "repeats"); rule != "min" {
		asked.Lengths.Repeats = rule
	}
	sources, err := p.vertexSet(c, "sources")
	if err != nil {
		return pipeline.Options{}, err
	}
	targets, err := p.vertexSet(c, "targets")
	if err != nil {
		return pipeline.Options{}, err
	}
	return pipeline.Options{
		Question: asked,
		Sources:  sources,
		Targets:  targets,
		Input: pipeline.Input{Files: p.inputs(arrowio.Options{
			Paths:        c.Args().Slice(),
			Stdin:        p.stdin,
			Format:       arrowio.Format(chosen(c, "input-format")),
			Src:          c.String("src"),
			Dst:          c.String("dst"),
			By:           list(c.String("by")),
			Bipartite:    c.Bool("bipartite"),
			Nulls:        arrowio.Nulls(chosen(c, "nulls")),
			IgnoreWeight: c.Bool("ignore-weight"),
			IDs:          arrowio.IDs(chosen(c, "ids")),
			Vertices:     c.String("vertices"),
			Keep:         list(c.String("keep")),
			Header:       arrowio.Header(chosen(c, "header")),
		})},
		Compute: pipeline.Compute{
			Engine:    pipeline.Engine(chosen(c, "engine")),
			Device:    c.String("device"),
			Strategy:  chosen(c, "strategy"),
			Threads:   c.Int("threads"),
			Lanes:     c.Int("lanes"),
			Mdeg:      c.Int("mdeg"),
			Precision: pipeline.Precision(chosen(c, "precision")),
			Memory:    memory,
			Verify:    c.Int("verify"),
		},
		Output: pipeline.Output{Sort: pipeline.Order(chosen(c, "sort"))},
	}, nil
}

// vertexSet reads the file that a flag names; nil if it is not given.
func (p *process) vertexSet(c *urfave.Context, flag string) (*pipeline.VertexSet, error) {
	path := c.String(flag)
	switch {
	case path == "":
		return nil, nil
	case path == "-":
		return nil, usagef(c.Command, "--%s -: stdin is the edges'; want a file", flag)
	}
	return pipeline.ReadVertexSet(c.Context, p.inputs(arrowio.Options{Paths: []string{path}, Threads: c.Int("threads")}))
}

// measures is the question of a list of columns; empty: the zero question's.
func measures(text string) (q question.Question, err error) {
	if text == "" {
		return q, nil
	}
	if err := q.Set("columns", text); err != nil {
		return q, fmt.Errorf("%w: %w", pipeline.ErrOptions, err)
	}
	return q, nil
}

// summary is the last word of a run that someone watches.
func summary(s *pipeline.Stats) string {
	text := fmt.Sprintf("%s vertices, %s edges in %s", figures.Grouped(int64(s.Vertices)), figures.Grouped(s.Edges), figures.Seconds(s.Seconds.Total))
	if s.GTEPS > 0 {
		text += fmt.Sprintf(", computing %s at %.3g GTEPS", figures.Seconds(s.Seconds.Compute), s.GTEPS)
	}
	return text
}

func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// list takes a list with commas apart.
func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
