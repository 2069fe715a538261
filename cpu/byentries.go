package cpu

import (
	"context"

	"bcstage/cpu/internal/pages"
	"bcstage/preprocess"
)

// byEntries is search whose path counts are kept by frontier entry. c is kept by vertex, as in search.
// All bits are those of search.
type byEntries struct {
	entryPaths
	whole runner            // what batches that do not fit are searched by
	large *preprocess.Block // of which one did not: the rest of it is not tried
}

// entryRowsFrom is how many bytes of rows a block has at least that is searched by entries.
const entryRowsFrom = 256 << 10

// farRowsFrom is how many bytes of rows a block has at least whose rows are asked for before
// the way back comes to them. It takes 0.9 of the cycles of ca-CondMat and musae_facebook, which have 9 MB,
// 1.0 of those of wiki-Vote, which has 2.4, and 1.02 of facebook's, which has 1.9.
const farRowsFrom = 4 << 20

// isByEntries says whether float64 numbers of a block are worked out by entries.
func isByEntries(b *preprocess.Block) bool {
	return b.Vertices()*rowBytes[float64](maxLanes) >= entryRowsFrom && isCountedByEntry(b)
}

func newByEntries(kernels entryKernels, sumFlows flowSums, each int, whole runner) *byEntries {
	paths := entryPaths{search: search[float64]{sumFlows: sumFlows}, ways: kernels, each: each}
	return &byEntries{entryPaths: paths, whole: whole}
}

// roomOfCount is how many rows are listed at most, and what kernels read beyond.
func roomOfCount(b *preprocess.Block) int { return countRows + b.Vertices() + lineBeyond }

// Run computes a batch.
func (s *byEntries) Run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	if s.large == b {
		return s.whole.Run(ctx, b, batch)
	}
	s.begin(b, b.Sources[batch.First:batch.First+batch.Count])
	s.list, s.listMask = pages.Resize(s.list, roomOfCount(b)), pages.Resize(s.listMask, roomOfCount(b))
	s.prepareDraws(b, s.sources)
	s.prepareFlows(b)
	s.dirty = true
	fits, err := s.outByEntries(ctx)
	if err != nil {
		return preprocess.Result{}, err
	}
	if !fits {
		*s = *newByEntries(s.ways, s.sumFlows, s.each, s.whole)
		s.large = b
		return s.whole.Run(ctx, b, batch)
	}
	s.lanes, s.search.kernels = maxLanes, s.ways.back
	s.memory, s.rows = pages.Aligned(s.memory, len(s.seen)*s.lanes)
	if len(s.rows)*8 >= farRowsFrom {
		s.search.kernels.backward = s.ways.backwardFar
	}
	s.search.kernels = s.besideMany(s.search.kernels)
	if err := s.retreat(ctx); err != nil {
		return preprocess.Result{}, err
	}
	return s.result(batch), nil
}
