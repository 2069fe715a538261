package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/pipeline/internal/change"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// preparedGraph is an open file of Prepare.
type preparedGraph struct {
	*preprocess.Prepared
	about about
	names names
}

// openPrepared opens a prepared graph whose edges are those of the question: they have its directions and lengths.
func openPrepared(ctx context.Context, path string, asked question.Question, threads int) (*preparedGraph, error) {
	file, err := preprocess.OpenPrepared(ctx, path, threads)
	if err != nil {
		return nil, err
	}
	g := &preparedGraph{Prepared: file}
	edges := question.Question{Directed: asked.Directed, Lengths: asked.Lengths}
	if g.about, err = aboutOf(file); err == nil {
		err = another(g.differs(edges, question.Question{Directed: g.Question.Directed, Lengths: g.Question.Lengths}), g.Question.EdgeFlags())
	}
	if err == nil {
		g.names, err = namesOf(g.IDs, g.Scopes, g.about.IDs, g.about.By, g.about.Bipartite)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

// differs returns the part in which an exact question differs from that of the file; empty if none. The file has the unit of
// lengths.
func (g *preparedGraph) differs(asked, from question.Question) string {
	if asked = asked.Exact(); asked.Lengths.Column != "" {
		asked.Lengths.Unit = g.Question.Lengths.Unit
	}
	return asked.Differs(from)
}

// another is the error of a file for another question; nil if the two do not differ. A run of the file needs the flags.
func another(differs, flags string) error {
	if differs == "" {
		return nil
	}
	return fmt.Errorf("%w: prepared for another question: %s of this run; give %s, or prepare it with this run's flags", ErrOptions, differs, flags)
}

// gathered returns the edges as reading gives them, in memory of their own.
func (g *preparedGraph) gathered(ctx context.Context) (gathered, error) {
	graph, err := g.WholeGraph(ctx)
	if err != nil {
		return gathered{}, err
	}
	in := building.Input{Graph: *graph, IDs: cloned(g.IDs), Scopes: clonedScopes(g.Scopes), Scale: g.about.Lengths.scale()}
	return gathered{in, tables.Summary{IDs: g.about.IDs, By: g.about.By}, [2]string{g.about.Src, g.about.Dst}}, nil
}

// open opens the prepared graph of the options, and notes its facts.
func (in *intake) open(ctx context.Context) (*preparedGraph, error) {
	g, err := openPrepared(ctx, in.opts.prepared, in.opts.Question, in.opts.Threads)
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	in.opened = g.Prepared
	if err := in.opts.suit(&g.about); err != nil {
		return nil, fmt.Errorf("pipeline: %s: %w", in.opts.prepared, err)
	}
	in.lanes = g.about.Lanes
	in.twoWays = in.twoWays || g.about.OneWay
	in.stats.facts(&g.about)
	return g, nil
}

// gather starts the stages that read, or loads the edges of a prepared graph. It returns the channel of the graph.
func (in *intake) gather(ctx context.Context, group *errgroup.Group) <-chan gathered {
	if in.opts.prepared == "" {
		return in.start(ctx, group)
	}
	graphs := make(chan gathered, 1)
	group.Go(func() error {
		return timed(&in.stats.Seconds.Read, time.Now(), func() error {
			g, err := in.open(ctx)
			if err != nil {
				return err
			}
			if err := in.besidePrepared(ctx, g); err != nil {
				return fmt.Errorf("pipeline: %w", err)
			}
			graph, err := g.gathered(ctx)
			if err == nil {
				graphs <- graph
			}
			return err
		})
	})
	return graphs
}

// verticesAlone are files of which the vertex table is read alone, with the names that the prepared graph has.
func (a *about) verticesAlone(files tables.Options) tables.Options {
	files.Paths, files.Stdin, files.Format, files.Weight = nil, strings.NewReader(""), tables.FormatEdgeList, "" // no edges
	files.By, files.Bipartite = a.columns(), a.Bipartite
	if !a.IDs.IsInteger() {
		files.IDs = tables.IDsString
	}
	return files
}

// besidePrepared reads the kept columns of the vertex table beside a prepared graph. Every row has to be a vertex of the graph.
func (in *intake) besidePrepared(ctx context.Context, g *preparedGraph) error {
	opts := *in.opts
	if len(opts.Files.Keep) == 0 {
		return nil
	}
	if opts.Read == nil {
		return errNoEdges
	}
	files := g.about.verticesAlone(opts.Files)
	opts.Files, opts.Question = files, question.Question{}
	opts.Source = func(ctx context.Context, rows chan<- tables.Batch) (tables.Summary, error) {
		return opts.Read(ctx, files, rows)
	}
	table := newIntake(call{&opts, in.allowance, in.advance, new(Stats)})
	group, reading := errgroup.WithContext(ctx)
	graphs := table.start(reading, group)
	if err := group.Wait(); err != nil {
		return err
	}
	read := <-graphs
	in.stats.NullsDropped += read.summary.NullsDropped
	in.stats.Notes = append(in.stats.Notes, table.stats.Notes...)
	in.stats.Warnings = append(in.stats.Warnings, read.summary.Warnings...)
	of, err := namesOf(read.IDs, read.Scopes, read.summary.IDs, read.summary.By, files.Bipartite)
	if err == nil {
		err = g.names.alike(&of)
	}
	if err != nil {
		return fmt.Errorf("Options.Input.Files.Vertices: %w: %w", tables.ErrInput, err)
	}
	vertices, err := change.Match(ctx, opts.Threads, of.vertices(), g.names.vertices())
	if err != nil {
		return err
	}
	in.kept = table.kept
	in.kept.row = slices.Repeat([]uint32{csr.None}, g.names.IDs.Len())
	for row, v := range vertices {
		if v == csr.None {
			return fmt.Errorf("Options.Input.Files.Vertices: %w: vertex %s is not in the prepared graph; prepare it with the vertex table", tables.ErrInput, of.Type.Format(of.IDs, row))
		}
		in.kept.row[v] = uint32(row)
	}
	return nil
}
