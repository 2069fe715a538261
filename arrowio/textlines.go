package arrowio

import (
	"bytes"
	"io"

	"bcstage/arrowio/internal/faults"
)

// chunkBytes is how much text one goroutine parses at a time: some ten
// thousand rows, and with its two key columns within a core's second cache. The first
// chunk has an eighth of that, and the next ones twice as much each, so that what comes
// after parsing begins early where all of the text is a chunk or two.
const (
	chunkBytes      = 256 << 10
	firstChunkBytes = chunkBytes / 8
)

// lines cuts a stream of text into lines, and into chunks of whole records.
// Every line it gives ends with a newline, also the last.
type lines struct {
	r     io.Reader
	buf   []byte // buf[start:] is read but not consumed
	start int
	line  int64 // number of the line at start, from 1
	most  int   // longest line or record in bytes
	size  int   // of a chunk, at most
	next  int   // of the next one
	err   error // of r, after the last byte of buf
}

func newLines(r io.Reader, most int) *lines {
	size := min(chunkBytes, most+len("\r\n"))
	first := min(firstChunkBytes, size)
	return &lines{r: r, buf: make([]byte, 0, first), line: 1, most: most, size: size, next: first}
}

// more reads on, after making room.
func (l *lines) more() {
	if len(l.buf) == cap(l.buf) {
		if l.start > 0 {
			l.buf = l.buf[:copy(l.buf, l.buf[l.start:])]
			l.start = 0
		} else {
			l.buf = append(make([]byte, 0, 2*cap(l.buf)), l.buf...)
		}
	}
	n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	l.err = err
	if err == io.EOF && len(l.buf) > l.start && l.buf[len(l.buf)-1] != '\n' {
		l.buf = append(l.buf, '\n')
	}
}

// fill reads until at least that many bytes are not consumed, or to the end.
func (l *lines) fill(unread int) {
	for len(l.buf)-l.start < unread && l.err == nil {
		l.more()
	}
}

// firstLine and lastLine are the plain record ends: records are lines.
func firstLine(data []byte) int { return bytes.IndexByte(data, '\n') + 1 }
func lastLine(data []byte) int  { return bytes.LastIndexByte(data, '\n') + 1 }

// peek gives the record that begins from bytes after the current line, without
// consuming it, and where the next one begins. first tells where the first
// record of data ends, or 0. The bytes are valid until the next call.
// At the end of the stream the error is io.EOF.
func (l *lines) peek(from int, first func(data []byte) int) (record []byte, next int, err error) {
	for {
		rest := l.buf[l.start+from:]
		if end := first(rest); end > 0 {
			return rest[:end], from + end, nil
		}
		switch {
		case l.err == io.EOF && len(rest) > 0:
			return rest, from + len(rest), nil // an open quote: the parser will say so
		case l.err != nil:
			return nil, from, l.err
		case len(rest) > l.most:
			return nil, from, l.tooLong(l.line + int64(bytes.Count(l.buf[l.start:l.start+from], []byte("\n"))))
		}
		l.fill(from + 2*len(rest) + 1) // twice as much: looking again stays linear
	}
}

// skip consumes that many bytes, which end with a newline.
func (l *lines) skip(bytesOfLines int) {
	l.line += int64(bytes.Count(l.buf[l.start:l.start+bytesOfLines], []byte("\n")))
	l.start += bytesOfLines
}

// chunk consumes some whole records: as many as fit its size, or one that is
// larger. last tells where the last record that ends in data ends, or 0. The
// buffer that holds them is given away, and spare taken for what follows.
// line is the number of the first line, and count how many there are.
// At the end of the stream the error is io.EOF.
func (l *lines) chunk(spare []byte, last func(data []byte) int) (records []byte, line int64, count int, err error) {
	for want := l.next; ; want *= 2 {
		l.fill(want)
		rest := l.buf[l.start:]
		end := 0
		switch {
		case l.err == io.EOF && len(rest) == 0:
			return nil, 0, 0, io.EOF
		case l.err == io.EOF:
			end = len(rest)
		case l.err != nil:
			return nil, 0, 0, l.err
		default:
			end = last(rest)
		}
		if end > 0 {
			line = l.line
			records = rest[:end]
			l.skip(end)
			if over := l.err == io.EOF && end == len(rest); cap(spare) < l.size && !over {
				spare = make([]byte, 0, l.size)
			}
			l.buf, l.start = append(spare[:0], rest[end:]...), 0
			l.next = min(2*l.next, l.size)
			return records, line, int(l.line - line), nil
		}
		if len(rest) > l.most {
			return nil, 0, 0, l.tooLong(l.line)
		}
	}
}

func (l *lines) tooLong(line int64) error {
	return faults.Rejected("line %d: longer than %d bytes; not text, or a quote that is not closed", line, l.most)
}
