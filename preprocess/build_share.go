package preprocess

import (
	"context"
	"sync"
	"sync/atomic"
)

// share calls work(worker, item) once for every item below count, on up to
// threads goroutines of which the caller's is one, and waits for all of them.
// Items are handed out in ascending order. A cancelled context stops the
// hand-out; work on long items looks at the context itself.
func share(ctx context.Context, threads, count int, work func(worker, item int)) error {
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
