package pipeline

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/pipeline/internal/change"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// earlier are the scores of an earlier run.
type earlier struct {
	scores       []float64 // by vertex
	lower, upper []float64 // ends of their intervals; nil: the scores are exact
	confidence   float64   // of these; 1: exact
	nights       int       // see SinceStats.Nights
	estimates    int       // runs whose half-widths the intervals contain
}

// before is the earlier graph with its ids and scores.
type before struct {
	*preparedGraph
	graph *csr.Graph
	earlier
}

// open opens the prepared graph, with its facts.
func (s *Since) open(ctx context.Context, asked question.Question, threads int) (*before, error) {
	g, err := openPrepared(ctx, s.Prepared, asked, threads)
	if err != nil {
		return nil, fmt.Errorf("Options.Since: %w", err)
	}
	b := &before{preparedGraph: g}
	asked.Origins, asked.Destinations, asked.Trips = question.Masses{}, question.Masses{}, question.Masses{} // the file has none
	asked.Decay, asked.Gravity = question.Decay{}, question.Gravity{}                                        // and counts all pairs alike
	if err = another(g.differs(asked, g.Question), "the flags that it was prepared with"); err == nil {
		b.graph, err = g.WholeGraph(ctx)
	}
	if err != nil {
		g.Close()
		return nil, fmt.Errorf("Options.Since: %s: %w", s.Prepared, err)
	}
	return b, nil
}

// weigh gives the graph what pairs count. It is reduced again, so that scores of other masses or trips have another
// fingerprint.
func (b *before) weigh(ctx context.Context, reduce preprocess.Options) error {
	reduce.Question.Lengths.Unit = b.Question.Lengths.Unit
	reduce.Question.Origins.Total, reduce.Question.Destinations.Total = total(reduce.Origins), total(reduce.Destinations)
	reduce.Divisor, reduce.Lanes = b.about.Lengths.scale().Divisor, b.about.Lanes
	plan, err := preprocess.Reduce(ctx, b.graph, reduce)
	if err == nil {
		b.Plan = plan
	}
	return err
}

// take stores the scores, after it has checked from their provenance that they are of the graph.
func (b *before) take(ctx context.Context, table *tables.Table, threads int, now question.Sample) error {
	told := map[string]string{}
	for _, entry := range table.Metadata {
		told[entry.Key] = entry.Value
	}
	column := scoreColumn(b.Question)
	fingerprint, scores := hex.EncodeToString(b.Fingerprint[:]), table.Floats(column)
	wrong := func(format string, values ...any) error {
		return fmt.Errorf("%w: Options.Since: scores: %s", ErrOptions, fmt.Sprintf(format, values...))
	}
	q, unread := question.Parse(told["question"])
	switch {
	case scores == nil:
		return wrong("no column %q", column)
	case told["fingerprint"] == "":
		return wrong("no metadata says which graph they belong to; want the Parquet or Arrow file of a run")
	case unread == nil && (q.Origins != b.Question.Origins || q.Destinations != b.Question.Destinations || q.Trips != b.Question.Trips):
		return wrong("of other masses or trips: %s; want %s. Both days have to have the same", q.Exact(), b.Question.Exact())
	case told["fingerprint"] != fingerprint:
		return wrong("of another graph than %s, of its edges in another order, of other masses or trips, or by another version: fingerprint %.12s, want %.12s", "the prepared one", told["fingerprint"], fingerprint)
	case told["precision"] != string(Float64):
		return wrong("precision %s, want %s", told["precision"], Float64)
	case told["normalisation"] != undivided(b.Question):
		return wrong("divided: %s; want raw scores", told["normalisation"])
	case len(scores) != b.Vertices:
		return wrong("%d rows, want one for each of %d vertices", len(scores), b.Vertices)
	}
	of := names{ledger.NamesIn(table)}
	if err := b.names.alike(&of); err != nil {
		return wrong("%v", err)
	}
	estimated := !oneOf(told["estimate"], "", "exact")
	if unread != nil || b.differs(q, b.Question) != "" || q.Sample.Way != "" && !estimated {
		return wrong("of another question: %s", told["question"])
	}
	for key, count := range map[string]*int{sinceNightsKey: &b.nights, sinceEstimatesKey: &b.estimates} {
		text := told[key]
		if text == "" {
			continue
		}
		var err error
		if *count, err = strconv.Atoi(text); err != nil || *count < 0 {
			return wrong("metadata %s: %q", key, text)
		}
	}
	lower, upper := table.Floats(LowerColumn), table.Floats(UpperColumn)
	if b.confidence = 1; !estimated {
		lower, upper = nil, nil
	} else {
		var err error
		b.confidence, err = strconv.ParseFloat(told["confidence"], 64)
		b.estimates = max(b.estimates, 1)
		within := len(lower) == len(scores) && len(upper) == len(scores)
		for v := 0; within && v < len(scores); v++ {
			within = lower[v] <= scores[v] && scores[v] <= upper[v]
		}
		switch {
		case err != nil || !(b.confidence > 0 && b.confidence < 1) || !within:
			return wrong("an estimate, but not between columns lower and upper with confidence %q", told["confidence"])
		case now.Way == "":
			return wrong("an estimate; want an estimate now, too, or exact scores")
		case b.confidence+now.Confidence <= 1:
			return wrong("of confidence %v: %v for the change leaves none; want exact scores, or more confidence", b.confidence, now.Confidence)
		}
	}
	rows, err := change.Match(ctx, threads, b.names.vertices(), of.vertices())
	if err != nil {
		return wrong("%v", err)
	}
	if v := slices.Index(rows, csr.None); v >= 0 {
		return wrong("no row for vertex %s", b.about.IDs.Format(tables.Keys(b.IDs), v))
	}
	b.scores, b.lower, b.upper = csr.Pick(scores, rows), csr.Pick(lower, rows), csr.Pick(upper, rows)
	return nil
}

// alike returns an error unless equal names mean the same vertex.
func (n *names) alike(now *names) error {
	same := func(before, now tables.IDType) bool {
		return before.IsInteger() && now.IsInteger() || before.String() == now.String()
	}
	if !same(n.Type, now.Type) {
		return fmt.Errorf("ids are of type %s, and were of type %s before", now.Type, n.Type)
	}
	if (n.Side == nil) != (now.Side == nil) {
		return errors.New("only one of the two graphs has two sides")
	}
	alike := func(before, now tables.GroupColumn) bool {
		return before.Name == now.Name && same(before.Type, now.Type)
	}
	if was, is := n.columns(), now.columns(); !slices.EqualFunc(was, is, alike) {
		return fmt.Errorf("columns %v name the graphs, and columns %v did before", is, was)
	}
	return nil
}

// inOneUnit returns two graphs whose lengths are in one unit, or that both have none. They share arrays with the graphs given.
func inOneUnit(today *csr.Graph, scale building.Scale, yesterday *csr.Graph, before building.Scale) (_, _ *csr.Graph, common building.Scale, err error) {
	common, factors, ok := scale.Common(before)
	if ok && factors == [2]int64{1, 1} && !today.HasLengths() && !yesterday.HasLengths() {
		return today, yesterday, common, nil
	}
	graphs := [2]*csr.Graph{today, yesterday}
	for i, g := range graphs {
		if !ok {
			break
		}
		walk := int64(g.Vertices())
		if g.HasLengths() {
			walk = g.LongestWalk()
		}
		if ok = walk < 1<<csr.LongestPath/factors[i]; ok {
			graphs[i] = scaled(g, factors[i])
		}
	}
	if !ok {
		return nil, nil, common, fmt.Errorf("%w: Options.Since: lengths are multiples of %s, and were multiples of %s before: no unit has room for both", ErrOptions, scale.One().RatString(), before.One().RatString())
	}
	return graphs[0], graphs[1], common, nil
}

// scaled returns a graph with lengths, times a factor.
func scaled(g *csr.Graph, factor int64) *csr.Graph {
	if g.HasLengths() && factor == 1 {
		return g
	}
	s := &csr.Graph{Offsets: g.Offsets, Targets: g.Targets, Lengths: slices.Repeat([]int64{factor}, len(g.Targets))}
	for arc, length := range g.Lengths {
		s.Lengths[arc] *= length
	}
	if g.Directed() {
		s.In = scaled(g.In, factor)
	}
	return s
}
