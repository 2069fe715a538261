package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	pathpkg "path"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli/internal/report"
	"bcstage/pipeline"
)

func (p *process) reportCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "report",
		Usage:     "draw the scores and the cost of a run as a page",
		ArgsUsage: "FILE",
		Description: `Reads a FILE of scores in Arrow or Parquet, of vertices or from run
--edge-scores of edges, and draws one self-contained HTML page. It shows the
highest scores and their distribution, and every other measure in FILE against
the first; with --edges, degree, too, by the columns of the run; of an estimate,
its intervals; with --stats, the call, its time and place, and its cost. A map
shows the vertices if a column of run --keep has points or lines (geometries of
GeoParquet, WKB or WKT), or if two columns of numbers are called lon and lat,
lng and lat, longitude and latitude, or x and y. For scores of edges, --vertices
names a table of scores with these columns. Flags are also variables
BCSTAGE_REPORT_<FLAG>.`,
		UsageText: `bcstage edges.csv -o scores.parquet --stats run.json
bcstage report scores.parquet --stats run.json --edges edges.csv -o page.html
bcstage report scores.parquet --png pictures`,
		Action: p.report,
	}
}

func (p *process) report(c *urfave.Context) error {
	page, folder := c.String("output"), c.String("png")
	plain, _ := cutCompression(c.Args().First())
	switch {
	case c.NArg() != 1:
		return usagef(c.Command, "want one FILE of scores, got %d", c.NArg())
	case slices.Contains([]string{".csv", ".jsonl", ".ndjson"}, strings.ToLower(filepath.Ext(plain))):
		return &usageError{c.Args().First() + ": want scores in Arrow or Parquet", "write them with run -o scores.parquet"}
	case c.Int("top") < 1:
		return usagef(c.Command, "--top %d: want 1 or more", c.Int("top"))
	case isURL(folder):
		return &usageError{"--png needs a folder on this machine", "--output can write the page to an object store"}
	case page == "" && folder == "" && isTerminal(p.stdout):
		return &usageError{"a page is not written to a terminal", "use -o FILE or a pipe; -o - writes it to the terminal"}
	}
	if page == "" && folder == "" {
		page = "-"
	}
	if err := p.writable(c.Context, page); err != nil {
		return err
	}
	data, err := p.reportData(c)
	if err != nil {
		return err
	}
	if folder != "" {
		if err := p.writePlots(c.Context, data, folder); err != nil || page == "" {
			return err
		}
	}
	return p.create(c.Context, page, func(w io.Writer) error {
		return p.secrets.whole(w, func(w io.Writer) error { return report.Write(w, data) })
	})
}

func (p *process) writePlots(ctx context.Context, data report.Data, folder string) error {
	plots, err := report.Plots(data)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, plot := range plots {
		if err := p.create(ctx, filepath.Join(folder, plot.Name+".png"), plot.PNG); err != nil {
			return err
		}
	}
	return nil
}

// reportData reads the data of a page.
func (p *process) reportData(c *urfave.Context) (report.Data, error) {
	path := c.Args().First()
	if _, err := p.filesOf(c.Context, []string{path}); err != nil { // a table of a lake may list deleted files
		return report.Data{}, err
	}
	data := report.Data{Title: nameOf(path), Version: pipeline.Version()}
	scores, err := arrowio.ReadTable(c.Context, p.inputs(tables.Options{Paths: []string{path}, Stdin: p.stdin, Threads: c.Int("threads")}))
	if err != nil {
		return data, err
	}
	if len(scores.Columns) == 0 || scores.Metadata.Value("partial") != "" {
		return data, fmt.Errorf("%w: %s: no column of scores; a partial result has none", tables.ErrInput, path)
	}
	if i := scores.Column(tables.ScoreColumn); i > 0 && scores.Metadata.Value("fingerprint") == "" { // of another program, whose first column need not rank the rows
		score := scores.Columns[i]
		scores.Columns = slices.Insert(slices.Delete(scores.Columns, i, i+1), 0, score)
	}
	if data.OfEdges = scores.Floats(tables.EdgeScoreColumn) != nil; data.OfEdges && isSet(c, "edges") {
		return data, usagef(c.Command, "%s: scores of edges have no degrees: --edges is for scores of vertices", path)
	}
	values := scoresOf(&scores)
	for _, entry := range scores.Metadata { // names of columns, from the run's arguments
		entry.Value = secretsOf([]string{entry.Value}, nil).mask(entry.Value)
		data.Metadata = append(data.Metadata, entry)
	}
	data.Columns, data.Kept = columnsOf(&scores), keptOf(&scores)
	src, dst := c.String("src"), c.String("dst")
	if top := scores.Metadata.Value("top"); top != "" {
		return data, fmt.Errorf("%w: %s: has the %s highest scores only; a report needs all", tables.ErrInput, path, top)
	}
	if !isSet(c, "src") && !isSet(c, "dst") {
		src, dst = cmp.Or(scores.Metadata.Value(tables.SrcKey), src), cmp.Or(scores.Metadata.Value(tables.DstKey), dst)
	}
	if path := c.String("stats"); path != "" {
		if data.Stats, err = p.readStats(path, len(values), data.OfEdges); err != nil {
			return data, err
		}
		if run := data.Stats.Run; run != nil && len(run.Inputs) > 0 && run.Inputs[0] != "-" {
			data.Title = nameOf(run.Inputs[0])
		}
	}
	if path := c.String("edges"); path != "" {
		if path, err = p.copied(c.Context, path); err != nil {
			return data, err
		}
		opts := pipeline.Options{Compute: pipeline.Compute{Threads: c.Int("threads")}, Input: pipeline.Input{Read: arrowio.Read, Files: p.inputs(tables.Options{
			Paths: []string{path}, Src: src, Dst: dst,
			Header: tables.Header(c.String("header")), Nulls: tables.Nulls(c.String("nulls")), IDs: tables.IDs(c.String("ids")), IgnoreWeight: c.Bool("ignore-weight"),
		})}}
		degrees, err := pipeline.Degrees(c.Context, &scores, opts)
		if err != nil {
			return data, err
		}
		data.Columns = slices.DeleteFunc(data.Columns, func(c report.Column) bool { return c.Name == report.DegreeColumn })
		data.Columns = append(data.Columns, report.Column{Name: report.DegreeColumn, Values: tables.Ints(degrees).Numbers(), Whole: true})
	}
	if path := c.String("vertices"); path != "" {
		if data.Ends, err = p.endsOf(c, &scores, path); err != nil {
			return data, err
		}
	}
	columns, format := scores.Names()
	if data.Names = slices.Clone(columns); data.OfEdges {
		data.Names[len(columns)-1] = "dst"
	} else {
		data.Graphs = graphsOf(&scores, c.Int("top"))
	}
	top := highest(values, c.Int("top"))
	ranks := ranksOf(&scores, top)
	for i, v := range top {
		row := report.Vertex{Row: int(v), Rank: ranks[i]}
		for column := range columns {
			row.ID = append(row.ID, printable(string(format(nil, column, int(v)))))
		}
		data.Top = append(data.Top, row)
	}
	return data, nil
}

// nameOf is the name of a table: its file without endings, or the folder of a pattern's files.
func nameOf(path string) string {
	plain, _ := cutCompression(filepath.ToSlash(path))
	for plain = strings.TrimRight(plain, "/"); strings.ContainsAny(pathpkg.Base(plain), "*?[="); { // a pattern, or a partition
		plain = pathpkg.Dir(plain)
	}
	name := pathpkg.Base(plain)
	if name == "." { // the current folder's
		return path
	}
	return cmp.Or(strings.TrimSuffix(name, pathpkg.Ext(name)), name)
}

// ranksOf returns the ranks of some rows, each within its graph: 1 plus the number of higher scores in the
// graph. The graph of an edge is named by the columns before its ends.
func ranksOf(t *tables.Table, rows []uint32) []int {
	ends := []string{}
	if t.Floats(tables.EdgeScoreColumn) != nil {
		ends = []string{tables.SideSrc, tables.SideSrc + "_" + tables.SideColumn, tables.SideDst + "_" + tables.SideColumn}
	}
	graphs, numbers := make([]int, t.Graphs()), map[string]int{} // by the names of a row's graph
	for g := range graphs {
		name := ""
		for _, c := range t.By {
			if !slices.Contains(ends, c.Name) {
				name += strconv.Quote(c.Type.Format(c.Keys, g))
			}
		}
		number, known := numbers[name]
		if !known {
			number = len(numbers)
			numbers[name] = number
		}
		graphs[g] = number
	}
	scores := scoresOf(t)
	sorted := make([][]float64, len(numbers)) // of the graphs of the rows
	for _, row := range rows {
		sorted[graphs[t.GraphOf(int(row))]] = []float64{}
	}
	for row, score := range scores {
		if g := graphs[t.GraphOf(row)]; sorted[g] != nil {
			sorted[g] = append(sorted[g], score)
		}
	}
	for _, of := range sorted {
		sort.Sort(sort.Float64Slice(of))
	}
	ranks := make([]int, len(rows))
	for i, row := range rows {
		of := sorted[graphs[t.GraphOf(int(row))]]
		ranks[i] = 1 + len(of) - sort.Search(len(of), func(i int) bool { return of[i] > scores[row] })
	}
	return ranks
}

// columnsOf returns the columns of a table.
func columnsOf(t *tables.Table) (columns []report.Column) {
	for _, c := range t.Columns {
		columns = append(columns, report.Column{Name: c.Name, Values: c.Values.Numbers(), Whole: isWhole(c)})
	}
	return columns
}

// keptOf returns the kept columns of a table.
func keptOf(t *tables.Table) (kept []report.Kept) {
	names, format := arrowio.KeptText(t)
	for column, name := range names {
		kept = append(kept, report.Kept{Name: name, Text: func(row int) string {
			if text := format(nil, column, row); len(text) > 0 {
				return printable(string(text))
			}
			return ""
		}})
	}
	return kept
}

// graphsOf lists the graphs of most vertices, each with its highest score.
func graphsOf(t *tables.Table, most int) *report.Graphs {
	if len(t.By) == 0 {
		return nil
	}
	scores := scoresOf(t)
	list := make([]report.Graph, t.Graphs())
	order := make([]int, len(list))
	best := make([]int, len(list))
	for g := range list {
		order[g], best[g] = g, -1
	}
	for v := range scores {
		g := t.GraphOf(v)
		list[g].Vertices++
		if best[g] < 0 || scores[v] > scores[best[g]] {
			best[g] = v
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return list[order[i]].Vertices > list[order[j]].Vertices })
	graphs := &report.Graphs{Count: len(list)}
	columns, format := t.Names()
	graphs.Names = columns[:len(t.By)]
	for _, g := range order[:min(len(order), most)] {
		row := list[g]
		for column := range columns {
			text := printable(string(format(nil, column, best[g])))
			if column < len(t.By) {
				row.Name = append(row.Name, text)
			} else {
				row.Highest = strings.TrimSpace(row.Highest + " " + text)
			}
		}
		row.Score = scores[best[g]]
		graphs.Largest = append(graphs.Largest, row)
	}
	return graphs
}

// readStats reads the statistics of a run that has written n scores, of vertices or edges.
func (p *process) readStats(path string, n int, edges bool) (*report.Stats, error) {
	text, err := p.readFile(path)
	if err != nil {
		return nil, err
	}
	var stats report.Stats
	if err := json.Unmarshal(text, &stats); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", tables.ErrInput, path, err)
	}
	known, of := stats.Vertices, "vertices"
	if edges {
		known, of = int(stats.Edges), "edges"
	}
	if known != n {
		return nil, fmt.Errorf("%w: %s: statistics of %d %s, but %d have a score: of another run", tables.ErrInput, path, known, of, n)
	}
	return &stats, nil
}
