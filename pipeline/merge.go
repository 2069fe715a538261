package pipeline

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bcstage/arrowio"
	"bcstage/pipeline/bound"
	"bcstage/pipeline/ledger"
	"bcstage/preprocess/question"
)

// Merge adds partial results and hands the scores to the sink. next returns one
// table after the other, false after the last. All must be of one plan and
// their batches disjoint; together they must be complete, unless opts.Partial
// asks for a larger partial. The error wraps ErrPartial and says what does not
// fit or is missing.
func Merge(ctx context.Context, next func() (arrowio.Table, bool, error), opts Output, sink Sink) (*Stats, error) {
	if err := opts.complete(); err != nil {
		return nil, err
	}
	if sink == nil {
		return nil, errNoSink
	}
	began := time.Now()
	var total *ledger.Partial
	count := 0
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		table, ok, err := next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		part, err := ledger.Read(table)
		if err != nil {
			return nil, err
		}
		count++
		if total == nil {
			total = part
		} else if err := total.Add(part); err != nil {
			return nil, err
		}
	}
	if total == nil {
		return nil, fmt.Errorf("pipeline: %w: none given", ErrPartial)
	}
	stats := mergedStats(total)
	stats.Files = count
	var table arrowio.Table
	if opts.Partial {
		table = total.Table(Version())
	} else {
		found, err := mergedEstimates(ctx, total)
		if err != nil {
			return nil, err
		}
		if found == nil {
			if err := total.Complete(); err != nil {
				return nil, err
			}
		} else {
			stats.Estimate = &found.Estimate
		}
		table = scoreTable(total, found, opts.Sort)
	}
	if err := sink(ctx, table); err != nil {
		return nil, err
	}
	stats.Seconds.Total = time.Since(began).Seconds()
	stats.PeakMemory = peakMemory()
	return stats, nil
}

func mergedStats(p *ledger.Partial) *Stats {
	of := names{p.Names}
	return &Stats{
		Vertices:    p.Identity.Vertices,
		Edges:       p.Identity.Edges,
		IDs:         p.Names.Type,
		Graphs:      of.graphs(nil),
		Batches:     p.Identity.Batches,
		Precision:   p.Identity.Precision,
		Fingerprint: p.Identity.Fingerprint,
		SelfCheck:   p.Check,
	}
}

// pairsOf says what an undivided score sums over.
func pairsOf(directed bool) string {
	if directed {
		return "sum over ordered pairs"
	}
	return "sum over unordered pairs"
}

// provenance is the metadata written beside the scores.
func provenance(p *ledger.Partial, exact bool) []arrowio.KeyValue {
	list := []arrowio.KeyValue{
		{Key: "version", Value: Version()},
		{Key: "engine", Value: strings.Join(p.Engines, ",")},
		{Key: "precision", Value: string(p.Identity.Precision)},
		{Key: "n", Value: strconv.Itoa(p.Identity.Vertices)},
		{Key: "m", Value: strconv.FormatInt(p.Identity.Edges, 10)},
		{Key: "fingerprint", Value: p.Identity.Fingerprint},
	}
	if p.Question().Asks(question.Betweenness) {
		list = append(list, arrowio.KeyValue{Key: "normalisation", Value: "none: " + pairsOf(p.Directed())})
	}
	asked := p.Question()
	if exact {
		asked = asked.Exact() // whichever way led there
	}
	if text := asked.String(); text != "" {
		list = append(list, arrowio.KeyValue{Key: "question", Value: text})
	}
	return list
}

// mergedEstimates are those of the longest complete run of stages; nil: the scores
// are exact, or are to be. The error says what is missing for a stage.
func mergedEstimates(ctx context.Context, p *ledger.Partial) (*estimates, error) {
	d, confidence := p.Drawn()
	if d == nil {
		return nil, nil
	}
	stages, err := p.CompleteStages()
	if err != nil {
		return nil, err
	}
	sums, sample := newSourceSums(d, p), p.Sample()
	limits := sums.limits()
	limits.Risk = 1 - confidence
	known, err := bound.New(limits)
	if err != nil {
		return nil, err
	}
	e := Estimate{Way: sample.Way, Seed: sample.Seed, Confidence: confidence, Vertices: len(p.Sampled()), Originals: int(d.From), Stages: stages}
	for number := range stages {
		if err := known.Add(ctx, sums.take()); err != nil {
			return nil, err
		}
		e.Draws += d.Stages[number].Draws
	}
	for _, s := range d.Stages {
		e.Sources += s.Sources
	}
	for _, s := range d.Stages[:stages] {
		e.Searches += s.Sources
	}
	e.Settled = 1 - known.Left()
	eps, err := known.Eps(ctx)
	if err != nil {
		return nil, err
	}
	e.Eps = eps * sums.pairs() / allPairs(p.Question(), p.Identity.Vertices)
	ends, err := known.Intervals(ctx)
	if err != nil {
		return nil, err
	}
	return &estimates{e, sums.vertices(), sums.beyond(ends.Estimate), sums.beyond(ends.Lower), sums.beyond(ends.Upper)}, nil
}
