package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli/internal/figures"
	"bcstage/cli/internal/report"
	"bcstage/pipeline"
)

// topAtTerminal is the number of rows that a terminal gets in place of bytes.
const topAtTerminal = 20

// destination holds the outputs of a run. stdout carries one of them: the scores, or else the
// statistics.
type destination struct {
	p      *process
	path   string // of the scores; "" and "-" are stdout
	format tables.Format
	table  bool // text for people on stdout, in place of the format
	top    int  // the highest rows only; 0: all
	scale  scale
	sort   pipeline.Order
	sizes  bool        // the table has an extra column for the scale
	stats  string      // file; "": none
	run    *report.Run // for stats
	edges  edgeFile

	unrouted edgeFile // trips without a path
	hint     bool     // the table replaces bytes that a terminal cannot show
}

func (p *process) destination(c *urfave.Context) (*destination, error) {
	d := &destination{
		p: p, path: c.String("output"), format: tables.Format(c.String("format")),
		top: c.Int("top"), scale: scale(c.String("scale")), sort: pipeline.Order(c.String("sort")), stats: c.String("stats"),
	}
	if d.stats != "" {
		d.run = p.circumstances(c)
	}
	if c.Bool("normalized") {
		if isSet(c, "scale") && d.scale != scalePairs {
			return nil, usagef(c.Command, "--normalized contradicts --scale %s", d.scale)
		}
		d.scale = scalePairs
	}
	switch {
	case c.String("shard") != "" || c.Bool("partial"):
		if err := d.partial(c); err != nil {
			return nil, err
		}
	case d.top < 0:
		return nil, usagef(c.Command, "--top %d: want 0 or more", d.top)
	case d.top > 0 && isSet(c, "sort") && pipeline.Order(c.String("sort")) != pipeline.ByScore:
		return nil, usagef(c.Command, "--sort %s contradicts --top, whose rows are sorted by score", c.String("sort"))
	}
	if c.String("metrics") == "-" {
		return nil, usagef(c.Command, "--metrics -: stdout is taken; name a file")
	}
	if d.format == "" && isFolder(d.path) {
		d.format = tables.FormatParquet
	}
	var err error
	if d.format, err = scoreFormat(d.path, d.format); err != nil {
		return nil, err
	}
	d.table = d.path == "" && !isSet(c, "format") && d.top > 0
	if d.path == "" && !d.table && isBinary(d.format) && isTerminal(p.stdout) {
		d.table, d.hint = true, true
		d.top = cmp.Or(d.top, topAtTerminal)
	}
	if d.edges, err = p.besideScores(c, "edge-scores"); err != nil {
		return nil, err
	}
	if d.unrouted, err = p.besideScores(c, "unrouted"); err != nil {
		return nil, err
	}
	if isFolder(d.path) {
		if err := emptyFolder(d.path); err != nil {
			return nil, err
		}
	}
	return d, p.writable(c.Context, cmp.Or(d.path, "-"), c.String("metrics"), d.stats)
}

// partial refuses what is no file of a partial result.
func (d *destination) partial(c *urfave.Context) error {
	d.format, _ = scoreFormat(d.path, d.format)
	switch {
	case isFolder(d.path):
		return &usageError{fmt.Sprintf("-o %s: a partial result is one file", d.path), "-o FILE.arrow"}
	case d.format != tables.FormatArrow && d.format != arrowio.FormatArrowFile:
		return &usageError{"a partial result is written as Arrow", "-o FILE.arrow"}
	case d.path == "" && isTerminal(d.p.stdout):
		return usagef(c.Command, "a partial result is not written to a terminal; use -o FILE.arrow")
	}
	return nil
}

// arrange orders and ranks the rows of a scaled table by the written scores. Scores divided by
// component have another order, and a division can make two scores equal.
func (d *destination) arrange(t *tables.Table) {
	if d.scale != scaleRaw {
		pipeline.Arrange(t, d.sort)
	}
}

// sink writes the results per vertex; begin is called first.
func (d *destination) sink(begin func()) pipeline.Sink {
	return func(ctx context.Context, t tables.Table) error {
		begin()
		if err := d.scale.apply(&t); err != nil {
			return err
		}
		d.arrange(&t)
		if d.sizes {
			t.Columns = withoutSizes(t.Columns)
		}
		if d.top > 0 {
			t.Order = highestOfEach(&t, d.top)
			if d.hint {
				t.Order = t.Order[:min(d.top, len(t.Order))]
			}
			t.Metadata = append(t.Metadata, tables.KeyValue{Key: "top", Value: strconv.Itoa(d.top)})
		}
		if isFolder(d.path) {
			return d.p.createFolder(ctx, d.path, d.format, t)
		}
		if !d.table {
			return d.p.create(ctx, d.path, compressed(d.path, func(w io.Writer) error { return arrowio.Write(ctx, w, d.format, t) }))
		}
		if err := buffered(d.p.stdout, func(w io.Writer) error { return writeTop(w, &t) }); err != nil {
			return err
		}
		if d.hint {
			what := "highest"
			if len(t.By) > 0 {
				what = "highest of the first graphs, out"
			}
			d.p.console.note(fmt.Sprintf("the %s %s of %s scores, instead of binary output; -o FILE and pipes receive %s, and -o - writes it here",
				figures.Grouped(int64(len(t.Order))), what, figures.Grouped(int64(t.IDs.Len())), d.format))
		}
		return nil
	}
}

// writeStats writes the statistics, if they are asked for.
func (d *destination) writeStats(ctx context.Context, of *pipeline.Stats) error {
	stats := report.Stats{Stats: *of, Run: d.run}
	switch d.stats {
	case "":
		return nil
	case "-":
		if d.table || d.path == "" || d.path == "-" {
			return d.p.writeJSON(d.p.console.out, stats)
		}
		return d.p.writeJSON(d.p.stdout, stats)
	}
	return d.p.create(ctx, d.stats, func(w io.Writer) error { return d.p.writeJSON(w, stats) })
}

func outputFormats() []string { return names(arrowio.TableFormats()) }

func names[T ~string](formats []T) []string {
	list := make([]string, len(formats))
	for i, f := range formats {
		list[i] = string(f)
	}
	return list
}

func isBinary(format tables.Format) bool {
	return format == tables.FormatArrow || format == arrowio.FormatArrowFile || format == tables.FormatParquet
}

// scoreFormat returns the format, or that of a file's ending where none is given; a stream for stdout.
func scoreFormat(path string, format tables.Format) (tables.Format, error) {
	if format == "" {
		var err error
		text := map[string]tables.Format{".csv": tables.FormatCSV, ".jsonl": arrowio.FormatJSONL, ".ndjson": arrowio.FormatJSONL}
		if format, err = byEnding(path, tables.FormatArrow, text); err != nil {
			return format, err
		}
	}
	return format, compressible(path, format)
}
