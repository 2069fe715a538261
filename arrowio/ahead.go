package arrowio

import (
	"fmt"
	"io"
)

// Reading ahead: requests of windowBytes, large enough that a connection is
// busy with bytes and not with round trips, windowsAhead of them under way
// while one is being decoded.
const (
	windowBytes  = 8 << 20
	windowsAhead = 2
)

// stretch is a part of a file that is read from its start to its end.
type stretch struct{ start, end int64 }

// ahead reads stretches of a file one after the other. Of a file that is far,
// what comes next is fetched before anybody asks for it; what is in no stretch,
// and all of a near file, is read when asked for. An ahead is for one goroutine.
type ahead struct {
	randomFile
	far   *farFile // nil: near
	left  []stretch
	held  *window
	queue []*window // on their way, in order
}

// window is a fetched part of a file.
type window struct {
	stretch
	done chan struct{}
	data []byte // valid once done, as is err
	err  error
}

func newAhead(file randomFile, stretches []stretch) *ahead {
	far, _ := file.(*farFile)
	return &ahead{randomFile: file, far: far, left: stretches, held: &window{}}
}

func (a *ahead) ReadAt(p []byte, offset int64) (n int, err error) {
	for n < len(p) {
		at := offset + int64(n)
		if at >= a.held.start && at < a.held.end {
			n += copy(p[n:], a.held.data[at-a.held.start:])
			continue
		}
		found, err := a.advance(at)
		if err != nil {
			return n, err
		}
		if !found {
			m, err := a.randomFile.ReadAt(p[n:], at)
			return n + m, err
		}
	}
	return n, nil
}

// advance holds the window with byte at, if one is still to come that has it.
// Windows before that are dropped.
func (a *ahead) advance(at int64) (found bool, err error) {
	for a.far != nil && a.reaches(at) {
		for len(a.queue) < windowsAhead && len(a.left) > 0 {
			a.fetch()
		}
		next := a.queue[0]
		a.queue = a.queue[1:]
		if at >= next.end {
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

// reaches tells whether byte at is not before what is still to come.
func (a *ahead) reaches(at int64) bool {
	if len(a.queue) > 0 {
		return at >= a.queue[0].start
	}
	return len(a.left) > 0 && at >= a.left[0].start
}

// fetch sends for the next window.
func (a *ahead) fetch() {
	first := &a.left[0]
	w := &window{stretch: stretch{first.start, min(first.end, first.start+windowBytes)}, done: make(chan struct{})}
	if first.start = w.end; first.start >= first.end {
		a.left = a.left[1:]
	}
	a.queue = append(a.queue, w)
	a.far.pending.Go(func() {
		defer close(w.done)
		w.data = make([]byte, max(w.end-w.start, 0))
		if _, err := io.ReadFull(io.NewSectionReader(a.far, w.start, w.end-w.start), w.data); err != nil {
			w.err = fmt.Errorf("bytes %d to %d: %w", w.start, w.end, err)
		}
	})
}

// newSequence reads a whole file from its first byte.
func newSequence(file *farFile) *io.SectionReader {
	return io.NewSectionReader(newAhead(file, []stretch{{int64(len(file.head)), file.size}}), 0, file.size)
}

// readAt fills p.
func readAt(file io.ReaderAt, p []byte, offset int64) error {
	if n, err := file.ReadAt(p, offset); n < len(p) {
		return fmt.Errorf("reading: %w", err)
	}
	return nil
}
