package gpu

import (
	"bytes"
	"errors"
	"sync/atomic"
	"testing"
)

// severalQueues is a simulator that counts queues, and fails a write if told to.
type severalQueues struct {
	simulator
	made, open, writes atomic.Int32
	failing            int32 // the write that fails, from 1 on; 0: none
}

func (d *severalQueues) queue() (queue, error) {
	d.made.Add(1)
	d.open.Add(1)
	return severalQueue{simQueue{}, d}, nil
}

type severalQueue struct {
	simQueue
	driver *severalQueues
}

func (q severalQueue) release() { q.driver.open.Add(-1) }

func (q severalQueue) write(to buffer, offset int, data []byte) error {
	if q.driver.writes.Add(1) == q.driver.failing {
		return ErrDevice
	}
	return q.simQueue.write(to, offset, data)
}

// Arrays arrive as they were, whatever pieces they are cut in; small ones by the queue that is there,
// large ones by some more.
func TestPieces(t *testing.T) {
	const large = 2*pieceBytes + 5
	for _, test := range []struct {
		bytes   int
		queues  int32
		failing int32
	}{{bytes: 1}, {bytes: pieceBytes}, {bytes: large, queues: 1}, {bytes: large, queues: 1, failing: 2}} {
		d := &severalQueues{failing: test.failing}
		data := bytes.Repeat([]byte("pieces."), test.bytes/7+1)[:test.bytes]
		var pieces []piece
		buffers := make([]buffer, 2)
		for i := range buffers {
			buffers[i], _ = d.allocate(len(data))
			pieces = cutPieces(pieces, buffers[i], data[:len(data)*(1-i)+1*i])
		}
		q := severalQueue{simQueue{}, d}
		err := writePieces(d, q, pieces)
		if errors.Is(err, ErrDevice) != (test.failing > 0) {
			t.Errorf("%+v: %v", test, err)
		}
		if err == nil && (!bytes.Equal(buffers[0].(*simBuffer).bytes()[:len(data)], data) || buffers[1].(*simBuffer).bytes()[0] != data[0]) {
			t.Errorf("%+v: data differ", test)
		}
		if d.made.Load() != test.queues || d.open.Load() != 0 {
			t.Errorf("%+v: %d queues, %d left open", test, d.made.Load(), d.open.Load())
		}
	}
}
