package sharing

import (
	"math"
	"testing"
)

// For any length of run, the points are few, evenly spread and ascending, and the last is the end.
func TestTimelineIsBounded(t *testing.T) {
	for _, batches := range []int{0, 1, 2, 63, 64, 65, 1000, 100_000} {
		core, device := &Client{}, &Client{}
		clients := []*Client{core}
		var line timeline
		for i := range batches {
			if i == batches/2 { // a device with a long start
				clients = append(clients, device)
			}
			clients[i%len(clients)].cost++
			line.add(float64(i+1)/8, clients)
		}
		points := line.describe([]*Client{core, device}, float64(max(batches, 1)))
		if len(points) > timelinePoints+1 || len(points) < min(batches, timelinePoints/2) {
			t.Fatalf("%d batches: %d points", batches, len(points))
		}
		if batches == 0 {
			continue
		}
		before := TimelinePoint{Shares: []float64{0, 0}}
		widest := 0.0
		for _, p := range points {
			if p.Seconds <= before.Seconds || len(p.Shares) != 2 || p.Shares[0] < before.Shares[0] || p.Shares[1] < before.Shares[1] {
				t.Fatalf("%d batches: %v after %v", batches, p, before)
			}
			// Batches are finished one by one here, so the time determines the finished share.
			if sum := p.Shares[0] + p.Shares[1]; math.Abs(sum-p.Seconds*8/float64(batches)) > 1e-9 {
				t.Fatalf("%d batches: %v finished after %v s", batches, sum, p.Seconds)
			}
			widest = max(widest, p.Seconds-before.Seconds)
			before = p
		}
		end := float64(batches) / 8
		if before.Seconds != end || widest > max(end/16, 0.125) {
			t.Errorf("%d batches: ends at %v of %v s, a gap of %v", batches, before.Seconds, end, widest)
		}
	}
}
