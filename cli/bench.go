package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/gpu"
	"bcstage/gpu/searches"
	"bcstage/pipeline"
)

func (p *process) benchCommand() *urfave.Command {
	t, own := table{environment: "BCSTAGE_"}, table{environment: "BCSTAGE_BENCH_"}
	flags := append(t.input(),
		own.number(groupCompute, "runs", "`N` runs of each configuration; 3 if not given", 3),
		own.text(groupCompute, "problem", "`LIST` measure searches from one source on a device: all, or of "+strings.Join(names(searches.Problems()), ", ")+"; --strategies are then others"),
		own.text(groupCompute, "engines", "`LIST` of auto, cpu and gpu; auto if not given"),
		own.text(groupCompute, "strategies", "`LIST` of strategies ("+strings.Join(strategies(), ", ")+"); auto if not given"),
		own.text(groupCompute, "precisions", "`LIST` of float64 and float32; float64 if not given"),
		own.text(groupCompute, "lanes", "`LIST` sources searched at once, up to 64; 0, automatic, if not given"),
		own.text(groupCompute, "threads", "`LIST` CPU threads; 0, all, if not given"),
		t.text(groupCompute, "device", "`LIST` OpenCL devices: all, cpu for none, or numbers as in 0,2"),
		t.text(groupCompute, "memory", "`SIZE` memory limit, such as 500M or 8G; by default, what is available"),
		t.number(groupCompute, "verify", "`K` recompute K random sources with the textbook algorithm, and compare", 0),
		&urfave.BoolFlag{Name: "json", Category: groupOutput, Usage: "one JSON array", DisableDefaultText: true})
	return &urfave.Command{
		Name:      "bench",
		Usage:     "measure graphs under several options",
		ArgsUsage: "GRAPHS...",
		Description: `Runs each graph several times under each combination of the options, discards
the scores, and shows medians. A graph is a file as for run, or one made as
generate makes it: KIND, or KIND:NAME=VALUE,... (./KIND is a file of that name).

GTEPS is the number of vertices times that of edges of the graph as read,
divided by the seconds of computing, in billions. Total seconds include reading
or making the graph. Engine cpu has no strategies and is measured once for all
of them. A configuration that cannot run, for lack of a device or of memory,
shows the reason in its row; any other failure ends the command. The variables
of --problem, --runs and of all lists except --device begin with BCSTAGE_BENCH_.

` + benchSearchesDescription(),
		UsageText: `bcstage bench --engines cpu,gpu --precisions float64,float32 edges.parquet
bcstage bench --threads 1,2,4 kron:scale=14,edge-factor=16
bcstage bench --json smallworld:n=100000,k=10,p=0.1 | jq '.[].gteps.median'
bcstage bench --problem bfs --strategies queue,workload rmat:scale=18`,
		Flags:  append(flags, t.messages()...),
		Action: p.bench,
	}
}

// measurement is a row: one graph under one configuration. The names of the
// fields are JSON keys.
type measurement struct {
	Graph     string             `json:"graph"`
	Engine    pipeline.Engine    `json:"engine"`
	Strategy  string             `json:"strategy"` // asked for
	Precision pipeline.Precision `json:"precision"`
	Lanes     int                `json:"lanes"` // asked for
	Threads   int                `json:"threads"`
	Runs      int                `json:"runs"`

	Vertices int    `json:"n"`
	Edges    int64  `json:"m"`
	GTEPS    spread `json:"gteps"`
	Compute  spread `json:"compute_seconds"`
	Total    spread `json:"total_seconds"`

	LargestRelative float64 `json:"self_check_largest_relative_difference"` // of all runs
	// These are of the last run.
	Engines      []pipeline.EngineStat   `json:"engines,omitempty"`
	Choices      []pipeline.DeviceChoice `json:"device_choices,omitempty"`
	Verification *pipeline.Verification  `json:"verification,omitempty"`
	Notes        []string                `json:"notes,omitempty"`
	Warnings     []string                `json:"warnings,omitempty"`

	Failed string `json:"failed,omitempty"` // why it could not run
}

// spread of a figure over the runs.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// spreadOf at least one value; the median of an even number is the mean of the
// two in the middle.
func spreadOf(values []float64) spread {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return spread{(sorted[(n-1)/2] + sorted[n/2]) / 2, sorted[0], sorted[n-1]}
}

func (p *process) bench(c *urfave.Context) error {
	p.configure(c)
	if c.String("problem") != "" {
		return p.benchSearches(c)
	}
	runs := c.Int("runs")
	switch {
	case c.NArg() == 0:
		return usagef(c.Command, "no GRAPHS")
	case runs < 1:
		return usagef(c.Command, "--runs %d: want 1 or more", runs)
	}
	base, err := p.options(c)
	if err != nil {
		return err
	}
	all, err := configurations(c, base)
	if err != nil {
		return err
	}
	graphs, err := benchGraphs(c)
	if err != nil {
		return err
	}
	rows := []measurement{}
	table := newBenchTable(p.stdout, c.Args().Slice(), all)
	var failed error // the first, which counts if nothing could run
	ran, noted := false, map[string]bool{}
	for i, graph := range graphs {
		for _, opts := range all {
			graph(&opts)
			row, err := p.measure(c, opts, runs)
			switch {
			case err == nil:
				ran = true
			case c.Context.Err() != nil || !cannotRun(err):
				if name := c.Args().Get(i); !strings.Contains(err.Error(), name) {
					err = fmt.Errorf("%s: %w", name, err)
				}
				return err
			case failed == nil:
				failed = err
			}
			told := func(text string) bool {
				before := noted[text]
				noted[text] = true
				return before
			}
			p.console.tell(slices.DeleteFunc(slices.Clone(row.Notes), told), slices.DeleteFunc(slices.Clone(row.Warnings), told))
			row.Graph = c.Args().Get(i)
			rows = append(rows, row)
			if !c.Bool("json") {
				if err := table.add(row); err != nil {
					return err
				}
			}
		}
	}
	if !ran {
		return failed
	}
	if c.Bool("json") {
		return writeJSON(p.stdout, rows)
	}
	return nil
}

// cannotRun tells whether an error is about what the machine has, so that
// other configurations may do better.
func cannotRun(err error) bool {
	for _, class := range []error{gpu.ErrNoDevice, gpu.ErrNotBuilt, gpu.ErrDevice, pipeline.ErrMemory} {
		if errors.Is(err, class) {
			return true
		}
	}
	return false
}

// measure runs one configuration. With an error, the row says so.
func (p *process) measure(c *urfave.Context, opts pipeline.Options, runs int) (measurement, error) {
	row := measurement{Engine: opts.Engine, Strategy: opts.Strategy, Precision: opts.Precision, Lanes: opts.Lanes, Threads: opts.Threads}
	var gteps, compute, total []float64
	for range runs {
		debug.FreeOSMemory() // or the run before has a part in this one's time and memory limit
		progress := p.progress(c)
		opts.Progress, opts.ProgressInterval = progress.show, progressInterval
		stats, err := pipeline.Run(c.Context, opts, func(context.Context, arrowio.Table) error { return nil })
		progress.end()
		if err != nil {
			row.Failed = describe(err)
			return row, err
		}
		gteps = append(gteps, stats.GTEPS)
		compute = append(compute, stats.Seconds.Compute)
		total = append(total, stats.Seconds.Total)
		row.Runs++
		row.Threads, row.Vertices, row.Edges = stats.Threads, stats.Vertices, stats.Edges
		row.Engines, row.Choices, row.Verification = stats.Engines, stats.DeviceChoices, stats.Verification
		nameFlags(stats)
		row.Notes, row.Warnings = stats.Notes, stats.Warnings
		row.LargestRelative = max(row.LargestRelative, stats.SelfCheck.LargestRelative)
	}
	row.GTEPS, row.Compute, row.Total = spreadOf(gteps), spreadOf(compute), spreadOf(total)
	return row, nil
}

// configurations are all combinations of the lists, with values that the
// pipeline takes: the last must not fail after an hour for a limit exceeded.
func configurations(c *urfave.Context, base pipeline.Options) ([]pipeline.Options, error) {
	all := []pipeline.Options{base}
	for _, list := range []struct {
		flag, value string // and what it is if not given
		allowed     []string
		set         func(opts *pipeline.Options, text string, number int)
	}{
		{"engines", "auto", []string{"auto", "cpu", "gpu"}, func(o *pipeline.Options, text string, _ int) { o.Engine = pipeline.Engine(text) }},
		{"strategies", "auto", strategies(), func(o *pipeline.Options, text string, _ int) { o.Strategy = text }},
		{"precisions", "float64", []string{"float64", "float32"}, func(o *pipeline.Options, text string, _ int) { o.Precision = pipeline.Precision(text) }},
		{"lanes", "0", nil, func(o *pipeline.Options, _ string, number int) { o.Lanes = number }},
		{"threads", "0", nil, func(o *pipeline.Options, _ string, number int) { o.Threads = number }},
	} {
		if given := c.String(list.flag); given != "" {
			list.value = given
		}
		before := all
		all = nil
		for _, opts := range before {
			for i, text := range strings.Split(list.value, ",") {
				number, err := strconv.Atoi(text)
				switch {
				case list.allowed == nil && err != nil:
					return nil, usagef(c.Command, "--%s: %q is no number", list.flag, text)
				case list.allowed != nil && !slices.Contains(list.allowed, text):
					return nil, usagef(c.Command, "--%s: %q: want of %s", list.flag, text, strings.Join(list.allowed, ", "))
				case list.flag == "strategies" && opts.Engine == pipeline.EngineCPU:
					if text = "auto"; i > 0 {
						continue
					}
				}
				list.set(&opts, text, number)
				all = append(all, opts)
			}
		}
	}
	for _, opts := range all {
		if err := opts.Check(); err != nil {
			return nil, err
		}
	}
	return all, nil
}
