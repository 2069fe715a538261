package radix

import (
	"context"
	"slices"

	"bcstage/internal/parallel"
)

// Key holds a pair of vertices, one of them by its low bits alone. Four bytes
// suffice for most graphs and halve the traffic.
type Key interface{ uint32 | uint64 }

const (
	digitBits = 11 // per pass of the sort: the counters stay in the first-level cache
	digits    = 1 << digitBits
	ShortSort = 128     // keys below which clearing counters costs more than comparing
	PauseKeys = 1 << 18 // keys between two checks of the context: about a millisecond
)

// Sort sorts keys of the given width in bits, least significant digit first. It
// moves them back and forth between keys and spare, which has the same length,
// and returns the one with the result. Cancelled, it returns early with the
// keys in no order.
func Sort[K Key](ctx context.Context, keys, spare []K, width int) []K {
	if len(keys) < ShortSort {
		slices.Sort(keys)
		return keys
	}
	var next [digits]int
	for block := range slices.Chunk(keys, PauseKeys) {
		if ctx.Err() != nil {
			return keys
		}
		for _, key := range block {
			next[key%digits]++
		}
	}
	for shift := 0; shift < width; shift += digitBits {
		start := 0
		for digit, count := range next {
			next[digit] = start
			start += count
		}
		var after [digits]int // counts of the next digit, taken while this one is scattered
		for block := range slices.Chunk(keys, PauseKeys) {
			if ctx.Err() != nil {
				return keys
			}
			scatterDigit(block, spare, shift, &next, &after)
		}
		keys, spare, next = spare, keys, after
	}
	return keys
}

// Sizes of SortApart.
const (
	apartKeys    = 1 << 16 // a thread's, at least
	sharesEach   = 4       // shares of the keys for each thread: they end at different times
	samplesEach  = 64      // sampled keys for each share: it has at most about 1.5 times its part
	mostOfShares = 1 << 8
)

// SortApart is Sort on several threads. Each share of the keys is between two keys of a sample, so shares have similar
// sizes however keys are distributed, unless many are equal (W. Frazer and A. McKellar, "Samplesort", JACM 1970). The
// only error is the context's.
func SortApart[K Key](ctx context.Context, threads int, keys, spare []K, width int) ([]K, error) {
	if threads = min(threads, len(keys)/apartKeys); threads < 2 {
		return Sort(ctx, keys, spare, width), ctx.Err()
	}
	shares := min(sharesEach*threads, mostOfShares)
	sample := make([]K, shares*samplesEach)
	for i := range sample {
		sample[i] = keys[i*(len(keys)/len(sample))]
	}
	slices.Sort(sample)
	bounds := make([]K, shares-1) // the largest key of each share but the last
	for i := range bounds {
		bounds[i] = sample[(i+1)*samplesEach-1]
	}
	share := func(key K) int {
		i, _ := slices.BinarySearch(bounds, key)
		return i
	}
	places := make([][]int, threads) // by part of the keys and share: where they go
	part := func(i int) []K { return keys[i*len(keys)/threads : (i+1)*len(keys)/threads] }
	err := parallel.Each(ctx, threads, threads, func(_, i int) {
		places[i] = make([]int, shares)
		for _, key := range part(i) {
			places[i][share(key)]++
		}
	})
	if err != nil {
		return keys, err
	}
	starts, at := make([]int, shares+1), 0
	for s := range shares {
		starts[s] = at
		for i := range places {
			count := places[i][s]
			places[i][s] = at
			at += count
		}
	}
	starts[shares] = at
	err = parallel.Each(ctx, threads, threads, func(_, i int) {
		for _, key := range part(i) {
			to := &places[i][share(key)]
			spare[*to] = key
			*to++
		}
	})
	if err != nil {
		return keys, err
	}
	err = parallel.Each(ctx, threads, shares, func(_, s int) {
		mine, other := spare[starts[s]:starts[s+1]], keys[starts[s]:starts[s+1]]
		if sorted := Sort(ctx, mine, other, width); len(sorted) > 0 && &sorted[0] == &other[0] {
			copy(mine, other)
		}
	})
	return spare, err
}

func scatterDigit[K Key](keys, to []K, shift int, next, after *[digits]int) {
	for _, key := range keys {
		rest := uint64(key) >> (shift & 63)
		at := next[rest%digits]
		next[rest%digits] = at + 1
		to[at] = key
		after[rest>>digitBits%digits]++
	}
}
