package building

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"bcstage/internal/testending"
	"bcstage/internal/testleaks"
)

func builderOf(t testing.TB, src, dst Keys, threads int) *Builder {
	t.Helper()
	b := NewBuilder(threads)
	if err := b.AddEdges(src, dst); err != nil {
		t.Fatal(err)
	}
	return b
}

// Build is cancelled at every check of its context.
func TestBuildCancelled(t *testing.T) {
	defer func() {
		if err := testleaks.Find(); err != nil {
			t.Error(err)
		}
	}()
	src, dst := rmat(10, 140_000, same) // more than fewRows
	for _, threads := range []int{1, 2} {
		cancelled := 0
		for left := 0; ; left++ {
			ctx := testending.After(context.Background(), left)
			in, err := builderOf(t, src, dst, threads).Build(ctx)
			if err == nil {
				if err := in.Graph.Check(); err != nil {
					t.Fatal(err)
				}
				break
			}
			if in != nil || !errors.Is(err, context.Canceled) {
				t.Fatalf("look %d: got %v, %v", left, in, err)
			}
			cancelled++
		}
		if cancelled < 10 {
			t.Fatalf("looked only %d times", cancelled)
		}
	}
}

// BenchmarkBuildCancel measures how long Build takes to return once cancelled.
func BenchmarkBuildCancel(b *testing.B) {
	const edges = 20_000_000
	src, dst := rmat(19, edges, same)
	random := rand.New(rand.NewPCG(6, 6))
	var longest time.Duration
	for b.Loop() {
		b.StopTimer()
		builder := builderOf(b, src, dst, 2)
		ctx, cancel := context.WithCancel(context.Background())
		var at time.Time
		timer := time.AfterFunc(time.Duration(random.IntN(150))*time.Millisecond, func() { at = time.Now(); cancel() })
		b.StartTimer()
		_, err := builder.Build(ctx)
		if !timer.Stop() && err != nil {
			<-ctx.Done()
			longest = max(longest, time.Since(at))
		}
		cancel()
	}
	b.ReportMetric(float64(longest.Microseconds())/1000, "longest-ms")
}
