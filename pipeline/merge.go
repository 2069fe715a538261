package pipeline

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bcstage/arrowio"
	"bcstage/preprocess"
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
	var total *partial
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
		part, err := partialOf(table)
		if err != nil {
			return nil, err
		}
		count++
		if total == nil {
			total = part
		} else if err := total.add(part); err != nil {
			return nil, err
		}
	}
	if total == nil {
		return nil, fmt.Errorf("pipeline: %w: none given", ErrPartial)
	}
	stats := total.stats()
	stats.Files = count
	var table arrowio.Table
	if opts.Partial {
		table = total.table()
	} else {
		if err := total.complete(); err != nil {
			return nil, err
		}
		table = total.scores(opts.Sort)
	}
	if err := sink(ctx, table); err != nil {
		return nil, err
	}
	stats.Seconds.Total = time.Since(began).Seconds()
	stats.PeakMemory = peakMemory()
	return stats, nil
}

func (p *partial) stats() *Stats {
	return &Stats{
		Vertices:    len(p.base),
		Edges:       p.identity.edges,
		IDs:         p.names.typ,
		Graphs:      p.names.graphs(nil),
		Batches:     p.identity.batches,
		Precision:   p.identity.precision,
		Fingerprint: p.identity.fingerprint,
		SelfCheck:   p.check,
	}
}

// scores is the table of a complete partial.
func (p *partial) scores(order Order) arrowio.Table {
	scores := restore(p.base, p.sums)
	table := p.names.table()
	table.Columns = []arrowio.Column{{Name: arrowio.ScoreColumn, Values: arrowio.Floats(scores)}}
	table.Metadata = append(p.provenance(), p.names.metadata()...)
	if p.sizes != nil {
		sizes := make(arrowio.Ints, len(p.sizes))
		for v, size := range p.sizes {
			sizes[v] = int64(size)
		}
		table.Columns = append(table.Columns, arrowio.Column{Name: ComponentSize, Values: sizes})
	}
	if order == ByScore {
		table.Order = p.names.byScore(scores)
	}
	return table
}

// provenance is the metadata written beside the scores.
func (p *partial) provenance() []arrowio.KeyValue {
	list := []arrowio.KeyValue{
		{Key: "version", Value: Version()},
		{Key: "engine", Value: strings.Join(p.engines, ",")},
		{Key: "precision", Value: string(p.identity.precision)},
		{Key: "n", Value: strconv.Itoa(len(p.base))},
		{Key: "m", Value: strconv.FormatInt(p.identity.edges, 10)},
		{Key: "fingerprint", Value: p.identity.fingerprint},
		{Key: "normalisation", Value: "none: sum over unordered pairs"},
	}
	if p.identity.question != "" {
		list = append(list, arrowio.KeyValue{Key: "question", Value: p.identity.question})
	}
	return list
}

// restore is the way back from sums to scores by vertex of the input.
func restore(base []int64, sums *sums) []float64 {
	scores := make([]float64, len(base))
	for v := range scores {
		scores[v] = sums.value(v)
	}
	preprocess.Restore(base, scores)
	return scores
}
