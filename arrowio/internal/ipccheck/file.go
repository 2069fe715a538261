package ipccheck

import (
	"context"
	"encoding/binary"
	"io"
	"slices"
	"sort"

	flatbuffers "github.com/google/flatbuffers/go"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/sources"
	"bcstage/internal/budget"
)

// Magic begins and ends an IPC file.
const Magic = "ARROW1"

// Slots of the flatbuffer table Footer.
// https://github.com/apache/arrow/blob/main/format/File.fbs
const (
	footerSchema       = 1
	footerDictionaries = 2
	footerRecords      = 3

	blockBytes = 24
)

// File reads the messages of an IPC file in the order of its footer: the
// schema, dictionaries, record batches. It does not use the start of the stream
// inside the file: polars writes no message there.
type File struct {
	ctx     context.Context
	file    io.ReaderAt
	footer  []byte
	blocks  []block // of the messages not read yet
	end     int64   // of the messages: start of the footer
	current block
	started bool
}

// block is where a message lies: struct Block { offset: long; metaDataLength:
// int; bodyLength: long }.
type block struct{ offset, metadata, body int64 }

// NewFile reads the end of a file of size bytes,
//
//	footer  footer length (int32)  "ARROW1"
//
// https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format
func NewFile(ctx context.Context, file io.ReaderAt, size int64) (f *File, err error) {
	defer faults.Recover(&err)
	tail := make([]byte, 4+len(Magic))
	start := size - int64(len(tail))
	if start < int64(len(Magic)) {
		return nil, faults.Corrupt("cut short: no room for a footer")
	}
	if err := sources.ReadAt(file, tail, start); err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(tail))
	if string(tail[4:]) != Magic || length > start-int64(len(Magic)) || length > maxMetadata {
		return nil, faults.Corrupt("cut short: the file does not end with a footer")
	}
	start -= length
	f = &File{ctx: ctx, file: file, footer: make([]byte, length)}
	if err := sources.ReadAt(file, f.footer, start); err != nil {
		return nil, err
	}
	check := metadataCheck{metadata: f.footer}
	root := flatbuffers.Table{Bytes: f.footer, Pos: flatbuffers.GetUOffsetT(f.footer)}
	for _, slot := range []int{footerDictionaries, footerRecords} {
		blocks, err := check.vector(root, slot, blockBytes)
		if err != nil {
			return nil, err
		}
		for ; len(blocks) > 0; blocks = blocks[blockBytes:] {
			b := block{flatbuffers.GetInt64(blocks), int64(flatbuffers.GetInt32(blocks[8:])), flatbuffers.GetInt64(blocks[16:])}
			if b.offset < 0 || b.metadata < 8 || b.metadata > maxMetadata || b.body < 0 || b.offset+b.metadata > start || b.body > start-b.offset-b.metadata {
				return nil, faults.Corrupt("the footer puts a message of %d+%d bytes at byte %d of %d", b.metadata, b.body, b.offset, start)
			}
			f.blocks = append(f.blocks, b)
		}
	}
	f.end = start
	return f, f.checkGaps(start)
}

// Span is the byte range of the messages; empty if there are none.
func (f *File) Span() (start, end int64) {
	if len(f.blocks) == 0 {
		return f.end, f.end
	}
	return f.blocks[0].offset, f.end
}

// Through reads the messages through another reader of the same file.
func (f *File) Through(file io.ReaderAt) { f.file = file }

// checkGaps refuses a footer that lists fewer messages than the file has.
// Messages follow each other, and at most some padding or an end-of-stream
// marker comes between them and before the footer.
func (f *File) checkGaps(footer int64) error {
	const padding = 64
	if len(f.blocks) == 0 {
		return nil
	}
	blocks := slices.Clone(f.blocks)
	sort.Slice(blocks, func(i, j int) bool { return blocks[i].offset < blocks[j].offset })
	end := blocks[0].offset
	for _, b := range append(blocks, block{offset: footer}) {
		if b.offset < end || b.offset > end+padding {
			return faults.Corrupt("the footer lists no message between bytes %d and %d", end, b.offset)
		}
		end = b.offset + b.metadata + b.body
	}
	return nil
}

func (f *File) metadata() ([]byte, error) {
	if !f.started {
		f.started = true
		return f.schema()
	}
	if len(f.blocks) == 0 {
		return nil, io.EOF
	}
	f.current, f.blocks = f.blocks[0], f.blocks[1:]
	metadata := make([]byte, f.current.metadata)
	if _, err := f.file.ReadAt(metadata, f.current.offset); err != nil {
		return nil, cutShort(err)
	}
	if binary.LittleEndian.Uint32(metadata) == continuation {
		metadata = metadata[4:]
	}
	length := int(int32(binary.LittleEndian.Uint32(metadata)))
	if metadata = metadata[4:]; length < 0 || length > len(metadata) {
		return nil, faults.Corrupt("byte %d: message with %d bytes of metadata in %d", f.current.offset, length, len(metadata))
	}
	return metadata[:length], nil
}

func (f *File) body(size int64, charge *budget.Charge) ([]byte, error) {
	if size != f.current.body {
		return nil, faults.Corrupt("byte %d: body of %d bytes where the footer says %d", f.current.offset, size, f.current.body)
	}
	if err := charge.Take(size); err != nil {
		return nil, err
	}
	body := make([]byte, size)
	return body, inPieces(f.ctx, body, func(at int, piece []byte) error {
		if _, err := f.file.ReadAt(piece, f.current.offset+f.current.metadata+int64(at)); err != nil {
			return cutShort(err)
		}
		return nil
	})
}

// schema makes a schema message from the footer, which holds a schema but no
// message. Offsets in flatbuffers are relative, so the whole footer is copied
// behind a table Message whose header points into it.
func (f *File) schema() ([]byte, error) {
	const (
		head, vtable, table    = 32, 4, 16
		header, version, union = 4, 8, 10 // fields, from the table on
		version5, unionSchema  = 4, 1
	)
	root := flatbuffers.Table{Bytes: f.footer, Pos: flatbuffers.GetUOffsetT(f.footer)}
	slot := slotOf(root, footerSchema)
	if slot == 0 {
		return nil, faults.Corrupt("footer without a schema")
	}
	message := make([]byte, head, head+len(f.footer))
	little := binary.LittleEndian
	little.PutUint32(message, table)
	for i, entry := range []uint16{10, 12, version, union, header} { // sizes of vtable and table, slots 0 to 2
		little.PutUint16(message[vtable+2*i:], entry)
	}
	little.PutUint32(message[table:], table-vtable)
	little.PutUint32(message[table+header:], uint32(root.Indirect(root.Pos+slot))+head-table-header)
	little.PutUint16(message[table+version:], version5)
	message[table+union] = unionSchema
	return append(message, f.footer...), nil
}
