package parallel

// Sums replaces each number by the sum of all up to it, modulo 2^32.
func Sums(threads int, list []uint32) {
	befores := make([]uint32, (len(list)+Interval-1)/Interval)
	SpreadWhole(threads, len(list), Interval, func(lo, hi int) {
		sum := uint32(0)
		for _, x := range list[lo:hi] {
			sum += x
		}
		befores[lo/Interval] = sum
	})
	before := uint32(0)
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
