package lanes

import (
	"context"
	"errors"
	"math"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// byEntries is a search that keeps path counts by frontier entry. It keeps c by vertex, as search does,
// and gives the same bits.
type byEntries struct{ entryPaths }

// ErrManyPaths says that the path counts of a batch cannot be kept by entry. Another walk must take the batch.
var ErrManyPaths = errors.New("path counts do not fit 16 bits, or there are too many of them")

// NewEntries makes a search that keeps path counts by frontier entry. Run returns ErrManyPaths if the counts do not fit.
func NewEntries(set Set) Search { return newEntries(*set.entries, set.SumFlows, entriesEach) }

func newEntries(kernels entryKernels, sumFlows FlowSums, each int) *byEntries {
	return &byEntries{entryPaths{search: search[float64]{sumFlows: sumFlows}, ways: kernels, each: each}}
}

// roomOfCount is the largest number of listed rows, with the numbers that kernels read beyond them.
func roomOfCount(b *preprocess.Block) int { return countRows + b.Room() + lineBeyond }

// Run computes a batch, or returns ErrManyPaths.
func (s *byEntries) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.begin(b, b.Sources[batch.First:batch.First+batch.Count])
	s.list, s.listMask = pages.Resize(s.list, roomOfCount(b)), pages.Resize(s.listMask, roomOfCount(b))
	s.prepareDraws(b, s.sources)
	s.prepareFlows(b)
	s.dirty = true
	fits, err := s.outByEntries(ctx)
	if err != nil {
		return engine.Result{}, err
	}
	if !fits {
		return engine.Result{}, ErrManyPaths
	}
	s.lanes, s.rowBytes, s.search.kernels = MaxLanes, RowBytes[float64](MaxLanes), s.besideMany(s.ways.back)
	s.memory, s.rows = pages.Aligned(s.memory, len(s.seen)*s.lanes)
	if err := s.retreat(ctx); err != nil {
		return engine.Result{}, err
	}
	for _, paths := range s.many {
		if s.divides && paths > engine.MostDecayed {
			s.got[0] = math.NaN() // see manyForShares
		}
	}
	return s.result(batch), nil
}
