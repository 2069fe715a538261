package sources

import (
	"fmt"
	"io"
)

// Reading ahead: requests of WindowBytes, large enough that a connection is
// busy with bytes and not with round trips. windowsAhead of them are under way
// while one is decoded.
const (
	WindowBytes  = 8 << 20
	windowsAhead = 2
)

// Stretch is a part of a file that is read from its start to its end.
type Stretch struct{ Start, End int64 }

// ahead reads stretches of a file one after the other. Of a far file it fetches
// the next part before it is asked for. Bytes in no stretch, and all of a near
// file, are read on demand. An ahead is for one goroutine.
type ahead struct {
	RandomFile
	far   *FarFile // nil: near
	left  []Stretch
	held  *window
	queue []*window // under way, in order
}

// window is a fetched part of a file.
type window struct {
	Stretch
	done chan struct{}
	data []byte // valid once done, as is err
	err  error
}

func NewAhead(file RandomFile, stretches []Stretch) *ahead {
	far, _ := file.(*FarFile)
	return &ahead{RandomFile: file, far: far, left: stretches, held: &window{}}
}

func (a *ahead) ReadAt(p []byte, offset int64) (n int, err error) {
	for n < len(p) {
		at := offset + int64(n)
		if at >= a.held.Start && at < a.held.End {
			n += copy(p[n:], a.held.data[at-a.held.Start:])
			continue
		}
		found, err := a.advance(at)
		if err != nil {
			return n, err
		}
		if !found {
			m, err := a.RandomFile.ReadAt(p[n:], at)
			return n + m, err
		}
	}
	return n, nil
}

// advance holds the window with byte at, if one that is still to come has it.
// It drops the windows before.
func (a *ahead) advance(at int64) (found bool, err error) {
	for a.far != nil && a.reaches(at) {
		for len(a.queue) < windowsAhead && len(a.left) > 0 {
			a.fetch()
		}
		next := a.queue[0]
		a.queue = a.queue[1:]
		if at >= next.End {
			continue
		}
		if <-next.done; next.err != nil {
			return false, next.err
		}
		a.held = next
		if len(a.left) > 0 {
			a.fetch()
		}
		return true, nil
	}
	return false, nil
}

// reaches says whether byte at is not before the remaining stretches.
func (a *ahead) reaches(at int64) bool {
	if len(a.queue) > 0 {
		return at >= a.queue[0].Start
	}
	return len(a.left) > 0 && at >= a.left[0].Start
}

// fetch requests the next window.
func (a *ahead) fetch() {
	first := &a.left[0]
	w := &window{Stretch: Stretch{first.Start, min(first.End, first.Start+WindowBytes)}, done: make(chan struct{})}
	if first.Start = w.End; first.Start >= first.End {
		a.left = a.left[1:]
	}
	a.queue = append(a.queue, w)
	a.far.pending.Go(func() {
		defer close(w.done)
		w.data = make([]byte, max(w.End-w.Start, 0))
		if _, err := io.ReadFull(io.NewSectionReader(a.far, w.Start, w.End-w.Start), w.data); err != nil {
			w.err = fmt.Errorf("bytes %d to %d: %w", w.Start, w.End, err)
		}
	})
}

// ReadAt fills p.
func ReadAt(file io.ReaderAt, p []byte, offset int64) error {
	if n, err := file.ReadAt(p, offset); n < len(p) {
		return fmt.Errorf("reading: %w", err)
	}
	return nil
}
