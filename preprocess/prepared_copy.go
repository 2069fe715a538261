package preprocess

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sync/errgroup"
)

const (
	// copiedRange is the most that is read from the source at once. It is a multiple of checkedPiece.
	copiedRange = 8 << 20
	// rangesAtOnce ranges are compared or read at once, each with a buffer of its own: 64 MiB in all.
	rangesAtOnce = 8
)

// CopyPrepared makes file a copy of the prepared graph that source holds in size bytes. It compares the file's pieces
// of a MiB with the source's checksums. Of each range it reads the part from the first to the last piece that differs,
// rangesAtOnce ranges side by side. So it continues a copy that was cut off, mends a damaged one, and reads only
// checksums for a complete one. Before the first write it calls lock, then compares again: another process may have copied
// meanwhile.
//
// The error wraps ErrPrepared if the source is not a prepared graph or is damaged, or it is lock's, the system's, or
// the context's.
func CopyPrepared(ctx context.Context, file *os.File, source io.ReaderAt, size int64, lock func() error) error {
	head := make([]byte, min(max(size, 0), preparedHeader))
	if _, err := source.ReadAt(head, 0); err != nil {
		return err
	}
	sums, err := checkHead(head, size)
	if err != nil {
		return err
	}
	tail := make([]byte, size-sums.end)
	if _, err := source.ReadAt(tail, sums.end); err != nil {
		return err
	}
	if err := sums.check(tail); err != nil {
		return err
	}
	c := copying{file, source, sums}
	same, err := c.compare(ctx, tail)
	if same || err != nil {
		return err
	}
	if err := lock(); err != nil {
		return err
	}
	if err := c.each(ctx, c.mend); err != nil {
		return err
	}
	if _, err := file.WriteAt(tail, sums.end); err != nil {
		return err
	}
	return file.Truncate(size)
}

// copying is a copy under way.
type copying struct {
	file   *os.File
	source io.ReaderAt
	checksums
}

// errDiffers ends a comparison.
var errDiffers = errors.New("the copy differs")

// compare reports whether the file is complete and undamaged.
func (c *copying) compare(ctx context.Context, tail []byte) (same bool, err error) {
	end := make([]byte, len(tail)+1) // one more: the file must end there
	if n, err := c.file.ReadAt(end, c.end); err != io.EOF || !bytes.Equal(end[:n], tail) {
		return false, unlessEOF(err)
	}
	err = c.each(ctx, func(at int64, data []byte) error {
		from, to, err := c.wrong(at, data)
		if err == nil && from < to {
			err = errDiffers
		}
		return err
	})
	if errors.Is(err, errDiffers) {
		return false, nil
	}
	return err == nil, err
}

// mend reads what the file lacks of a range.
func (c *copying) mend(at int64, data []byte) error {
	from, to, err := c.wrong(at, data)
	if err != nil || from == to {
		return err
	}
	if _, err := c.source.ReadAt(data[from:to], at+from); err != nil {
		return err
	}
	for piece := from; piece < to; piece += checkedPiece {
		if !c.match(at+piece, data[piece:min(piece+checkedPiece, to)]) {
			return c.damaged(at + piece)
		}
	}
	_, err = c.file.WriteAt(data[from:to], at+from)
	return err
}

// wrong reads a range of the file. It returns the part of data from the first to the last piece that is missing or
// damaged.
func (c *copying) wrong(at int64, data []byte) (from, to int64, err error) {
	if _, err := c.file.ReadAt(data, at); unlessEOF(err) != nil {
		return 0, 0, err
	}
	size := int64(len(data))
	for piece := int64(0); piece < size; piece += checkedPiece {
		end := min(piece+checkedPiece, size)
		if c.match(at+piece, data[piece:end]) {
			continue
		}
		if from == to {
			from = piece
		}
		to = end
	}
	return from, to, nil
}

func unlessEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// each calls work for every range of the pieces, several at once, until one fails.
func (c *copying) each(ctx context.Context, work func(at int64, data []byte) error) error {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(rangesAtOnce)
	for at := int64(0); at < c.end && groupCtx.Err() == nil; at += copiedRange {
		group.Go(func() error { return work(at, make([]byte, min(copiedRange, c.end-at))) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
