// Package parallel hands out work to goroutines that end before the call returns.
//
//	Each, EachWhole       items, in ascending order
//	Spread, SpreadWhole   ranges of numbers
//	SpreadRows            ranges of rows, cut by how much is in them
//	Total                 the sum of what ranges of numbers return
//	Sums                  sums of all numbers up to each
//	Listed                what ranges of numbers append to a list, in their order
//	Lists                 new lists, each of one thread
//	InOrder               pieces of a stream, whose results are used in order
//	SortUntil             a sort that stops when a context ends
//
// The calls take a number of threads, of which the caller's goroutine is one, except for InOrder. Calls with a context
// stop handing out work when it ends; the work checks it every Interval.
package parallel

import (
	"context"
	"iter"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// Each calls work(worker, item) once for every item below count, on up to threads goroutines
// including the caller's, and waits for all of them. Items are handed out in ascending order. A
// cancelled context stops the hand-out; work on long items checks the context itself.
func Each(ctx context.Context, threads, count int, work func(worker, item int)) error {
	share(threads, count, func() bool { return ctx.Err() == nil }, work)
	return ctx.Err()
}

// EachWhole is Each for work that takes milliseconds and must not be left half done.
func EachWhole(threads, count int, work func(worker, item int)) {
	share(threads, count, func() bool { return true }, work)
}

// share hands out items as long as goesOn returns true.
func share(threads, count int, goesOn func() bool, work func(worker, item int)) {
	var next atomic.Int64
	run := func(worker int) {
		for goesOn() {
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
}

// SortUntil is slices.SortFunc, but stops when ctx ends: the list is then in no order.
func SortUntil[E any](ctx context.Context, list []E, compare func(a, b E) int) error {
	steps, ended := 0, false
	slices.SortFunc(list, func(a, b E) int {
		if steps++; steps%Interval == 0 && ctx.Err() != nil {
			ended = true
		}
		if ended {
			return 0 // equal elements leave little to do
		}
		return compare(a, b)
	})
	return ctx.Err()
}

// Spread calls f on ranges of at most grain numbers that together cover
// 0..n-1, from at most threads goroutines at once. A range is not cut short
// when ctx ends; it should take milliseconds.
func Spread(ctx context.Context, threads, n, grain int, f func(lo, hi int)) error {
	return Each(ctx, threads, (n+grain-1)/grain, ranges(n, grain, f))
}

// SpreadWhole is Spread for work that takes milliseconds and must not be left half done.
func SpreadWhole(threads, n, grain int, f func(lo, hi int)) {
	if n > 0 && n <= grain { // of many short lists
		f(0, n)
		return
	}
	EachWhole(threads, (n+grain-1)/grain, ranges(n, grain, f))
}

// ranges turns the number of an item into its range.
func ranges(n, grain int, f func(lo, hi int)) func(worker, item int) {
	return func(_, i int) { f(i*grain, min((i+1)*grain, n)) }
}

// Listed calls f on ranges of at most grain numbers that together cover 0..n-1, and joins what each appends to a list of
// its own, in the order of the ranges.
func Listed[T any](threads, n, grain int, f func(list []T, lo, hi int) []T) []T {
	parts := make([][]T, (n+grain-1)/grain)
	SpreadWhole(threads, n, grain, func(lo, hi int) { parts[lo/grain] = f(nil, lo, hi) })
	starts := make([]int, len(parts)+1)
	for i, part := range parts {
		starts[i+1] = starts[i] + len(part)
	}
	all := make([]T, starts[len(parts)])
	EachWhole(threads, len(parts), func(_, i int) { copy(all[starts[i]:], parts[i]) })
	return all
}

// Lists makes so many lists of n zeros at once: writing the zeros of a large list takes as long as a pass over it.
func Lists[T any](threads, count, n int) [][]T {
	lists := make([][]T, count)
	EachWhole(threads, count, func(_, i int) { lists[i] = make([]T, n) })
	return lists
}

const (
	spreadVertices = 1 << 12 // in a range of SpreadRows, at most
	spreadArcs     = 1 << 16 // likewise, unless one row has more
)

// SpreadRows is Spread over the rows that offsets bound, in ranges with few rows and few members.
// The first rows of a core are its hubs', and the first few thousand hold a large part of all arcs.
func SpreadRows(ctx context.Context, threads int, offsets []int64, f func(lo, hi int)) error {
	n := len(offsets) - 1
	const weight = spreadArcs / spreadVertices // of a row by itself, in arcs
	before := func(v int) int64 { return offsets[v] - offsets[0] + int64(v)*weight }
	cut := func(i int) int {
		return sort.Search(n, func(v int) bool { return before(v) >= int64(i)*spreadArcs })
	}
	count := int((before(n) + spreadArcs - 1) / spreadArcs)
	return Each(ctx, threads, count, func(_, i int) {
		if lo, hi := cut(i), cut(i+1); lo < hi {
			f(lo, hi)
		}
	})
}

// Interval is the number of vertices that a sequential scan passes between two checks of its
// context.
const Interval = 1 << 14

// Until yields the numbers below n. It looks at the context every Interval numbers, and ends early with it: the caller
// returns the context's error in the end, and makes nothing of an incomplete result.
func Until[N int | uint32](ctx context.Context, n N) iter.Seq[N] {
	return func(yield func(N) bool) {
		for i := N(0); i < n; i++ {
			if i%Interval == 0 && ctx.Err() != nil || !yield(i) {
				return
			}
		}
	}
}

// Over is Until for the elements of a list.
func Over[E any](ctx context.Context, list []E) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i, x := range list {
			if i%Interval == 0 && ctx.Err() != nil || !yield(i, x) {
				return
			}
		}
	}
}
