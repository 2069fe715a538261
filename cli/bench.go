package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/cpu"
	"bcstage/gpu"
	"bcstage/internal/engine"
	"bcstage/pipeline"
)

func (p *process) benchCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "bench",
		Usage:     "measure graphs under several options",
		ArgsUsage: "GRAPHS...",
		Description: `Runs each graph several times under each combination of the options, in
turn, discards the scores, and shows medians. A graph is a file as for run, or
a graph of generate: KIND, or KIND:NAME=VALUE,... (./KIND is a file of that
name).

GTEPS is vertices times edges of the graph as read, per second of computing, in
billions. Total seconds include reading or making the graph. Engine cpu has no
strategies and is measured once for all of them. A configuration without a
device or memory shows the reason in its row; any other failure ends the
command. With --walks or --sets the table shows the walk of the largest block,
and the time of each walk relative to the chosen one. The variables of
--problem, --runs and all lists except --device begin with BCSTAGE_BENCH_.

` + benchSearchesDescription(),
		UsageText: `bcstage bench --engines cpu,gpu --precisions float64,float32 edges.parquet
bcstage bench --threads 1,2,4 kron:scale=14,edge-factor=16
bcstage bench --walks all --sets all --threads 1 edges.parquet
bcstage bench --json smallworld:n=100000,k=10,p=0.1 | jq '.[].gteps.median'
bcstage bench --problem bfs --strategies queue,workload rmat:scale=18`,
		Action: p.bench,
	}
}

// configuration is one combination of options.
type configuration struct {
	Graph     string             `json:"graph"`
	Engine    pipeline.Engine    `json:"engine"`
	Strategy  string             `json:"strategy"` // as asked for
	Walk      string             `json:"walk"`     // as asked for
	Set       string             `json:"set"`      // as asked for
	Precision pipeline.Precision `json:"precision"`
	Lanes     int                `json:"lanes"` // as asked for
	Threads   int                `json:"threads"`
	Runs      int                `json:"runs"`
}

// measurement is a row: one graph under one configuration. The names of the fields are JSON keys.
type measurement struct {
	configuration

	Vertices int    `json:"n"`
	Edges    int64  `json:"m"`
	GTEPS    spread `json:"gteps"`
	Compute  spread `json:"compute_seconds"`
	Total    spread `json:"total_seconds"`

	LargestRelative float64 `json:"self_check_largest_relative_difference"` // of all runs
	// These are of the last run.
	Machine      string                  `json:"machine"`
	Engines      []pipeline.EngineStat   `json:"engines,omitempty"`
	Walks        []pipeline.Choice       `json:"choices,omitempty"`
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

// spreadOf takes at least one value; the median of an even number is the mean of the two in the middle.
func spreadOf(values []float64) spread {
	sorted := slices.Clone(values)
	sort.Sort(sort.Float64Slice(sorted))
	n := len(sorted)
	return spread{(sorted[(n-1)/2] + sorted[n/2]) / 2, sorted[0], sorted[n-1]}
}

func (p *process) bench(c *urfave.Context) error {
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
	write := newTable(c, p.secrets.writer(p.stdout), all)
	var failed error // the first, returned if nothing could run
	ran, noted := false, map[string]bool{}
	for i, graph := range graphs {
		measured, err := p.benchGraph(c, graph, all, runs)
		if err != nil {
			if name := c.Args().Get(i); !strings.Contains(err.Error(), name) {
				err = fmt.Errorf("%s: %w", name, err)
			}
			return err
		}
		for _, s := range measured {
			ran = ran || s.failed == nil
			if failed == nil {
				failed = s.failed
			}
			told := func(text string) bool {
				before := noted[text]
				noted[text] = true
				return before
			}
			row := s.row()
			p.console.tell(slices.DeleteFunc(slices.Clone(row.Notes), told), slices.DeleteFunc(slices.Clone(row.Warnings), told))
			row.Graph = c.Args().Get(i)
			rows = append(rows, row)
			if !c.Bool("json") {
				if err := write(row); err != nil {
					return err
				}
			}
		}
	}
	if !ran {
		return failed
	}
	if c.Bool("json") {
		return p.writeJSON(p.stdout, rows)
	}
	return nil
}

// newTable returns a function that writes measurements as they are made.
func newTable(c *urfave.Context, w io.Writer, all []pipeline.Options) func(measurement) error {
	if c.String("walks") != "" || c.String("sets") != "" {
		return newWalkTable(w, c.Args().Slice(), all)
	}
	return newRunTable(w, c.Args().Slice(), all)
}

// benchGraph measures a graph under all configurations in turn, so that a slow phase of the machine slows all of them.
// A configuration that cannot run says why. If all walks are asked for, walks that suit no block are left out; if all
// sets, sets without kernels for a walk.
func (p *process) benchGraph(c *urfave.Context, graph func(*pipeline.Options), all []pipeline.Options, runs int) ([]*series, error) {
	measured := make([]*series, len(all))
	for i, opts := range all {
		graph(&opts)
		asked := configuration{Engine: opts.Engine, Strategy: opts.Strategy, Walk: opts.Walk, Set: opts.Set, Precision: opts.Precision, Lanes: opts.Lanes, Threads: opts.Threads}
		measured[i] = &series{opts: opts, of: measurement{configuration: asked, Machine: machineName()}}
	}
	for run := range runs {
		for _, s := range measured {
			if s.failed != nil {
				continue
			}
			err := p.runOnce(c, s)
			if err != nil && (c.Context.Err() != nil || !cannotRun(err)) {
				return nil, err
			}
			s.failed = err
		}
		if run == 0 {
			measured = slices.DeleteFunc(measured, func(s *series) bool {
				return c.String("walks") == allWalks && errors.Is(s.failed, engine.ErrWalk) || c.String("sets") == allWalks && s.otherSet()
			})
		}
	}
	return measured, nil
}

// cannotRun reports whether the machine or the walk is the cause of an error, so that other configurations may work.
func cannotRun(err error) bool {
	classes := []error{gpu.ErrNoDevice, gpu.ErrNotBuilt, gpu.ErrDevice, pipeline.ErrMemory, engine.ErrWalk}
	return slices.ContainsFunc(classes, func(class error) bool { return errors.Is(err, class) })
}

// configurations returns all combinations of the lists, after checking the pipeline's limits: the last must not fail
// after an hour.
func configurations(c *urfave.Context, base pipeline.Options) ([]pipeline.Options, error) {
	all := []pipeline.Options{base}
	for _, list := range []struct {
		flag, value string // value: if not given
		allowed     []string
		set         func(opts *pipeline.Options, text string, number int)
	}{
		{"engines", "auto", []string{"auto", "cpu", "gpu"}, func(o *pipeline.Options, text string, _ int) { o.Engine = pipeline.Engine(text) }},
		{"strategies", "auto", strategies(), func(o *pipeline.Options, text string, _ int) { o.Strategy = text }},
		{"walks", "auto", walks(), func(o *pipeline.Options, text string, _ int) { o.Walk = text }},
		{"sets", "auto", sets(), func(o *pipeline.Options, text string, _ int) { o.Set = text }},
		{"precisions", "float64", []string{"float64", "float32"}, func(o *pipeline.Options, text string, _ int) { o.Precision = pipeline.Precision(text) }},
		{"lanes", "0", nil, func(o *pipeline.Options, _ string, number int) { o.Lanes = number }},
		{"threads", "0", nil, func(o *pipeline.Options, _ string, number int) { o.Threads = number }},
	} {
		switch given := c.String(list.flag); {
		case given == allWalks && list.flag == "walks":
			list.value = strings.Join(walks(), ",")
		case given == allWalks && list.flag == "sets":
			list.value = strings.Join(cpu.Sets(), ",")
		case given != "":
			list.value = given
		case list.flag == "engines" && (c.String("walks") != "" || c.String("sets") != ""):
			list.value = string(pipeline.EngineCPU)
		}
		before := all
		all = nil
		for _, opts := range before {
			for i, text := range strings.Split(list.value, ",") {
				spelt, err := (&flag{is: wholeValue}).read(text)
				number, _ := strconv.Atoi(spelt)
				switch {
				case list.allowed == nil && err != nil:
					return nil, usagef(c.Command, "--%s: %q: %v", list.flag, text, err)
				case list.allowed != nil && !slices.Contains(list.allowed, text):
					return nil, usagef(c.Command, "--%s: %q: want one of %s", list.flag, text, strings.Join(list.allowed, ", "))
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
