package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// unfinished holds the unfinished outputs, and how each is undone: a temporary file is removed, an
// upload aborted.
type unfinished struct {
	mu        sync.Mutex
	undo      map[any]func()
	ended     bool
	delivered bool // a result has its name

	inject func(operation string) error                  // for faults of tests; nil: none
	free   func(folder string) (bytes int64, known bool) // for file systems of tests; nil: freeBytes
}

// fault returns the error that a test injects into an operation.
func (u *unfinished) fault(operation string) error {
	if u.inject == nil {
		return nil
	}
	return u.inject(operation)
}

// faulty is a file whose writes a test can fail.
type faulty struct {
	*os.File
	files *unfinished
}

func (f faulty) Write(data []byte) (int, error) {
	if err := f.files.fault("write"); err != nil {
		return 0, err
	}
	return f.File.Write(data)
}

// fill writes a file, and closes it when it is on the disk.
func (u *unfinished) fill(file *os.File, write func(io.Writer) error) error {
	if err := buffered(faulty{file, u}, write); err != nil {
		return err
	}
	if err := errors.Join(u.fault("fsync"), file.Sync()); err != nil {
		return err
	}
	return errors.Join(u.fault("close"), file.Close())
}

// add registers an output to undo if the process ends first. It reports whether the process
// continues.
func (u *unfinished) add(output any, undo func()) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.note(output, undo)
	return !u.ended
}

// temporary makes a temporary file, or folder, for path and registers it, unless the process is
// ending. Both are one step, since a slow disk might otherwise make the file after the end.
func (u *unfinished) temporary(path string, mode os.FileMode) (part, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended {
		return part{}, os.ErrClosed
	}
	file, err := makePart(path, mode)
	if err != nil {
		return part{}, err
	}
	u.note(file.Name(), func() { os.RemoveAll(file.Name()) })
	return file, nil
}

// note is add for callers that hold the lock.
func (u *unfinished) note(output any, undo func()) {
	if u.undo == nil {
		u.undo = make(map[any]func())
	}
	u.undo[output] = undo
}

// rename gives a file its name, unless the process is ending. A checkpoint is not a result.
func (u *unfinished) rename(from, to string, result bool) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended {
		return os.ErrClosed
	}
	if err := u.fault("rename"); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	u.delivered = u.delivered || result
	return nil
}

// complete records an object that has appeared.
func (u *unfinished) complete(result bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.delivered = u.delivered || result
}

// remove undoes an output; a complete one stays.
func (u *unfinished) remove(output any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	undo := u.undo[output]
	delete(u.undo, output)
	if undo != nil {
		undo()
	}
}

// end undoes all outputs; nothing is renamed any more. If a result has its name, it does nothing
// and returns false, unless it is forced.
func (u *unfinished) end(force bool) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.delivered && !force {
		return false
	}
	u.ended = true
	for _, undo := range u.undo {
		undo()
	}
	clear(u.undo)
	return true
}

// savingGrace is the time after a signal for a checkpoint that is being written, or for the work
// after the scores. To lose an interval's work, or all of it, is worse than a late end. A second
// signal kills at once.
const savingGrace = 10 * time.Second

// abandon leaves a command that does not end because it waits for another process, and removes its
// half-written files. A command whose first result has its name may end by itself: little work is
// left, probably on a slow disk.
func (p *process) abandon(ctx context.Context, done <-chan error) error {
	patience := cmp.Or(p.patience, savingGrace)
	saved := make(chan struct{})
	go func() {
		p.saving.Lock()
		close(saved)
	}()
	select {
	case err := <-done:
		return err
	case <-saved:
	case <-time.After(patience):
	}
	if !p.files.end(false) {
		select {
		case err := <-done:
			return err
		case <-time.After(patience):
			p.files.end(true)
		}
	}
	select {
	case err := <-done:
		return err
	default:
	}
	return context.Cause(ctx)
}
