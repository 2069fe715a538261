package parallel

import "sync/atomic"

// Total adds up what f returns for ranges of at most grain numbers that together cover 0..n-1.
func Total(threads, n, grain int, f func(lo, hi int) int64) int64 {
	var all atomic.Int64
	SpreadWhole(threads, n, grain, func(lo, hi int) { all.Add(f(lo, hi)) })
	return all.Load()
}

// Sums replaces each number by the sum of all up to it, which may wrap around.
func Sums[T uint32 | uint64](threads int, list []T) {
	befores := make([]T, (len(list)+Interval-1)/Interval)
	SpreadWhole(threads, len(list), Interval, func(lo, hi int) {
		sum := T(0)
		for _, x := range list[lo:hi] {
			sum += x
		}
		befores[lo/Interval] = sum
	})
	before := T(0)
	for i, sum := range befores {
		befores[i], before = before, before+sum
	}
	SpreadWhole(threads, len(list), Interval, func(lo, hi int) {
		sum := befores[lo/Interval]
		for i, x := range list[lo:hi] {
			sum += x
			list[lo+i] = sum
		}
	})
}
