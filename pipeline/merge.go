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

// Merge adds partial results and hands the scores to opts.Sink. next returns
// one table after the other, false after the last. All must be of one plan and
// their batches disjoint; together they must be complete, or with
// opts.Shard set they make a larger partial. The error wraps ErrPartial and
// says what does not fit or is missing. Of the options, Sink, Sort and Shard
// are used.
func Merge(ctx context.Context, next func() (arrowio.Table, bool, error), opts Options) (*Stats, error) {
	opts, err := opts.check()
	if err != nil {
		return nil, err
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
	table := total.table()
	if opts.Shard.whole() {
		if err := total.complete(); err != nil {
			return nil, err
		}
		table = total.scores(opts.Sort)
	}
	if err := opts.Sink(ctx, table); err != nil {
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
		IDs:         p.idType,
		Batches:     p.identity.batches,
		Precision:   p.identity.precision,
		Fingerprint: p.identity.fingerprint,
		SelfCheck:   p.check,
	}
}

// scores is the table of a complete partial.
func (p *partial) scores(order Order) arrowio.Table {
	table := arrowio.Table{
		IDs:      p.ids,
		Type:     p.idType,
		Scores:   restore(p.base, p.sums),
		Metadata: p.provenance(),
	}
	if p.sizes != nil {
		column := arrowio.IntegerColumn{Name: ComponentSize, Values: make([]int64, len(p.sizes))}
		for v, size := range p.sizes {
			column.Values[v] = int64(size)
		}
		table.Integers = []arrowio.IntegerColumn{column}
	}
	if order == ByScore {
		table.Order = byScore(table.Scores)
	}
	return table
}

// provenance is the metadata written beside the scores.
func (p *partial) provenance() []arrowio.KeyValue {
	return []arrowio.KeyValue{
		{Key: "version", Value: Version()},
		{Key: "engine", Value: strings.Join(p.engines, ",")},
		{Key: "precision", Value: string(p.identity.precision)},
		{Key: "n", Value: strconv.Itoa(len(p.base))},
		{Key: "m", Value: strconv.FormatInt(p.identity.edges, 10)},
		{Key: "fingerprint", Value: p.identity.fingerprint},
		{Key: "normalisation", Value: "none: sum over unordered pairs"},
	}
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
