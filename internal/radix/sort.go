package radix

import (
	"context"
	"slices"
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

func scatterDigit[K Key](keys, to []K, shift int, next, after *[digits]int) {
	for _, key := range keys {
		rest := uint64(key) >> (shift & 63)
		at := next[rest%digits]
		next[rest%digits] = at + 1
		to[at] = key
		after[rest>>digitBits%digits]++
	}
}
