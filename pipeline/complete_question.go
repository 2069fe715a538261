package pipeline

import (
	"cmp"
	"fmt"
	"slices"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/internal/refusals"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Default accuracy and confidence of an estimate.
const (
	defaultEps        = 1e-3
	defaultConfidence = 0.95
)

// answerable completes the question by the options that are parts of it, and refuses what has no answer by itself, together
// with an option, or in the call that takes it.
func (o *Options) answerable() error {
	if o.Sources != nil {
		o.Question.Sources = o.Sources.set
	}
	if o.Targets != nil {
		o.Question.Targets = o.Targets.set
	}
	if o.Trips != nil {
		o.Question.Trips = question.Masses{Column: o.Trips.names[2]}
	}
	o.Question.Directed = o.Question.Directed || o.Files.OneWay != ""
	o.Question.Edges = o.Question.Edges || o.Edges != nil
	if o.Source == nil && len(o.Files.Paths) == 1 && preprocess.IsPrepared(o.Files.Paths[0]) {
		o.prepared = o.Files.Paths[0]
	}
	given := slices.Clone(o.calls)
	for _, option := range []struct {
		name  string
		given bool
	}{
		{refusals.Since, o.Since != nil},
		{refusals.SinceEstimated, o.Since != nil && o.Question.Sample.Way != ""},
		{refusals.By, len(o.Files.By) > 0},
		{refusals.Bipartite, o.Files.Bipartite},
		{refusals.Keep, len(o.Files.Keep) > 0},
		{refusals.EdgeKeep, len(o.Files.EdgeKeep) > 0},
		{refusals.OneWay, o.Files.OneWay != ""},
		{refusals.Unrouted, o.Unrouted != nil},
		{refusals.EngineGPU, o.Engine == EngineGPU},
		{refusals.Float32, o.Precision == Float32},
		{refusals.Checkpoint, o.Save != nil || o.Resume != nil},
		{refusals.PartialResult, o.partial()},
		{refusals.PreparedGraph, o.prepared != ""},
	} {
		if option.given {
			given = append(given, option.name)
		}
	}
	if err := o.Question.Answerable(given...); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return nil
}

// completeSample fills in the defaults of the question's sample. Sources count by nearness where the question allows it.
func (o *Options) completeSample() error {
	s := &o.Question.Sample
	switch {
	case s.Way == "":
		return nil
	case o.partial() && (s.Way == "auto" || s.Way == "exact" || s.Samples == 0):
		// A shard does not know when the others have done enough, nor what they have measured.
		return fmt.Errorf("%w: estimates in shards: set Options.Question.Sample.Way to sources, sources-raw or pairs, and Options.Question.Sample.Samples", ErrOptions)
	case s.CertainChange > 0 && o.Since == nil:
		return fmt.Errorf("%w: Options.Question.Sample.CertainChange: want Options.Since, whose scores change", ErrOptions)
	}
	if s.Way == "sources" && !o.Question.BothWays() {
		s.Way = "sources-raw"
	}
	s.Confidence = cmp.Or(s.Confidence, defaultConfidence)
	// Pairs never separate equal scores: without another goal the draws would not end. Changes are estimated from pairs.
	if s.Eps == 0 && s.Within == 0 && s.Samples == 0 && (s.Certain == 0 || s.Way == "pairs" || o.Since != nil) {
		s.Eps = defaultEps
	}
	return nil
}

// hasPairs reports whether pairs can be drawn.
func hasPairs(q question.Question) bool {
	q.Sample = question.Sample{Way: "pairs"}
	return q.Answerable() == nil
}

// completeKeep refuses columns to keep where no vertex table has them, or no output takes them.
func (o *Options) completeKeep() error {
	keep := o.Files.Keep
	if len(keep) == 0 {
		return nil
	}
	if o.Source != nil {
		return fmt.Errorf("%w: Options.Input.Files.Keep: the source of the caller sends no vertex table", ErrOptions)
	}
	taken := EstimateColumns(o.Since != nil)
	for _, m := range o.Question.Asked() {
		taken = append(taken, m.Column)
	}
	return unlike("Options.Input.Files.Keep", keep, taken)
}

// unlike refuses columns of an option whose names the output's own columns have.
func unlike(option string, keep, taken []string) error {
	for _, name := range keep {
		if slices.Contains(taken, name) {
			return fmt.Errorf("%w: %s %q: the output has its own column of this name", ErrOptions, option, name)
		}
	}
	return nil
}

// completeMasses adds the columns of masses to the columns that are read for the output.
func (o *Options) completeMasses() error {
	o.keep = len(o.Files.Keep)
	for _, side := range []struct {
		name   string
		masses *question.Masses
	}{{"Options.Question.Origins", &o.Question.Origins}, {"Options.Question.Destinations", &o.Question.Destinations}} {
		m := side.masses
		m.Unit, m.Total = "", 0 // set by reading
		switch {
		case m.Column == "":
			continue
		case o.Source == nil && o.Files.Vertices == "":
			return fmt.Errorf("%w: %s %q: there is no vertex table; Options.Input.Files.Vertices names it", ErrOptions, side.name, m.Column)
		}
		if !slices.Contains(o.Files.Keep, m.Column) {
			o.Files.Keep = append(slices.Clip(o.Files.Keep), m.Column)
		}
	}
	return nil
}

// completeTrips refuses a question about trips without its table, and the other way round.
func (o *Options) completeTrips() error {
	o.Question.Trips.Unit, o.Question.Trips.Total = "", 0 // set by reading
	switch {
	case !o.Question.HasTrips() && o.Unrouted != nil:
		return fmt.Errorf("%w: Options.Output.Unrouted: there is no table of trips; Options.Trips names it", ErrOptions)
	case !o.Question.HasTrips():
		return nil
	case o.Trips == nil:
		return fmt.Errorf("%w: the question has trips %q, but there is no table of them: set Options.Trips", ErrOptions, o.Question.Trips.Column)
	}
	return o.Trips.fits(&o.Files)
}

// fits refuses edges that a table of trips does not name the vertices of.
func (t *TripTable) fits(files *tables.Options) error {
	if !slices.EqualFunc(t.by, files.By, func(of graphNames, column string) bool { return of.column == column }) {
		return fmt.Errorf("%w: Options.Trips: rows do not say which graph their ids are of: read it with the columns %q of Options.Input.Files.By", ErrOptions, files.By)
	}
	return nil
}

// searchesFor lists the searches that a run needs.
func searchesFor(q question.Question) (list []measures.Search) {
	for _, search := range []measures.Search{measures.Paths, measures.Distances} {
		if q.Searches(search) || search == measures.Paths && q.Searches(measures.Reached) {
			list = append(list, search)
		}
	}
	if q.Edges {
		list = append(list, measures.Flows)
	}
	return list
}

// completeEdgeKeep refuses columns of edges where no table of edges has them, or no output takes
// them.
func (o *Options) completeEdgeKeep() error {
	keep := o.Files.EdgeKeep
	switch {
	case len(keep) == 0:
		return nil
	case o.Edges == nil:
		return fmt.Errorf("%w: Options.Input.Files.EdgeKeep: scores of edges are not asked for, and the columns stand beside them", ErrOptions)
	}
	ends := edgeEnds()
	taken := ends[:]
	if o.Question.Sample.Way != "" {
		taken = append(taken, EstimateColumns(false)...)
	}
	for _, m := range edgeMeasures(o.Question) {
		taken = append(taken, m.Column)
	}
	return unlike("Options.Input.Files.EdgeKeep", keep, taken)
}

// edgeEnds returns the names of the columns of an edge's ends.
func edgeEnds() [2]string { return [2]string{tables.SideSrc, tables.SideDst} }

// edgeMeasures returns the measures of edges that a question computes: one for each cutoff.
func edgeMeasures(q question.Question) []measures.Measure {
	q.Edges = true
	return slices.DeleteFunc(q.Sums(), func(m measures.Measure) bool { return m.Per != measures.PerEdge })
}
