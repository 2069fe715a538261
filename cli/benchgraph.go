package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio/tables"
	"bcstage/cli/internal/generate"
	"bcstage/internal/parallel"
	"bcstage/pipeline"
)

// benchGraphs returns the graphs that the arguments name.
func benchGraphs(c *urfave.Context) (graphs []func(*pipeline.Options), err error) {
	for _, name := range c.Args().Slice() {
		graph, err := benchGraph(c, name)
		if err != nil {
			return nil, err
		}
		graphs = append(graphs, graph)
	}
	return graphs, nil
}

// benchGraph returns the source of a named graph: a kind to generate, as in kron:scale=14,seed=2,
// or a file.
func benchGraph(c *urfave.Context, name string) (func(*pipeline.Options), error) {
	kindName, list, more := strings.Cut(name, ":")
	kind, err := generate.Find(kindName)
	if err != nil {
		if name == "-" {
			return nil, usagef(c.Command, "stdin can be read only once: name a file")
		}
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) && strings.Contains(list, "=") {
			return nil, &usageError{fmt.Sprintf("no kind of graph and no file %q", name), "see bcstage generate --help for the kinds"}
		}
		return func(o *pipeline.Options) { o.Files.Paths, o.Source = []string{name}, nil }, nil
	}
	given := kind.Defaults
	for _, item := range strings.Split(list, ",") {
		if !more {
			break
		}
		parameter, value, _ := strings.Cut(item, "=")
		if !slices.Contains(kind.Takes, parameter) {
			return nil, &usageError{fmt.Sprintf("%s: %s has no %q", name, kind.Name, parameter), "it takes " + strings.Join(kind.Takes, ", ")}
		}
		if err := setParameter(&given, parameter, value); err != nil {
			return nil, usagef(c.Command, "%s: %s %q: %v", name, parameter, value, err)
		}
	}
	edges, err := kind.Edges(given)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return func(o *pipeline.Options) { o.Source = sourceOf(edges) }, nil
}

// setParameter sets a parameter from the text of a flag's value.
func setParameter(p *generate.Parameters, name, value string) (err error) {
	read := func(is kind) (text string) {
		text, err = (&flag{is: is}).read(value)
		return text
	}
	switch to := parameters(p)[name].(type) {
	case *float64:
		*to, _ = strconv.ParseFloat(read(numberValue), 64)
	case *uint64:
		*to, _ = strconv.ParseUint(read(seedValue), 10, 64)
	case *int:
		*to, _ = strconv.Atoi(read(wholeValue))
	}
	return err
}

// rowsPerBatch keeps a batch of generated edges in a core's cache.
const rowsPerBatch = 1 << 14

// sourceOf makes a source of edges without a file.
func sourceOf(edges generate.Edges) pipeline.Source {
	return func(ctx context.Context, out chan<- tables.Batch) (tables.Summary, error) {
		defer close(out)
		var summary tables.Summary
		var src, dst []uint64
		send := func() error {
			if len(src) == 0 {
				return nil
			}
			if err := parallel.Send(ctx, out, tables.Batch{Src: tables.Keys{Ints: src}, Dst: tables.Keys{Ints: dst}}); err != nil {
				return err
			}
			summary.Rows += int64(len(src))
			src, dst = nil, nil // they belong to the receiver now
			return nil
		}
		for u, v := range edges {
			if src == nil {
				src, dst = make([]uint64, 0, rowsPerBatch), make([]uint64, 0, rowsPerBatch)
			}
			src, dst = append(src, u), append(dst, v)
			if len(src) == rowsPerBatch {
				if err := send(); err != nil {
					return summary, err
				}
			}
		}
		return summary, send()
	}
}
