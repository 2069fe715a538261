package budget

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
)

const mib = 1 << 20

// A reader whose turn it is fails if its bytes do not fit once all batches have been given back. It gets bytes
// that fit, beside Free.
func TestTake(t *testing.T) {
	b := New(10 * mib)
	line := b.Line()
	first := line.Account(t.Context()).Charge()
	if err := first.Take(10*mib + Free + 1); !errors.Is(err, ErrMemory) {
		t.Errorf("more than there is: %v", err)
	}
	if err := first.Take(10*mib + Free); err != nil {
		t.Error(err)
	}
	first.Clear()
	if err := b.Hold(6 * mib); err != nil {
		t.Error(err)
	}
	if err := first.Take(5*mib + Free); !errors.Is(err, ErrMemory) {
		t.Errorf("beside what is held: %v", err)
	}
	if err := first.Take(4*mib + Free); err != nil {
		t.Error(err)
	}
	if err := b.Hold(1); !errors.Is(err, ErrMemory) {
		t.Errorf("held beside what readers have: %v", err)
	}
	first.Pass()
	if err := b.Hold(4 * mib); err != nil {
		t.Errorf("what is on its way is given back: %v", err)
	}
	first.Clear()
	if b.Out() != 0 || b.Held() != 10*mib || b.Peak() != 14*mib+Free {
		t.Errorf("%d bytes out, %d held, %d at the peak", b.Out(), b.Held(), b.Peak())
	}
	var none *Budget
	unbound := none.Line().Account(t.Context()).Charge()
	if err := errors.Join(unbound.Take(1<<60), none.Hold(1<<60)); err != nil {
		t.Error(err)
	}
}

// A reader waits for batches on their way, and stops waiting when its context ends.
func TestTakeWaits(t *testing.T) {
	b := New(mib)
	line := b.Line()
	account := line.Account(t.Context())
	batch, next := account.Charge(), account.Charge()
	if err := batch.Take(mib + Free); err != nil {
		t.Fatal(err)
	}
	batch.Pass()
	taken := make(chan error)
	go func() { taken <- next.Take(mib) }()
	batch.Clear()
	if err := <-taken; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := line.Account(ctx).Charge()
	next.Pass()
	go func() { taken <- stopped.Take(mib + Free) }()
	cancel()
	if err := <-taken; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
}

// Batches on their way leave room for their receiver's memory: a table may grow up to the limit at once.
func TestTablesGrowWhileBatchesPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(4 * Free)
		line := b.Line()
		taken := 0
		var batches [3]Charge
		go func() {
			for number := range batches {
				line.Turn(int64(number))
				account := line.Account(t.Context())
				account.Number = int64(number)
				batches[number] = account.Charge()
				if err := batches[number].Take(Free / 2); err != nil {
					t.Error(err)
				}
				batches[number].Pass()
				taken++
			}
		}()
		synctest.Wait()
		if err := b.Hold(4 * Free); err != nil {
			t.Error(err)
		}
		if taken != 2 || b.Peak() != 5*Free {
			t.Errorf("%d batches on their way, %d bytes at the peak", taken, b.Peak())
		}
		batches[0].Clear()
		synctest.Wait()
		if taken != 3 {
			t.Error("the third waits for more than the first")
		}
	})
}

// Readers ahead of each other take memory in any order, and all finish: none holds memory that the first in line
// waits for, and the limit is kept.
func TestLine(t *testing.T) {
	const readers, batches = 8, 200
	b := New(Free)
	line := b.Line()
	read := make([]chan *Charge, readers)
	var group sync.WaitGroup
	for r := range readers {
		read[r] = make(chan *Charge, batches) // as far ahead as the budget allows
		group.Go(func() {
			account := line.Account(t.Context())
			for number := r; number < batches; number += readers {
				account.Number = int64(number)
				charge := account.Charge()
				for range 4 {
					if err := charge.Take(Free / 4); err != nil {
						t.Error(err)
					}
				}
				read[r] <- &charge
			}
		})
	}
	released := make(chan *Charge, 1)
	group.Go(func() {
		for charge := range released {
			charge.Clear()
		}
	})
	for number := range batches {
		line.Turn(int64(number))
		charge := <-read[number%readers]
		charge.Pass()
		released <- charge
	}
	close(released)
	group.Wait()
	if b.Out() != 0 || b.Peak() > 2*Free {
		t.Errorf("%d bytes out, %d at the peak of %d", b.Out(), b.Peak(), 2*Free)
	}
}

func TestText(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "0.977 KiB", 64 * mib: "64 MiB", 1 << 62: "4 EiB"} {
		if got := Text(bytes); got != want {
			t.Errorf("%d bytes: %s, want %s", bytes, got, want)
		}
	}
}
