package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/cli/internal/generate"
)

func (p *process) generateCommand() *urfave.Command {
	t := table{environment: "BCSTAGE_GENERATE_"}
	return &urfave.Command{
		Name:        "generate",
		Usage:       "make a benchmark graph",
		ArgsUsage:   "KIND",
		Description: generateDescription(),
		UsageText: `bcstage generate kron --scale 17 -o kron17.parquet
bcstage generate smallworld --n 100000 --k 10 --p 0.1 | bcstage info
bcstage generate grid --rows 300 --cols 400 --format edgelist`,
		Flags: []urfave.Flag{
			t.number(groupGraph, "scale", "`S` 2^S vertices", 0),
			t.number(groupGraph, "edge-factor", "`F` edges per vertex", 0),
			t.number(groupGraph, "n", "`N` vertices, or links of a chain", 0),
			t.number(groupGraph, "k", "`K` neighbours, children, leaves or edges per vertex", 0),
			&urfave.Float64Flag{Name: "p", Category: groupGraph, Usage: "`P` probability", EnvVars: t.variables("p")},
			t.number(groupGraph, "rows", "`R` rows or layers", 0),
			t.number(groupGraph, "cols", "`C` columns, or vertices per layer", 0),
			&urfave.Uint64Flag{Name: "seed", Category: groupGraph, Usage: "`SEED` equal seeds give equal graphs; 1 if not given", EnvVars: t.variables("seed")},
			t.text(groupOutput, "output", "`FILE` write the edges to FILE, in the format of its extension; - is stdout", "o"),
			t.choice(groupOutput, "format", "`FORMAT` format, whatever the extension; csv on stdout", append([]string{""}, names(arrowio.EdgeFormats())...)...),
		},
		Action: p.generate,
	}
}

func generateDescription() string {
	var text strings.Builder
	text.WriteString(`Writes the edges of a graph that its KIND, numbers and seed determine, in memory
that does not depend on its size. Flags are also variables
BCSTAGE_GENERATE_<FLAG>. The kinds, and what they take:

`)
	for _, k := range generate.Kinds() {
		takes := ""
		for _, name := range k.Takes {
			if name != "seed" {
				takes += fmt.Sprintf(" --%s %v", name, parameter(k.Defaults, name))
			}
		}
		fmt.Fprintf(&text, "  %-11s%-29s%s\n", k.Name, takes, k.Usage)
	}
	return strings.TrimRight(text.String(), "\n")
}

// parameter is the value of a parameter by the name of its flag.
func parameter(p generate.Parameters, name string) any {
	return map[string]any{
		"scale": p.Scale, "edge-factor": p.EdgeFactor, "n": p.N, "k": p.K, "p": p.P,
		"rows": p.Rows, "cols": p.Cols, "seed": p.Seed,
	}[name]
}

func (p *process) generate(c *urfave.Context) error {
	if c.NArg() != 1 {
		return usagef(c.Command, "want one KIND of graph, got %d", c.NArg())
	}
	kind, err := generate.Find(c.Args().First())
	if err != nil {
		failed := usagef(c.Command, "no kind of graph %q", c.Args().First())
		var names []string
		for _, k := range generate.Kinds() {
			names = append(names, k.Name)
		}
		if near := nearest(c.Args().First(), names); near != "" {
			failed.hint = "did you mean " + near + "?"
		}
		return failed
	}
	for _, f := range c.Command.Flags {
		name := nameOf(f)
		if f.(urfave.CategorizableFlag).GetCategory() == groupGraph && isSet(c, name) && !slices.Contains(kind.Takes, name) {
			return &usageError{fmt.Sprintf("%s has no --%s", kind.Name, name), "it takes --" + strings.Join(kind.Takes, ", --")}
		}
	}
	edges, err := kind.Edges(p.parameters(c, kind.Defaults))
	if err != nil {
		return err
	}
	path, format := c.String("output"), arrowio.Format(chosen(c, "format"))
	if format == "" {
		if format, err = edgeFormat(path); err != nil {
			return err
		}
	}
	if err := compressible(path, format); err != nil {
		return err
	}
	if isBinary(format) && path == "" && isTerminal(p.stdout) {
		return &usageError{fmt.Sprintf("%s is not written to a terminal", format), "-o FILE or a pipe takes it; -o - writes it all the same"}
	}
	return p.create(c.Context, path, compressed(path, func(w io.Writer) error { return arrowio.WriteEdges(c.Context, w, format, edges) }))
}

// parameters are the flags that were given, over a kind's defaults.
func (p *process) parameters(c *urfave.Context, given generate.Parameters) generate.Parameters {
	for name, number := range integers(&given) {
		if isSet(c, name) {
			*number = c.Int(name)
		}
	}
	if isSet(c, "p") {
		given.P = c.Float64("p")
	}
	if isSet(c, "seed") {
		given.Seed = c.Uint64("seed")
	}
	return given
}

// integers are the parameters that are ints, by the names of their flags.
func integers(p *generate.Parameters) map[string]*int {
	return map[string]*int{
		"scale": &p.Scale, "edge-factor": &p.EdgeFactor, "n": &p.N, "k": &p.K,
		"rows": &p.Rows, "cols": &p.Cols,
	}
}

// edgeFormat is the format that a file's ending names.
func edgeFormat(path string) (arrowio.Format, error) {
	return byEnding(path, arrowio.FormatCSV, map[string]arrowio.Format{
		".csv": arrowio.FormatCSV, ".txt": arrowio.FormatEdgeList, ".edges": arrowio.FormatEdgeList,
	})
}
