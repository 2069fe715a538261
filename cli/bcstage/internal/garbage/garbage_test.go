package garbage

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// The first collection is late; later ones of small heaps follow Go's default.
func TestCollect(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	t.Setenv("GOGC", "70")
	collect()
	if got := percent(); got != 100 {
		t.Errorf("GOGC is set, and garbage is collected at %d percent", got)
	}
	t.Setenv("GOGC", "")
	collect()
	if got := percent(); got != 1600 {
		t.Errorf("garbage is first collected at %d percent, want 1600", got)
	}
	for percent() != 100 { // until the test's own deadline
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// A heap may double up to the limit of garbage, and grows by a tenth at least.
func TestPercentOf(t *testing.T) {
	for live, want := range map[uint64]int{0: 100, mostGarbage: 100, 2 * mostGarbage: 50, 10 * mostGarbage: 10, 1 << 50: 10} {
		if got := percentOf(live, 100); got != want {
			t.Errorf("%d bytes live: %d percent, want %d", live, got, want)
		}
	}
}

// percent is the present value of GOGC.
func percent() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
