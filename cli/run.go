package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli/internal/figures"
	"bcstage/gpu/opencl"
	"bcstage/internal/budget"
	"bcstage/internal/measures"
	"bcstage/internal/refusals"
	"bcstage/pipeline"
	"bcstage/preprocess/question"
)

func (p *process) runCommand() *urfave.Command {
	return &urfave.Command{
		Name:        "run",
		Usage:       "compute the scores; the default command",
		ArgsUsage:   "[FILES...]",
		Description: runDescription,
		UsageText:   runExamples,
		Action:      p.run,
	}
}

const runDescription = `Reads edges, from stdin or as one table from all FILES, patterns and folders,
and writes one row per vertex: "vertex" and "betweenness_centrality", the number
of shortest paths between other vertices that pass it; all paths between two
vertices count one together. Edges are undirected unless --directed is given;
repeated ones count once.

One thing goes to stdout: the scores, or else --stats -. Everything else goes to
stderr. A terminal gets the 20 highest scores in place of binary output; -o -
writes the bytes. A file appears whole or not at all. s3://BUCKET/KEY names an
object, as input and as output: see docs/objectstores.md.

--scale divides scores: raw by 1, ordered by 1/2 (each pair both ways), pairs by
(n-1)(n-2)/2 (NetworkX's normalized=True, n all vertices), component by the same
for the vertex's own component, max by the highest score. With --directed, raw
scores are over ordered pairs, pairs divides by (n-1)(n-2), and component is
refused.

--columns lists the measures to compute: a column each, in this order. --sort
and --top use the first. A vertex that reaches no other has 0 in measures of
distances. With --directed these, and degree, have two forms: by distances to a
vertex, as closeness_in, which is NetworkX's closeness, or from it, as
closeness_out.

--origins and --destinations name columns of --vertices with masses. Paths from
s to t then count the mass that begins at s times the mass that ends at t.
Betweenness becomes the column flow, over ordered pairs, in the product of the
two columns' units. With --trips, a table of origin, destination and trips,
paths from s to t count these trips. Rows of equal pairs add up; rows without a
path go to --unrouted.

`

// measureHelp has a line per measure.
func measureHelp() string {
	var text strings.Builder
	for i, m := range measures.All() {
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
	progress := p.progress(c, &opts)
	defer progress.end()
	if err := answerable(c, opts.Question, out.scale); err != nil {
		return err
	}
	out.sizes = out.scale.need(&opts.Question)
	if opts.Question.Edges = out.edges.path != ""; opts.Shard.Whole() {
		opts.Edges = out.edgeSink()
	}
	opts.Unrouted = out.unrouted.sink(p)
	opts.Outline = out.outline
	stats, err = pipeline.Run(c.Context, opts, out.sink(progress.end))
	progress.end()
	p.tell(stats) // with an error, too: a warning may say that work on another graph was dropped
	if errors.Is(err, pipeline.ErrPartial) {
		return &inFile{c.String("checkpoint"), err}
	}
	if err != nil {
		return byFlag(c, err)
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
		figures := []any{"vertices", stats.Vertices, "edges", stats.Edges, "seconds", stats.Seconds.Total, "compute_seconds", stats.Seconds.Compute}
		if stats.GTEPS > 0 {
			figures = append(figures, "gteps", stats.GTEPS)
		}
		p.console.note(summary(stats), figures...)
	}
	return nil
}

// configure applies the flags about messages.
func (p *process) configure(c *urfave.Context) {
	p.console.quiet = c.Bool("quiet")
	if c.String("log-format") == "json" {
		p.console.log = slog.New(slog.NewJSONHandler(p.console.out, nil))
	}
}

// options returns the options of the pipeline, without source and sink. The pipeline checks ranges;
// this checks only what the pipeline has no name for.
func (p *process) options(c *urfave.Context) (pipeline.Options, error) {
	switch {
	case c.NArg() == 0 && c.String("changes") == "" && isTerminal(p.stdin):
		return pipeline.Options{}, usagef(c.Command, "no FILES, and stdin is a terminal; - reads the terminal")
	case c.Bool("directed") && c.String("oneway") != "":
		return pipeline.Options{}, usagef(c.Command, "--oneway contradicts --directed: give one; a column has each edge's direction, or all run from --src to --dst")
	}
	sample, err := sampleOf(c)
	if err != nil {
		return pipeline.Options{}, err
	}
	opts := pipeline.Options{Input: pipeline.Input{Read: arrowio.Read}, Compute: pipeline.Compute{Devices: opencl.Devices()}}
	for _, f := range rowsOf(c.Command) {
		f.assign(&opts, c.String(f.name))
	}
	opts.Memory = holdMemory(opts.Memory)
	opts.Files.Budget = budget.New(opts.Memory)
	opts.Question.Sample = sample
	decay, err := p.decay(c, opts.Files.Budget)
	if err != nil {
		return opts, err
	}
	for _, part := range [][2]string{{"columns", c.String("columns")}, {"cutoff", c.String("cutoff")}, {"decay", decay}} {
		if part[1] == "" {
			continue
		}
		if err := opts.Question.Set(part[0], part[1]); err != nil { // in its normal form: 2.50 is 2.5
			return opts, fmt.Errorf("%w: %w", pipeline.ErrOptions, err)
		}
	}
	opts.Question.Decay.Floor, opts.Question.Gravity.Stay = c.Float64("decay-floor"), c.Float64("stay")
	if rule := c.String("repeats"); rule != "min" {
		opts.Question.Lengths.Repeats = rule
	}
	if opts.Sources, err = p.vertexSet(c, "sources", "from", opts.Files.Budget); err != nil {
		return opts, err
	}
	if opts.Targets, err = p.vertexSet(c, "targets", "to", opts.Files.Budget); err != nil {
		return opts, err
	}
	if opts.Trips, err = p.trips(c, opts.Files.Budget); err != nil {
		return opts, err
	}
	if opts.Since, err = p.since(c, opts.Files.Budget); err != nil {
		return opts, err
	}
	opts.Files.Paths, opts.Files.Stdin = c.Args().Slice(), p.stdin
	if c.NArg() == 1 {
		if opts.Files.Paths[0], err = p.copied(c.Context, c.Args().First()); err != nil {
			return opts, err
		}
	}
	opts.Files = p.inputs(opts.Files)
	return opts, nil
}

// answerable refuses flags that have no answer together with each other, with the question, or with the scale. The pipeline
// knows some of these flags, too, but not all.
func answerable(c *urfave.Context, q question.Question, by scale) error {
	given := []string{c.Command.Name}
	for _, f := range rowsOf(c.Command) {
		if value := c.String(f.name); f.given && value != "false" && f.name != "scale" {
			given = append(given, "--"+f.name, "--"+f.name+" "+value)
		}
	}
	if by != scaleRaw {
		given = append(given, "--scale", "--scale "+string(by))
	}
	if c.String("shard") != "" || c.Bool("partial") {
		given = append(given, refusals.PartialResult)
	}
	if c.String("problem") != "" {
		given = append(given, refusals.SearchBench)
	}
	if err := q.Answerable(given...); err != nil {
		return fmt.Errorf("%w: %w", pipeline.ErrOptions, err)
	}
	return nil
}

// vertexSet reads the file of a flag, or takes the ids of another flag; nil if neither is given.
func (p *process) vertexSet(c *urfave.Context, file, ids string, room *budget.Budget) (*pipeline.VertexSet, error) {
	path, few := c.String(file), list(c.String(ids))
	switch {
	case path != "" && few != nil:
		return nil, usagef(c.Command, "want either --%s or --%s", ids, file)
	case few != nil:
		return pipeline.StringVertexSet(few...), nil
	case path == "":
		return nil, nil
	}
	opts, err := p.second(c, file, path, room)
	if err != nil {
		return nil, err
	}
	return pipeline.ReadVertexSet(c.Context, arrowio.ReadIDs, opts)
}

// second returns the options that read a flag's table, which is beside the edges: stdin is for those.
func (p *process) second(c *urfave.Context, flag, path string, room *budget.Budget) (tables.Options, error) {
	if path == "-" {
		return tables.Options{}, usagef(c.Command, "--%s -: name a file; stdin is for edges", flag)
	}
	return p.inputs(tables.Options{Paths: []string{path}, Threads: c.Int("threads"), Nulls: tables.Nulls(c.String("nulls")), Budget: room}), nil
}

// trips reads the table of --trips; nil: there is none.
func (p *process) trips(c *urfave.Context, room *budget.Budget) (*pipeline.TripTable, error) {
	path, columns := c.String("trips"), pipeline.TripColumns()
	given := list(c.String("trips-columns"))
	switch {
	case path == "" && given != nil:
		return nil, usagef(c.Command, "--trips-columns needs --trips")
	case path == "":
		return nil, nil
	case given != nil && len(given) != len(columns):
		return nil, usagef(c.Command, "--trips-columns %s: want three names", c.String("trips-columns"))
	}
	copy(columns[:], given)
	opts, err := p.second(c, "trips", path, room)
	if err != nil {
		return nil, err
	}
	opts.By = list(c.String("by"))
	return pipeline.ReadTripTable(c.Context, arrowio.ReadTrips, opts, columns)
}

// decay returns the value of --decay, with the rows of a table in place of its file.
func (p *process) decay(c *urfave.Context, room *budget.Budget) (string, error) {
	text := c.String("decay")
	path, table := strings.CutPrefix(text, "table:")
	if !table || path == "" || strings.Contains(path, "=") {
		return text, nil
	}
	opts, err := p.second(c, "decay table", path, room)
	if err != nil {
		return "", err
	}
	return pipeline.ReadDecay(c.Context, arrowio.ReadNumbers, opts)
}

// byFlag returns an error in which the library's names of vertex sets are replaced by the flags
// that set them.
func byFlag(c *urfave.Context, err error) error {
	if err == nil {
		return nil
	}
	for option, flag := range map[string]string{"Options.Sources": "from", "Options.Targets": "to"} {
		if c.String(flag) != "" {
			err = &renamed{err, option, "--" + flag}
		}
	}
	return err
}

type renamed struct {
	error
	from, to string
}

func (e *renamed) Error() string { return strings.ReplaceAll(e.error.Error(), e.from, e.to) }

func (e *renamed) Unwrap() error { return e.error }

// summary is the last message of a run whose progress is shown.
func summary(s *pipeline.Stats) string {
	text := fmt.Sprintf("%s vertices, %s edges in %s", figures.Grouped(int64(s.Vertices)), figures.Grouped(s.Edges), figures.Seconds(s.Seconds.Total))
	if s.GTEPS > 0 {
		text += fmt.Sprintf(", computing %s at %.3g GTEPS", figures.Seconds(s.Seconds.Compute), s.GTEPS)
	}
	return text
}

// writeJSON writes a JSON value without credentials.
func (p *process) writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(p.secrets.writer(w)) // it writes once
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
