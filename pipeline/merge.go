package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/internal/bound"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/machine"
)

// Merge adds partial results and passes the scores to the sink. next returns one table after the
// other, false after the last. All must be of one plan with disjoint batches. Together they must be
// complete, unless opts.Partial asks for a larger partial. The result has the Threads of the last. The error wraps ErrPartial and says what
// does not fit or is missing.
func Merge(ctx context.Context, next func() (tables.Table, bool, error), opts Output, sink Sink) (*Stats, error) {
	if err := opts.complete(); err != nil {
		return nil, err
	}
	if sink == nil {
		return nil, errNoSink
	}
	began := time.Now()
	var total *ledger.Partial
	count, threads := 0, 0
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
		threads = table.Threads
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
		return nil, fmt.Errorf("pipeline: %w: no partial results", ErrPartial)
	}
	stats, err := mergedStats(total)
	if err != nil {
		return nil, err
	}
	stats.Files = count
	var table tables.Table
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
			if sample := total.Sample(); sample.Way != "" { // nothing was worth sampling
				found = withoutWidth(sample.Seed)
			}
		}
		if found != nil {
			stats.Estimate = &found.Estimate
		}
		if opts.Edges != nil {
			if !total.Question().Edges {
				return nil, fmt.Errorf("pipeline: %w: made without scores of edges", ErrPartial)
			}
			edges := edgeTable(total, found)
			edges.Threads = threads
			Arrange(&edges, opts.Sort)
			if err := opts.Edges(ctx, edges); err != nil {
				return nil, err
			}
		}
		table = scoreTable(total, found, opts.Sort)
	}
	table.Threads = threads
	if err := sink(ctx, table); err != nil {
		return nil, err
	}
	stats.Seconds.Total = time.Since(began).Seconds()
	stats.PeakMemory = machine.Peak()
	return stats, nil
}

// mergedStats returns the figures of partial results that are those of a single run.
func mergedStats(p *ledger.Partial) (*Stats, error) {
	of := names{p.Names}
	s := &Stats{
		Vertices:    p.Identity.Vertices,
		Edges:       p.Identity.Edges,
		IDs:         p.Names.Type,
		Graphs:      of.graphs(nil),
		Batches:     p.Identity.Batches,
		Precision:   p.Identity.Precision,
		Fingerprint: p.Identity.Fingerprint,
		SelfCheck:   p.Check,
	}
	if p.Names.Demand == "" {
		return s, nil
	}
	if err := json.Unmarshal([]byte(p.Names.Demand), &s.Demand); err != nil {
		return nil, fmt.Errorf("pipeline: %w: metadata \"demand\": %w", ErrPartial, err)
	}
	return s, nil
}

// merged holds the stages of the sum of partial results.
type merged interface {
	drawnSet
	// known returns a complete stage.
	known(number int) bound.Stage
}

// mergedEstimates returns the estimates of the longest complete run of stages; nil: the scores are
// exact, or will be. The error says what a stage lacks.
func mergedEstimates(ctx context.Context, p *ledger.Partial) (*estimates, error) {
	q := p.Question()
	e := Estimate{Way: q.Sample.Way, Seed: q.Sample.Seed}
	var sums merged
	var err error
	if d, confidence := p.Drawn(); d != nil {
		if e.Stages, err = p.CompleteStages(); err != nil {
			return nil, err
		}
		e.Confidence, e.Originals = confidence, int(d.From)
		for _, s := range d.Stages {
			e.Sources += s.Sources
		}
		for _, s := range d.Stages[:e.Stages] {
			e.Searches += s.Sources
		}
		of := newSourceSums(d, p, ofScore(q))
		sums = &of
	} else if d, confidence := p.Paired(); d != nil {
		if e.Stages, err = p.CompletePairs(); err != nil {
			return nil, err
		}
		e.Confidence, e.Originals = confidence, int(d.From)
		of := mergedPairs{newPairSums(d, p.Locals(), ofScore(q), 1), p}
		sums = &of
	} else {
		return nil, nil
	}
	limits := sums.limits()
	limits.Risk = 1 - e.Confidence
	found, err := bound.New(limits)
	if err != nil {
		return nil, err
	}
	for number := range e.Stages {
		if err := found.Add(ctx, sums.known(number)); err != nil {
			return nil, err
		}
	}
	vertices, edges := sums.scores()
	e.Vertices, e.Edges, e.Draws, e.Settled = len(vertices), len(edges), int(found.Draws()), 1-found.Left()
	if e.Sources == 0 {
		e.Searches = e.Draws
	}
	eps, err := found.Eps(ctx)
	if err != nil {
		return nil, err
	}
	e.Eps = shareOf(eps*sums.pairs(), sums.all(), q, p.Identity.Vertices)
	ends, err := found.Intervals(ctx)
	if err != nil {
		return nil, err
	}
	return newEstimates(e, sums, ends, 1), nil
}

// known is take: stages are asked for in order.
func (s *sourceSums) known(int) bound.Stage { return s.take() }

// mergedPairs holds the pairs of a partial.
type mergedPairs struct {
	pairSums
	of *ledger.Partial
}

func (m *mergedPairs) known(number int) bound.Stage { return m.of.PairStage(number, 1) }
