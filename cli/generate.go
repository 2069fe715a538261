package cli

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli/internal/generate"
)

func (p *process) generateCommand() *urfave.Command {
	return &urfave.Command{
		Name:        "generate",
		Usage:       "make a benchmark graph",
		ArgsUsage:   "KIND",
		Description: generateDescription,
		UsageText: `bcstage generate kron --scale 17 -o kron17.parquet
bcstage generate smallworld --n 100000 --k 10 --p 0.1 | bcstage info
bcstage generate grid --rows 300 --cols 400 --format edgelist
bcstage generate road -o streets.csv --vertices places.csv --trips trips.csv`,
		Action: p.generate,
	}
}

const generateDescription = `Writes the edges of a graph that its KIND, numbers and seed determine, in memory
that does not depend on its size. Edges of road also have columns length, in
metres, and oneway; an edge list has their ends alone. Its own flags are also
variables BCSTAGE_GENERATE_<FLAG>. The kinds, and their flags:

`

// generateHelp has a line per kind.
func generateHelp() string {
	var text strings.Builder
	for _, k := range generate.Kinds() {
		takes := ""
		for _, name := range k.Takes {
			if name != "seed" {
				takes += fmt.Sprintf(" --%s %v", name, reflect.ValueOf(parameters(&k.Defaults)[name]).Elem())
			}
		}
		fmt.Fprintf(&text, "  %-12s%-28s %s\n", k.Name, takes, k.Usage)
	}
	return strings.TrimRight(text.String(), "\n")
}

func (p *process) generate(c *urfave.Context) error {
	if c.NArg() != 1 {
		return usagef(c.Command, "want one KIND of graph, got %d", c.NArg())
	}
	kind, err := generate.Find(c.Args().First())
	if err != nil {
		failed := usagef(c.Command, "no kind of graph %q", c.Args().First())
		if near := nearest(c.Args().First(), graphKinds()); near != "" {
			failed.hint = "did you mean " + near + "?"
		}
		return failed
	}
	for _, f := range rowsOf(c.Command) {
		if f.group == groupGraph && f.given && !slices.Contains(kind.Takes, f.name) {
			return &usageError{fmt.Sprintf("%s has no --%s", kind.Name, f.name), "it takes --" + strings.Join(kind.Takes, ", --")}
		}
	}
	given := kind.Defaults
	for name := range parameters(&given) {
		if isSet(c, name) {
			if err := setParameter(&given, name, c.String(name)); err != nil {
				return err
			}
		}
	}
	if given.Threads = c.Int("threads"); given.Threads < 0 {
		return usagef(c.Command, "--threads %d: want 0 or more", given.Threads)
	}
	edges, err := kind.Edges(given)
	if err != nil {
		return err
	}
	path, format := c.String("output"), tables.Format(c.String("format"))
	if format == "" {
		text := map[string]tables.Format{".csv": tables.FormatCSV, ".txt": tables.FormatEdgeList, ".edges": tables.FormatEdgeList}
		if format, err = byEnding(path, tables.FormatCSV, text); err != nil {
			return err
		}
	}
	if err := compressible(path, format); err != nil {
		return err
	}
	if isBinary(format) && path == "" && isTerminal(p.stdout) {
		return &usageError{fmt.Sprintf("%s is not written to a terminal", format), "use -o FILE or a pipe; -o - writes it to the terminal"}
	}
	city, has := kind.City(given)
	beside := []struct {
		flag string
		tables.Rows
		to edgeFile
	}{{flag: "vertices", Rows: city.Vertices}, {flag: "trips", Rows: city.Trips}}
	for i, table := range beside {
		if isSet(c, table.flag) && !has {
			return &usageError{fmt.Sprintf("%s has no --%s", kind.Name, table.flag), "road has it"}
		}
		if beside[i].to, err = p.besideScores(c, table.flag); err != nil {
			return err
		}
	}
	rows := func(to edgeFile, rows tables.Rows) error {
		return p.create(c.Context, to.path, compressed(to.path, func(w io.Writer) error { return arrowio.WriteRows(c.Context, w, to.format, given.Threads, rows) }))
	}
	for _, table := range beside {
		if table.to.path != "" {
			if err := rows(table.to, table.Rows); err != nil {
				return err
			}
		}
	}
	if has && format != tables.FormatEdgeList {
		return rows(edgeFile{path, format}, city.Streets)
	}
	return p.create(c.Context, path, compressed(path, func(w io.Writer) error { return arrowio.WriteEdges(c.Context, w, format, given.Threads, edges) }))
}

// parameters returns the parameters by the names of their flags.
func parameters(p *generate.Parameters) map[string]any {
	return map[string]any{
		"scale": &p.Scale, "edge-factor": &p.EdgeFactor, "n": &p.N, "k": &p.K, "p": &p.P,
		"rows": &p.Rows, "cols": &p.Cols, "seed": &p.Seed,
	}
}
