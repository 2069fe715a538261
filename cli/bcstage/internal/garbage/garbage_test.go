package garbage

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// The first collection is late; later ones follow Go's default.
func TestCollectLate(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	t.Setenv("GOGC", "70")
	collectLate()
	if got := percent(); got != 100 {
		t.Errorf("GOGC is set, and garbage is collected at %d percent", got)
	}
	t.Setenv("GOGC", "")
	collectLate()
	if got := percent(); got != 1600 {
		t.Errorf("garbage is first collected at %d percent, want 1600", got)
	}
	for percent() != 100 { // until the test's own deadline
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
}

// percent is the present value of GOGC.
func percent() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
