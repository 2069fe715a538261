package pipeline

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio"
	"bcstage/preprocess"
)

// Degrees counts the neighbours of each of some vertices, by row of ids, in the
// graph of a source's edges. A vertex of the edges that ids lack, or an id
// twice, is arrowio.ErrInput.
func Degrees(ctx context.Context, ids arrowio.Keys, source Source) ([]int64, error) {
	builder := preprocess.NewBuilder(0)
	if err := builder.AddVertices(preprocess.Keys(ids)); err != nil {
		return nil, fmt.Errorf("pipeline: degrees: %w", err)
	}
	edges := make(chan arrowio.Batch, batchesInFlight)
	group, reading := errgroup.WithContext(ctx)
	group.Go(func() error {
		_, err := source(reading, edges)
		return err
	})
	group.Go(func() (err error) {
		for batch := range edges {
			if err == nil {
				err = addBatch(builder, batch)
			}
			batch.Release()
		}
		return err
	})
	err := group.Wait()
	if errors.Is(err, preprocess.ErrKeys) {
		return nil, fmt.Errorf("pipeline: degrees: %w: edges and scores are of different graphs: %w", arrowio.ErrInput, err)
	}
	if err != nil {
		return nil, err
	}
	in, err := builder.Build(ctx)
	if err != nil {
		return nil, fmt.Errorf("pipeline: degrees: %w", err)
	}
	if n := in.Graph.Vertices(); n != ids.Len() {
		return nil, fmt.Errorf("pipeline: degrees: %w: edges and scores are of different graphs, %d vertices in all, %d with a score", arrowio.ErrInput, n, ids.Len())
	}
	degrees := make([]int64, ids.Len())
	for v := range degrees {
		degrees[v] = in.Graph.Offsets[v+1] - in.Graph.Offsets[v]
	}
	return degrees, nil
}
