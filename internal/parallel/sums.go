package parallel

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
