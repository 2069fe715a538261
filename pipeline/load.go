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
	"bcstage/internal/refusals"
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
	OneWay       bool                 `json:"oneway,omitempty"` // a column gave edges their directions
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

// columns returns the names of the columns that name the graphs.
func (a *about) columns() (list []string) {
	for _, column := range a.By {
		list = append(list, column.Name)
	}
	return list
}

// facts takes over the facts of reading.
func (s *Stats) facts(a *about) {
	s.IDs = a.IDs
	s.Files = a.Files
	s.EdgesRead = a.EdgesRead
	s.Duplicates = a.Duplicates
	s.SelfLoops = a.SelfLoops
	s.NullsDropped = a.NullsDropped
	s.Unused = a.Unused
	s.Lengths = a.Lengths
	s.Notes, s.Warnings = a.Notes, a.Warnings
}

// load opens a prepared graph in place of read, build and reduce. If it was prepared for another question about the same edges,
// these are reduced again.
func (p *planner) load(ctx context.Context, plans chan<- namedPlan) error {
	again := make(chan gathered, 1)
	err := timed(&p.stats.Seconds.Read, time.Now(), func() error {
		graph, err := p.in.open(ctx)
		if err != nil {
			return err
		}
		if err := p.in.besidePrepared(ctx, graph); err != nil {
			return fmt.Errorf("pipeline: %w", err)
		}
		differs := graph.differs(p.opts.Question, graph.Question)
		if name := lacks(p.opts.Question, graph.Prepared); name != "" && differs == "" {
			differs = "measure " + name
		}
		if differs == "" {
			p.vertices <- 0
			return p.loaded(ctx, graph, plans)
		}
		p.stats.Notes = append(p.stats.Notes, fmt.Sprintf("the graph was prepared for another question, and reduced again: %s of this run", differs))
		in, err := graph.gathered(ctx)
		if err != nil {
			return fmt.Errorf("pipeline: %s: %w", p.opts.prepared, err)
		}
		again <- in
		return nil
	})
	if err != nil || len(again) == 0 {
		return err
	}
	return p.reduce(ctx, again, plans)
}

// loaded sends the plan of a prepared graph.
func (p *planner) loaded(ctx context.Context, graph *preparedGraph, plans chan<- namedPlan) (err error) {
	p.stats.describe(graph.Plan)

	// A sink may keep these: they must outlive the file.
	reduced := *graph.Plan
	reduced.ClosedForms = slices.Clone(reduced.ClosedForms)
	for i, c := range reduced.ClosedForms {
		reduced.ClosedForms[i].Low = slices.Clone(c.Low)
	}
	if reduced.Question = p.opts.Question; !reduced.Question.Directed {
		reduced.Degrees = graph.Degrees
	}
	of, err := namesOf(cloned(graph.IDs), clonedScopes(graph.Scopes), graph.about.IDs, graph.about.By, graph.about.Bipartite)
	if err != nil {
		return fmt.Errorf("pipeline: %s: %w", p.opts.prepared, err)
	}
	of.Ends = [2]string{graph.about.Src, graph.about.Dst}
	of.Rounding = graph.about.Lengths.rounding()
	of.One = oneText(graph.Question, graph.about.Lengths.scale())
	plan := namedPlan{Plan: &reduced, names: of, degrees: graph.Degrees, upward: graph.Upward}
	p.stats.Graphs = plan.names.graphs(func(v int) uint32 { return graph.Degrees[v] })
	if p.opts.Since != nil {
		edges, err := graph.WholeGraph(ctx)
		if err != nil {
			return fmt.Errorf("pipeline: %s: %w", p.opts.prepared, err)
		}
		if plan, err = p.since(ctx, plan, edges, graph.about.Lengths.scale(), counted{}); err != nil {
			return err
		}
	}
	plans <- plan
	return nil
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

// suit refuses options that were fixed when the graph was prepared. Trips name the graphs as it does. Options.Nulls is of the tables
// beside the graph.
func (o *Options) suit(a *about) error {
	in, by := o.Files, a.columns()
	switch {
	case o.Lanes != 0 && o.Lanes != a.Lanes:
		return fmt.Errorf("%w: lanes %d: the graph was prepared with %s", ErrOptions, o.Lanes, automatic(a.Lanes))
	case o.Trips != nil && a.Bipartite:
		o.calls = append(o.calls, refusals.Bipartite)
		return o.answerable()
	case o.Trips != nil && !slices.Equal(by, in.By):
		return o.Trips.fits(&tables.Options{By: by})
	case in.Src != "" || in.Dst != "" || len(in.By) > 0 && !slices.Equal(by, in.By) || in.Bipartite || in.Vertices != "" && len(in.Keep) == 0 || in.IgnoreWeight ||
		!oneOf(in.Format, "", tables.FormatAuto) || !oneOf(in.IDs, "", tables.IDsAuto) || !oneOf(in.Header, "", tables.HeaderAuto):
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
