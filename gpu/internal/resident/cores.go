package resident

import "sync"

// Grain is how many vertices, or numbers, a goroutine gets at a time.
const Grain = 1 << 14

// OnAllCores runs body for all numbers below count, Grain at a time: a device waits for the
// result.
func OnAllCores(count int, body func(first, end int)) { inGrains(count, Grain, body) }

// inGrains is OnAllCores by `grain` numbers at a time.
func inGrains(count, grain int, body func(first, end int)) {
	var group sync.WaitGroup
	for first := 0; first < count; first += grain {
		group.Go(func() { body(first, min(first+grain, count)) })
	}
	group.Wait()
}
