package cli

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/gpu"
	"bcstage/internal/budget"
	"bcstage/internal/gpu/searchbench"
	"bcstage/internal/gpu/searches"
	"bcstage/pipeline"
)

func benchSearchesDescription() string {
	return `With --problem, a device searches each graph from one source at a time: from
--runs vertices, 16 if not given, of the largest component, always the same.
Every search is compared with one on a core; a difference ends the command.
Strategies search in turn, the faster ones several times from each source. The
table shows medians over the sources: milliseconds, and millions of reached
edges, each counted once, per second; and the device memory, with the graph.
Of several problems, each takes the strategies that suit it.
The first device that --device selects is used. sssp takes the lengths of
--weight, or random ones from 1 to 100. docs/searches.md describes the
strategies (direction is for bfs, near for sssp):

  ` + strings.ReplaceAll(wrap(strings.Join(names(searches.Strategies()), ", "), 76), "\n", "\n  ")
}

// searchRow is one graph under one strategy. The names of the fields are JSON keys.
type searchRow struct {
	Graph     string            `json:"graph"`
	Device    string            `json:"device"`
	Problem   searches.Problem  `json:"problem"`
	Strategy  searches.Strategy `json:"strategy"` // as asked for
	Chosen    searches.Strategy `json:"chosen"`
	Reason    string            `json:"reason,omitempty"`
	Vertices  int               `json:"n"`
	Edges     int64             `json:"m"`
	Component int               `json:"largest_component"`
	Invented  bool              `json:"random_lengths,omitempty"`
	Sources   int               `json:"sources"`
	Rounds    spread            `json:"rounds"`
	Millis    spread            `json:"milliseconds"`
	MTEPS     spread            `json:"mteps"`
	Bytes     int64             `json:"device_bytes"`
	Failed    string            `json:"failed,omitempty"` // why it could not run
}

func (p *process) benchSearches(c *urfave.Context) error {
	problems, err := listed(c, "problem", searches.Problems())
	if err != nil {
		return err
	}
	runs := 16
	if isSet(c, "runs") {
		runs = c.Int("runs")
	}
	switch {
	case c.NArg() == 0:
		return usagef(c.Command, "no GRAPHS")
	case runs < 1:
		return usagef(c.Command, "--runs %d: want 1 or more", runs)
	case isSet(c, "weight") && !slices.Contains(problems, searches.SSSP):
		return usagef(c.Command, "--weight contradicts --problem %s, which counts hops", c.String("problem"))
	}
	known := choices(problems)
	wanted, err := listed(c, "strategies", known)
	if err != nil {
		return err
	}
	base, err := p.options(c)
	if err != nil {
		return err
	}
	if err := answerable(c, base.Question, scaleRaw); err != nil {
		return err
	}
	graphs, err := benchGraphs(c)
	if err != nil {
		return err
	}
	rows := []searchRow{}
	write := newSearchTable(p.secrets.writer(p.stdout), c.Args().Slice(), known)
	for i, graph := range graphs {
		name, opts := c.Args().Get(i), base
		graph(&opts)
		debug.FreeOSMemory() // so that the graph before does not count in this one's memory limit
		err := pipeline.BenchSearches(c.Context, opts, searchbench.Bench{Problems: problems, Strategies: wanted, Sources: runs}, func(f searchbench.Figures) error {
			row := searchRowOf(name, runs, f)
			rows = append(rows, row)
			if c.Bool("json") {
				return nil
			}
			return write(row)
		})
		if err != nil {
			if !strings.Contains(err.Error(), name) {
				err = fmt.Errorf("%s: %w", name, err)
			}
			return withoutDevice(err)
		}
	}
	if c.Bool("json") {
		return p.writeJSON(p.stdout, rows)
	}
	return nil
}

// listed returns the values of a flag with a list: the named ones of known, or all.
func listed[T ~string](c *urfave.Context, flag string, known []T) ([]T, error) {
	given := c.String(flag)
	if given == "" || given == "all" {
		return known, nil
	}
	var list []T
	for _, name := range strings.Split(given, ",") {
		if !slices.Contains(known, T(name)) {
			return nil, usagef(c.Command, "--%s: %q: want all or one of %s", flag, name, strings.Join(names(known), ", "))
		}
		if slices.Contains(list, T(name)) {
			return nil, usagef(c.Command, "--%s: %s twice", flag, name)
		}
		list = append(list, T(name))
	}
	return list, nil
}

// choices returns the strategies for any of some problems, in the order of the documentation.
func choices(problems []searches.Problem) (list []searches.Strategy) {
	for _, name := range searches.Strategies() {
		if slices.ContainsFunc(problems, func(p searches.Problem) bool { return slices.Contains(searches.Choices(p), name) }) {
			list = append(list, name)
		}
	}
	return list
}

// withoutDevice adds advice to the lack of a device: there is no other engine.
func withoutDevice(err error) error {
	switch {
	case errors.Is(err, gpu.ErrNotBuilt):
		return &advised{error: err}
	case errors.Is(err, gpu.ErrNoDevice):
		return &advised{err, "bcstage devices lists devices; --device 0 takes the first, even if it is a CPU"}
	}
	return err
}

func searchRowOf(graph string, runs int, f searchbench.Figures) searchRow {
	row := searchRow{Graph: graph, Device: f.Device, Problem: f.Problem, Strategy: f.Strategy, Chosen: f.Chosen, Reason: f.Reason,
		Vertices: f.Vertices, Edges: f.Edges, Component: f.Component, Invented: f.LengthsInvented, Sources: runs, Bytes: f.Bytes}
	if f.Err != nil {
		row.Failed = describe(f.Err)
		return row
	}
	var millis, mteps, rounds []float64
	for i := range f.Seconds {
		millis, mteps = append(millis, 1e3*f.Seconds[i]), append(mteps, f.TEPS[i]/1e6)
		rounds = append(rounds, float64(f.Rounds[i]))
	}
	row.Millis, row.MTEPS, row.Rounds = spreadOf(millis), spreadOf(mteps), spreadOf(rounds)
	return row
}

func newSearchTable(w io.Writer, graphs []string, strategies []searches.Strategy) func(searchRow) error {
	columns := []string{"graph", "n", "m", "problem", "strategy", "rounds", "ms", "range", "MTEPS", "memory", "choice"}
	t := newBenchTable(w, columns, map[int]int{1: 10, 2: 10, 6: 7, 7: 13, 8: 7, 9: 8}, graphs)
	t.fit(4, names(strategies)...)
	return func(r searchRow) error {
		cells := []string{r.Graph, fmt.Sprint(r.Vertices), fmt.Sprint(r.Edges), string(r.Problem), string(r.Strategy), "-", "-", "-", "-", "-", r.Failed}
		if r.Failed == "" {
			choice := ""
			if r.Chosen != r.Strategy {
				choice = fmt.Sprintf("%s: %s", r.Chosen, r.Reason)
			}
			copy(cells[5:], []string{fmt.Sprint(r.Rounds.Median), fmt.Sprintf("%.3g", r.Millis.Median),
				fmt.Sprintf("%.3g-%.3g", r.Millis.Min, r.Millis.Max), fmt.Sprintf("%.4g", r.MTEPS.Median), budget.Text(r.Bytes), choice})
		}
		return t.add(true, cells) // a search that fails is a finding
	}
}
