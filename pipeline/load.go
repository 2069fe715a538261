package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/measures"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// lacks returns the first measure of a question that needs the edges and that the graph was
// prepared without, or "".
func lacks(q question.Question, graph *preprocess.Prepared) string {
	if graph.Vertices == 0 {
		return ""
	}
	told := map[string][]uint32{
		measures.Component:             graph.ComponentOf,
		measures.IndependentSet:        graph.IndependentSet,
		measures.Degree + measures.Out: graph.Plan.Degrees,
		measures.Degree + measures.In:  graph.InDegrees,
	}
	for _, m := range q.Asked() {
		if values, only := told[m.Name]; only && values == nil {
			return m.Name
		}
	}
	return ""
}

// about holds facts about the input of a prepared graph.
type about struct {
	Version      string               `json:"version"` // that wrote the file
	IDs          tables.IDType        `json:"id_type"`
	By           []tables.GroupColumn `json:"by,omitempty"`
	Bipartite    bool                 `json:"bipartite,omitempty"`
	Lanes        int                  `json:"lanes"` // of the options; 0: automatic
	Files        int                  `json:"files"`
	EdgesRead    int64                `json:"edges_read"`
	Duplicates   int64                `json:"duplicates_dropped"`
	SelfLoops    int64                `json:"self_loops_dropped"`
	NullsDropped int64                `json:"nulls_dropped"`
	Unused       []string             `json:"ignored_columns,omitempty"`
	Src          string               `json:"src,omitempty"` // columns that the options named; "": found by name
	Dst          string               `json:"dst,omitempty"`
	Lengths      *Lengths             `json:"lengths,omitempty"`
	Notes        []string             `json:"notes,omitempty"`
	Warnings     []string             `json:"warnings,omitempty"`
}

// aboutOf reads the facts of a prepared graph, and checks that they agree with it.
func aboutOf(graph *preprocess.Prepared) (words about, err error) {
	if err := json.Unmarshal(graph.About, &words); err != nil {
		return words, fmt.Errorf("%w: %w", preprocess.ErrPrepared, err)
	}
	return words, words.agree(graph)
}

// load opens a prepared graph in place of read, build and reduce.
func (r *run) load(ctx context.Context, plans chan<- namedPlan) error {
	r.vertices <- 0
	path := r.opts.prepared
	return timed(&r.stats.Seconds.Read, time.Now(), func() error {
		graph, err := preprocess.OpenPrepared(ctx, path, r.opts.Threads)
		if err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		r.opened = graph
		words, err := aboutOf(graph)
		if err != nil {
			return fmt.Errorf("pipeline: %s: %w", path, err)
		}
		asked := r.opts.Question.Exact()
		if asked.Lengths.Column != "" {
			asked.Lengths.Unit = graph.Question.Lengths.Unit
		}
		if differs := asked.Differs(graph.Question); differs != "" {
			return fmt.Errorf("pipeline: %s: %w: prepared for another question: %s of this run; give the flags that it was prepared with, or prepare it with these", path, ErrOptions, differs)
		}
		if name := lacks(r.opts.Question, graph); name != "" {
			return fmt.Errorf("pipeline: %s: %w: measure %s: the graph was prepared without it", path, ErrOptions, name)
		}
		if err := r.opts.suit(words.Lanes); err != nil {
			return fmt.Errorf("pipeline: %s: %w", path, err)
		}
		r.lanes = words.Lanes
		r.stats.IDs = words.IDs
		r.stats.Files = words.Files
		r.stats.EdgesRead = words.EdgesRead
		r.stats.Duplicates = words.Duplicates
		r.stats.SelfLoops = words.SelfLoops
		r.stats.NullsDropped = words.NullsDropped
		r.stats.Unused = words.Unused
		r.stats.Lengths = words.Lengths
		r.stats.Notes, r.stats.Warnings = words.Notes, words.Warnings
		r.stats.describe(graph.Plan)

		// A sink may keep these: they must outlive the file.
		reduced := *graph.Plan
		reduced.ClosedForms = slices.Clone(reduced.ClosedForms)
		for i, c := range reduced.ClosedForms {
			reduced.ClosedForms[i].Low = slices.Clone(c.Low)
		}
		reduced.Question = r.opts.Question
		if !asked.Directed {
			reduced.Degrees = graph.Degrees
		}
		of, err := namesOf(cloned(graph.IDs), clonedScopes(graph.Scopes), words.IDs, words.By, words.Bipartite)
		if err != nil {
			return fmt.Errorf("pipeline: %s: %w", path, err)
		}
		of.Ends = [2]string{words.Src, words.Dst}
		of.Rounding = words.Lengths.rounding()
		of.One = oneText(asked, words.Lengths.scale())
		p := namedPlan{Plan: &reduced, names: of, degrees: graph.Degrees, upward: graph.Upward}
		r.stats.Graphs = p.names.graphs(func(v int) uint32 { return graph.Degrees[v] })
		if r.opts.Since != nil {
			edges, err := graph.WholeGraph(ctx)
			if err != nil {
				return fmt.Errorf("pipeline: %s: %w", path, err)
			}
			if p, err = r.since(ctx, p, edges, words.Lengths.scale()); err != nil {
				return err
			}
		}
		plans <- p
		return nil
	})
}

func cloned(k building.Keys) building.Keys {
	return building.Keys{Ints: slices.Clone(k.Ints), Bytes: slices.Clone(k.Bytes), Offsets: slices.Clone(k.Offsets)}
}

func clonedScopes(p building.Scopes) building.Scopes {
	out := building.Scopes{Of: slices.Clone(p.Of), Side: slices.Clone(p.Side)}
	for _, column := range p.By {
		out.By = append(out.By, cloned(column))
	}
	return out
}

// agree checks that names have the types that the facts declare.
func (a *about) agree(graph *preprocess.Prepared) error {
	integers := func(k building.Keys) bool { return k.Offsets == nil }
	switch {
	case graph.Vertices == 0:
		return nil
	case a.IDs.IsInteger() != integers(graph.IDs):
		return fmt.Errorf("%w: ids are not of type %s", preprocess.ErrPrepared, a.IDs)
	case len(a.By) != len(graph.By) || a.Bipartite != (graph.Side != nil):
		return fmt.Errorf("%w: %d columns name the graph, want %d", preprocess.ErrPrepared, len(graph.By), len(a.By))
	}
	for i, column := range a.By {
		if column.Type.IsInteger() != integers(graph.By[i]) {
			return fmt.Errorf("%w: column %q is not of type %s", preprocess.ErrPrepared, column.Name, column.Type)
		}
	}
	return nil
}

// suit refuses options that were fixed when the graph was prepared.
func (o Options) suit(lanes int) error {
	in := o.Files
	switch {
	case o.Lanes != 0 && o.Lanes != lanes:
		return fmt.Errorf("%w: lanes %d: the graph was prepared with %s", ErrOptions, o.Lanes, automatic(lanes))
	case in.Src != "" || in.Dst != "" || len(in.By) > 0 || in.Bipartite || in.Vertices != "" || in.IgnoreWeight ||
		!oneOf(in.Format, "", tables.FormatAuto) || !oneOf(in.Nulls, "", tables.NullsError) || !oneOf(in.IDs, "", tables.IDsAuto) || !oneOf(in.Header, "", tables.HeaderAuto):
		return fmt.Errorf("%w: columns, ids and vertices were chosen when the graph was prepared", ErrOptions)
	}
	return nil
}

func automatic(lanes int) string {
	if lanes == 0 {
		return "an automatic choice"
	}
	return fmt.Sprint(lanes)
}
