// Package textlines cuts text into lines and chunks, has chunks parsed side by side,
// and hands them on in order, for readers of all text formats.
//
// Flow: Text.Peek and Skip for headers; then Parse gives each thread a chunk of whole
// records, whose Batch the parser fills with Columns, and delivers chunks in order.
//
// Units: a chunk is 256 KiB of text. The first ones are smaller; a long record makes a
// larger one.
//
// Ownership: a chunk belongs to its parser until it is delivered. Then the receiver
// owns its batch, whose Release gives the columns back to Free.
//
// Complexity: linear in the text; memory of a chunk and its batch for each thread plus
// two.
package textlines

import (
	"bytes"
	"io"

	"bcstage/arrowio/internal/faults"
)

// ChunkBytes is how much text one goroutine parses at a time: some ten thousand rows,
// which with their two key columns fit in a core's second cache. The first chunk has an
// eighth of that, and each next one twice as much. So later stages begin early if the
// whole text is a chunk or two.
const (
	ChunkBytes      = 256 << 10
	firstChunkBytes = ChunkBytes / 8
)

// Text cuts a stream of text into lines, and into chunks of whole records. Every line
// ends with a newline, also the last.
type Text struct {
	r     io.Reader
	Buf   []byte // buf[start:] is read but not consumed
	Start int
	Line  int64 // number of the line at start, from 1
	most  int   // longest line or record in bytes
	Size  int   // of a chunk, largest
	next  int   // of the next one
	Err   error // of r, after the last byte of buf
}

func New(r io.Reader, most int) *Text {
	size := min(ChunkBytes, most+len("\r\n"))
	first := min(firstChunkBytes, size)
	return &Text{r: r, Buf: make([]byte, 0, first), Line: 1, most: most, Size: size, next: first}
}

// more reads on, after making room.
func (l *Text) more() {
	if len(l.Buf) == cap(l.Buf) {
		if l.Start > 0 {
			l.Buf = l.Buf[:copy(l.Buf, l.Buf[l.Start:])]
			l.Start = 0
		} else {
			l.Buf = append(make([]byte, 0, 2*cap(l.Buf)), l.Buf...)
		}
	}
	n, err := l.r.Read(l.Buf[len(l.Buf):cap(l.Buf)])
	l.Buf = l.Buf[:len(l.Buf)+n]
	l.Err = err
	if err == io.EOF && len(l.Buf) > l.Start && l.Buf[len(l.Buf)-1] != '\n' {
		l.Buf = append(l.Buf, '\n')
	}
}

// Fill reads until at least `unread` bytes are not consumed, or to the end.
func (l *Text) Fill(unread int) {
	for len(l.Buf)-l.Start < unread && l.Err == nil {
		l.more()
	}
}

// FirstLine and LastLine are the plain record ends: records are lines.
func FirstLine(data []byte) int { return bytes.IndexByte(data, '\n') + 1 }
func LastLine(data []byte) int  { return bytes.LastIndexByte(data, '\n') + 1 }

// Peek returns the record that begins from bytes after the current line, without
// consuming it, and where the next one begins. first returns the end of the first
// record of data, or 0. The bytes are valid until the next call. At the end of the
// stream the error is io.EOF.
func (l *Text) Peek(from int, first func(data []byte) int) (record []byte, next int, err error) {
	for {
		rest := l.Buf[l.Start+from:]
		if end := first(rest); end > 0 {
			return rest[:end], from + end, nil
		}
		switch {
		case l.Err == io.EOF && len(rest) > 0:
			return rest, from + len(rest), nil // an open quote: the parser reports it
		case l.Err != nil:
			return nil, from, l.Err
		case len(rest) > l.most:
			return nil, from, l.tooLong(l.Line + int64(bytes.Count(l.Buf[l.Start:l.Start+from], []byte("\n"))))
		}
		l.Fill(from + 2*len(rest) + 1) // twice as much: looking again stays linear
	}
}

// Skip consumes bytes that end with a newline.
func (l *Text) Skip(bytesOfLines int) {
	l.Line += int64(bytes.Count(l.Buf[l.Start:l.Start+bytesOfLines], []byte("\n")))
	l.Start += bytesOfLines
}

// chunk consumes some whole records: as many as fit its size, or one larger record.
// last returns the end of the last record that ends in data, or 0. It gives away the
// buffer with the records, and takes spare for the rest. line is the number of the
// first line, and count the number of lines. At the end of the stream the error is
// io.EOF.
func (l *Text) chunk(spare []byte, last func(data []byte) int) (records []byte, line int64, count int, err error) {
	for want := l.next; ; want *= 2 {
		l.Fill(want)
		rest := l.Buf[l.Start:]
		end := 0
		switch {
		case l.Err == io.EOF && len(rest) == 0:
			return nil, 0, 0, io.EOF
		case l.Err == io.EOF:
			end = len(rest)
		case l.Err != nil:
			return nil, 0, 0, l.Err
		default:
			end = last(rest)
		}
		if end > 0 {
			line = l.Line
			records = rest[:end]
			l.Skip(end)
			if over := l.Err == io.EOF && end == len(rest); cap(spare) < l.Size && !over {
				spare = make([]byte, 0, l.Size)
			}
			l.Buf, l.Start = append(spare[:0], rest[end:]...), 0
			l.next = min(2*l.next, l.Size)
			return records, line, int(l.Line - line), nil
		}
		if len(rest) > l.most {
			return nil, 0, 0, l.tooLong(l.Line)
		}
	}
}

func (l *Text) tooLong(line int64) error {
	return faults.Rejected("line %d: longer than %d bytes; not text, or a quote that is not closed", line, l.most)
}
