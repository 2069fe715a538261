package preprocess

import "context"

// spread calls f on ranges of at most grain numbers that together cover
// 0..n-1, from at most threads goroutines at once. A range is not cut short
// when ctx ends; it should take milliseconds.
func spread(ctx context.Context, threads, n, grain int, f func(lo, hi int)) error {
	return share(ctx, threads, (n+grain-1)/grain, func(_, i int) {
		f(i*grain, min((i+1)*grain, n))
	})
}
