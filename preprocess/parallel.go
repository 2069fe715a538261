package preprocess

import (
	"context"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// parallel calls work(worker, item) once for every item below count, on up to
// threads goroutines of which the caller's is one, and waits for all of them.
// Items are handed out in ascending order. A cancelled context stops the
// hand-out; work on long items looks at the context itself.
func parallel(ctx context.Context, threads, count int, work func(worker, item int)) error {
	var next atomic.Int64
	run := func(worker int) {
		for ctx.Err() == nil {
			item := int(next.Add(1)) - 1
			if item >= count {
				return
			}
			work(worker, item)
		}
	}
	var others sync.WaitGroup
	for worker := 1; worker < min(threads, count); worker++ {
		others.Go(func() { run(worker) })
	}
	run(0)
	others.Wait()
	return ctx.Err()
}

// sortUntil is slices.SortFunc, which the end of ctx cuts short: the list is then in no order.
func sortUntil[E any](ctx context.Context, list []E, compare func(a, b E) int) error {
	steps, ended := 0, false
	slices.SortFunc(list, func(a, b E) int {
		if steps++; steps%interval == 0 && ctx.Err() != nil {
			ended = true
		}
		if ended {
			return 0 // there is little to do where all are equal
		}
		return compare(a, b)
	})
	return ctx.Err()
}

// spread calls f on ranges of at most grain numbers that together cover
// 0..n-1, from at most threads goroutines at once. A range is not cut short
// when ctx ends; it should take milliseconds.
func spread(ctx context.Context, threads, n, grain int, f func(lo, hi int)) error {
	return parallel(ctx, threads, (n+grain-1)/grain, func(_, i int) {
		f(i*grain, min((i+1)*grain, n))
	})
}

const (
	spreadVertices = 1 << 12 // in a range of spreadRows, at most
	spreadArcs     = 1 << 16 // likewise, unless one row has more
)

// spreadRows is spread over the rows that so many offsets bound, in ranges that are
// short by their members, too: the first rows of a core are its hubs', and the first
// few thousand of them hold a large part of all arcs.
func spreadRows(ctx context.Context, threads int, offsets []int64, f func(lo, hi int)) error {
	n := len(offsets) - 1
	const weight = spreadArcs / spreadVertices // of a row by itself, in arcs
	before := func(v int) int64 { return offsets[v] - offsets[0] + int64(v)*weight }
	cut := func(i int) int {
		return sort.Search(n, func(v int) bool { return before(v) >= int64(i)*spreadArcs })
	}
	count := int((before(n) + spreadArcs - 1) / spreadArcs)
	return parallel(ctx, threads, count, func(_, i int) {
		if lo, hi := cut(i), cut(i+1); lo < hi {
			f(lo, hi)
		}
	})
}
