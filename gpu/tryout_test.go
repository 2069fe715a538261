package gpu

import (
	"errors"
	"strings"
	"testing"
)

// lying is a driver that reads back something else once in a while.
type lying struct{ simulator }

type lyingQueue struct{ queue }

func (l *lying) open(Device) (driver, error) { return l, nil }

func (l *lying) queue() (queue, error) {
	q, err := l.simulator.queue()
	return lyingQueue{q}, err
}

func (q lyingQueue) read(from buffer, offset int, data []byte) error {
	err := q.queue.read(from, offset, data)
	if len(data) == 8*8 { // the scores of the ladder
		data[8*3+6] ^= 1 // of one of them, an exponent bit
	}
	return err
}

// A device that finds other scores than everybody knows is not used.
func TestLyingDevice(t *testing.T) {
	for _, strategy := range []Strategy{Auto, Levels, Frontier} {
		options, err := Options{Strategy: strategy}.check()
		if err != nil {
			t.Fatal(err)
		}
		_, err = openAll(t.Context(), []Device{simulatedDevice()}, options, (&lying{}).open)
		if !errors.Is(err, ErrDevice) || !strings.Contains(err.Error(), "a known score is") {
			t.Errorf("strategy %s: error %v", strategy, err)
		}
	}
}
