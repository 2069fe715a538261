package ipccheck

import (
	"context"
	"encoding/binary"
	"io"

	"bcstage/arrowio/internal/faults"
	"bcstage/internal/budget"
)

const (
	continuation   = 0xFFFFFFFF // begins every message since Arrow 0.15
	maxMetadata    = 256 << 20  // bytes of one message's metadata: some million columns
	firstReadBytes = 4 << 20    // read on a length's word alone; more must have arrived
)

// EndOfStream is the marker at the end of a stream.
const EndOfStream = "\xff\xff\xff\xff\x00\x00\x00\x00"

// stream reads the messages of an IPC stream, which are
//
//	FFFFFFFF  metadata length (int32)  metadata  body
//
// up to the end-of-stream marker FFFFFFFF 00000000. The format makes the marker optional,
// but without it a stream that was cut looks complete: it is required here.
// https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format
type stream struct {
	ctx      context.Context
	r        io.Reader
	position int64 // bytes read
}

// NewStream reads an IPC stream.
func NewStream(ctx context.Context, r io.Reader) Frames { return &stream{ctx: ctx, r: r} }

func (s *stream) metadata() ([]byte, error) {
	start := s.position
	var prefix [8]byte
	n, err := io.ReadFull(s.r, prefix[:])
	s.position += int64(n)
	switch {
	case err == io.EOF:
		return nil, faults.Corrupt("cut short: the end-of-stream marker is missing")
	case err != nil:
		return nil, cutShort(err)
	case binary.LittleEndian.Uint32(prefix[:]) != continuation:
		return nil, faults.Corrupt("byte %d: no Arrow IPC message begins here", start)
	}
	length := int64(int32(binary.LittleEndian.Uint32(prefix[4:])))
	if length == 0 {
		return nil, s.end()
	}
	if length < 0 || length > maxMetadata {
		return nil, faults.Corrupt("byte %d: message with %d bytes of metadata", start, length)
	}
	return s.body(length, &budget.Charge{})
}

// end is io.EOF if nothing follows the marker.
func (s *stream) end() error {
	switch n, err := io.ReadFull(s.r, make([]byte, 1)); {
	case n > 0:
		return faults.Corrupt("bytes follow the end-of-stream marker: read joined streams one by one")
	case err != io.EOF:
		return err
	}
	return io.EOF
}

// body takes memory only as bytes arrive.
func (s *stream) body(size int64, charge *budget.Charge) (data []byte, err error) {
	for int64(len(data)) < size {
		have, more := data, min(size, int64(max(2*len(data), firstReadBytes)))
		if err := charge.Take(more); err != nil {
			return nil, err
		}
		data = make([]byte, more)
		err := inPieces(s.ctx, data[:len(have)], func(at int, piece []byte) error {
			copy(piece, have[at:])
			return nil
		})
		if err != nil {
			return nil, err
		}
		charge.Waste(int64(len(have)))
		err = inPieces(s.ctx, data[len(have):], func(_ int, piece []byte) error {
			n, err := io.ReadFull(s.r, piece)
			s.position += int64(n)
			if err != nil {
				return cutShort(err)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return data, nil
}

// pieceBytes is how much is read or copied between two checks of the context.
const pieceBytes = 8 << 20

// inPieces calls fill for one piece of data after the other: a record batch may be most of
// an input, and take seconds.
func inPieces(ctx context.Context, data []byte, fill func(at int, piece []byte) error) error {
	for at := 0; at < len(data); at += pieceBytes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := fill(at, data[at:min(at+pieceBytes, len(data))]); err != nil {
			return err
		}
	}
	return nil
}
