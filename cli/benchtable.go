package cli

import (
	"fmt"
	"io"
	"strings"

	"bcstage/pipeline"
)

// benchTable writes lines as they are measured, so that the last one cannot lose an hour's work, and progress is
// visible. Lines that could not run wait for one that could: without any, there is no table.
type benchTable struct {
	w       io.Writer
	title   string // before the names of the columns
	columns []string
	widths  []int // of all columns but the last
	waiting string
	begun   bool
}

// newBenchTable has columns of the given least widths, by column. Graphs are named in the first.
func newBenchTable(w io.Writer, columns []string, least map[int]int, graphs []string) *benchTable {
	t := &benchTable{w: w, columns: columns}
	for i, name := range columns[:len(columns)-1] {
		t.widths = append(t.widths, max(len(name), least[i]))
	}
	t.fit(0, graphs...)
	return t
}

// fit widens a column for some values.
func (t *benchTable) fit(column int, values ...string) {
	for _, value := range values {
		t.widths[column] = max(t.widths[column], len(value))
	}
}

// add adds a line; ran is false for one that could not run.
func (t *benchTable) add(ran bool, cells []string) error {
	if !t.begun && t.waiting == "" {
		t.waiting = t.title + t.aligned(t.columns)
	}
	t.waiting += t.aligned(cells)
	if t.begun = t.begun || ran; !t.begun {
		return nil
	}
	_, err := io.WriteString(t.w, t.waiting)
	t.waiting = ""
	return err
}

// aligned formats a line.
func (t *benchTable) aligned(cells []string) string {
	var line strings.Builder
	for i, width := range t.widths {
		fmt.Fprintf(&line, "%-*s  ", width, cells[i])
	}
	return strings.TrimRight(line.String()+cells[len(cells)-1], " ") + "\n"
}

// newRunTable writes runs. Seconds and GTEPS are medians; the range is of GTEPS.
func newRunTable(w io.Writer, graphs []string, all []pipeline.Options) func(measurement) error {
	columns := []string{"graph", "n", "m", "engine", "strategy", "precision", "lanes", "threads", "GTEPS", "range", "compute s", "total s", "check", "shares and choices"}
	// Widths of unknown values: counts of up to ten digits, and figures of three.
	t := newBenchTable(w, columns, map[int]int{1: 10, 2: 10, 8: 7, 9: 13}, graphs)
	for _, opts := range all {
		t.fit(3, string(opts.Engine))
		t.fit(4, opts.Strategy)
		t.fit(5, string(opts.Precision))
	}
	return func(r measurement) error {
		cells := []string{r.Graph, "-", "-", string(r.Engine), r.Strategy, string(r.Precision), fmt.Sprint(r.Lanes), fmt.Sprint(r.Threads), "-", "-", "-", "-", "-", r.Failed}
		if r.Failed == "" {
			cells[1], cells[2] = fmt.Sprint(r.Vertices), fmt.Sprint(r.Edges)
			copy(cells[8:], []string{
				fmt.Sprintf("%.3g", r.GTEPS.Median), fmt.Sprintf("%.3g-%.3g", r.GTEPS.Min, r.GTEPS.Max),
				fmt.Sprintf("%.3g", r.Compute.Median), fmt.Sprintf("%.3g", r.Total.Median), fmt.Sprintf("%.1e", r.LargestRelative), r.remarks(),
			})
		}
		return t.add(r.Failed == "", cells)
	}
}

// remarks lists the engines' shares and each device's choice for its largest block.
func (m measurement) remarks() string {
	var parts []string
	for _, e := range m.Engines {
		part := fmt.Sprintf("%s %.0f%%", e.Name, 100*e.Share)
		if e.Failed != "" {
			part += " (failed: " + e.Failed + ")"
		}
		parts = append(parts, part)
	}
	largest := map[string]pipeline.DeviceChoice{}
	var devices []string
	for _, choice := range m.Choices {
		before, known := largest[choice.Device]
		if !known {
			devices = append(devices, choice.Device)
		}
		if !known || choice.Vertices > before.Vertices {
			largest[choice.Device] = choice
		}
	}
	for _, name := range devices {
		choice := largest[name]
		what := fmt.Sprintf("%s, %d lanes, %d packs", choice.Strategy, choice.Lanes, choice.Packs)
		if choice.Declined != "" {
			what = "declined, " + choice.Declined
		}
		parts = append(parts, name+": "+what)
	}
	return strings.Join(parts, "; ")
}
