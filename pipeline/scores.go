package pipeline

import (
	"context"
	"fmt"

	"bcstage/arrowio/tables"
	"bcstage/internal/parallel"
)

// Scores computes the betweenness of the graph whose edge i joins src[i] and dst[i], or runs from src[i] to dst[i] if
// the question is directed. It returns every vertex once, in opts.Sort order (first-seen by default), and its score:
// the value of the first measure if the question asks for others. The input of the options is unused. A shard has no
// scores and is ErrOptions.
func Scores[K Integer](ctx context.Context, src, dst []K, opts Options) ([]K, []float64, *Stats, error) {
	column := func(values []K) tables.Keys {
		keys := tables.Keys{Ints: make([]uint64, len(values))}
		for i, value := range values {
			keys.Ints[i] = uint64(value)
		}
		return keys
	}
	value := func(ids tables.Keys, i uint32) K { return K(ids.Ints[i]) }
	return scoresOf(ctx, src, dst, opts, column, value)
}

// StringScores is Scores for vertices named by strings.
func StringScores[K ~string](ctx context.Context, src, dst []K, opts Options) ([]K, []float64, *Stats, error) {
	column := func(values []K) tables.Keys {
		keys := tables.Keys{Offsets: make([]int64, 1, len(values)+1)}
		for _, value := range values {
			keys.Bytes = append(keys.Bytes, value...)
			keys.Offsets = append(keys.Offsets, int64(len(keys.Bytes)))
		}
		return keys
	}
	value := func(ids tables.Keys, i uint32) K { return K(ids.Bytes[ids.Offsets[i]:ids.Offsets[i+1]]) }
	return scoresOf(ctx, src, dst, opts, column, value)
}

func scoresOf[K any](ctx context.Context, src, dst []K, opts Options,
	column func([]K) tables.Keys, value func(tables.Keys, uint32) K) ([]K, []float64, *Stats, error) {
	if len(src) != len(dst) {
		return nil, nil, nil, fmt.Errorf("%w: %d sources for %d destinations", ErrOptions, len(src), len(dst))
	}
	if opts.partial() {
		return nil, nil, nil, fmt.Errorf("%w: a shard or partial result has no scores: Run passes it to a sink", ErrOptions)
	}
	opts.Source = func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		defer close(edges)
		for first := 0; first < len(src); first += sliceRows {
			last := min(first+sliceRows, len(src))
			if err := parallel.Send(ctx, edges, tables.Batch{Src: column(src[first:last]), Dst: column(dst[first:last])}); err != nil {
				return tables.Summary{}, err
			}
		}
		return tables.Summary{Rows: int64(len(src))}, nil
	}
	var vertices []K
	var scores []float64
	stats, err := Run(ctx, opts, func(ctx context.Context, table tables.Table) error {
		values := table.Columns[0].Values.Numbers()
		vertices = make([]K, len(values))
		scores = make([]float64, len(values))
		for row := range scores {
			vertex := uint32(row)
			if table.Order != nil {
				vertex = table.Order[row]
			}
			vertices[row] = value(table.IDs, vertex)
			scores[row] = values[vertex]
		}
		return nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	return vertices, scores, stats, nil
}

// sliceRows is the number of edges of a slice in a batch.
const sliceRows = 1 << 16
