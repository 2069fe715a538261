package pipeline

import (
	"context"

	"bcstage/preprocess"
)

// measuredShare is the least share of all work that Inspect has a device search, if its block has as much: a shard of
// 500. It begins in the middle of the block's batches, whose order follows the sources' place in the graph.
const measuredShare = 1.0 / 500

// DeviceTime is the time of a run on devices like one that was measured.
type DeviceTime struct {
	Name     string  `json:"name"`
	Share    float64 `json:"measured_share"` // of all work
	Measured float64 `json:"measured_seconds"`
	Seconds  float64 `json:"estimated_seconds"` // of all work on one; several take an equal part each
}

// measure measures the first device that takes the block with most of the work; nil: there is none, or too little work for
// two waves.
func (d *deviceStart) measure(ctx context.Context, p *preprocess.Plan) (*DeviceTime, error) {
	total, largest, costs := 0.0, 0, make([]float64, max(len(p.Blocks), 1))
	for _, batch := range p.Batches {
		total += p.Cost(batch)
		if costs[batch.Block] += p.Cost(batch); costs[batch.Block] > costs[largest] {
			largest = batch.Block
		}
	}
	if err := d.wait(ctx, p); err != nil {
		return nil, err
	}
	engines, err := d.set.Engines(ctx, p, d.surveys)
	if err != nil {
		return nil, err
	}
	var found *DeviceTime
	for _, device := range engines {
		if err == nil && found == nil && total > 0 && device.Accepts(largest) {
			first, end := p.BatchesOf(largest)
			var cost, lasted float64
			if cost, lasted, err = tryDevice(ctx, p, p.Batches[(first+end)/2:end], device, total*measuredShare); cost > 0 && err == nil {
				found = &DeviceTime{Name: device.Name(), Share: cost / total, Measured: lasted, Seconds: lasted * total / cost}
			}
		}
		device.Release()
	}
	return found, err
}
