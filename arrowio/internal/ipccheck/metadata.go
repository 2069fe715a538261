package ipccheck

import (
	"github.com/apache/arrow/go/v17/arrow/ipc"
	flatbuffers "github.com/google/flatbuffers/go"

	"bcstage/arrowio/internal/faults"
)

// Slots of the flatbuffer tables of a message.
// https://github.com/apache/arrow/blob/main/format/Message.fbs, Schema.fbs
const (
	messageHeader   = 2
	schemaFields    = 1
	schemaMetadata  = 2
	fieldType       = 2
	fieldDictionary = 4
	fieldChildren   = 5
	fieldMetadata   = 6
	dictionaryID    = 0
	dictionaryData  = 1
	batchNodes      = 1
	batchBuffers    = 2
	batchViewCounts = 4

	typeBinaryView, typeStringView = 23, 24

	structBytes   = 16 // of a node and of a buffer
	maxFieldDepth = 64
)

// metadataCheck walks the flatbuffers of a stream's messages before Arrow does.
// Arrow makes room for as many fields or buffers as a vector claims, however few
// bytes there are. It also reads elements beyond a vector's end, and follows
// shared tables without end.
type metadataCheck struct {
	metadata []byte
	body     int64 // bytes of it
	left     int   // tables that may still come: an honest one takes at least 4 bytes

	views           int            // view columns of a record batch
	dictionaryViews map[int64]*int // and of a dictionary's values, by its id
}

// message returns an ErrCorrupt, or panics for faults.Recover, if a message
// claims more than it holds.
func (c *metadataCheck) message(kind ipc.MessageType, metadata []byte, body int64) error {
	c.metadata, c.body, c.left = metadata, body, len(metadata)/4
	message := flatbuffers.Table{Bytes: metadata, Pos: flatbuffers.GetUOffsetT(metadata)}
	header, err := c.child(message, messageHeader)
	if err != nil {
		return err
	}
	switch kind {
	case ipc.MessageSchema:
		if err := c.tables(header, schemaMetadata, nil); err != nil {
			return err
		}
		c.views, c.dictionaryViews = 0, make(map[int64]*int)
		return c.fields(header, schemaFields, 0, &c.views)
	case ipc.MessageDictionaryBatch:
		views := c.dictionaryViews[header.GetInt64Slot(vtableSlot(dictionaryID), 0)]
		if views == nil {
			return faults.Corrupt("dictionary batch that belongs to no field")
		}
		if header, err = c.child(header, dictionaryData); err != nil {
			return err
		}
		return c.batch(header, *views)
	case ipc.MessageRecordBatch:
		return c.batch(header, c.views)
	}
	return faults.Corrupt("message of type %s in a stream of record batches", kind)
}

// slotOf is the place of a slot in the table, 0 if it is absent.
func slotOf(table flatbuffers.Table, slot int) flatbuffers.UOffsetT {
	return flatbuffers.UOffsetT(table.Offset(vtableSlot(slot)))
}

// vtableSlot is the place of a slot in a table's index.
func vtableSlot(slot int) flatbuffers.VOffsetT { return flatbuffers.VOffsetT(4 + 2*slot) }

// child is the table in a slot, which must be there.
func (c *metadataCheck) child(table flatbuffers.Table, slot int) (flatbuffers.Table, error) {
	offset := slotOf(table, slot)
	if offset == 0 {
		return table, faults.Corrupt("message without a header")
	}
	return flatbuffers.Table{Bytes: c.metadata, Pos: table.Indirect(table.Pos + offset)}, nil
}

// vector is a vector's elements as bytes.
func (c *metadataCheck) vector(table flatbuffers.Table, slot, width int) ([]byte, error) {
	offset := slotOf(table, slot)
	if offset == 0 {
		return nil, nil
	}
	length, start := table.VectorLen(offset), int(table.Vector(offset))
	if length < 0 || length > (len(c.metadata)-start)/width {
		return nil, faults.Corrupt("%d bytes of metadata claim %d elements", len(c.metadata), length)
	}
	return c.metadata[start : start+length*width], nil
}

// fields walks fields and their children, and counts the views among them.
func (c *metadataCheck) fields(table flatbuffers.Table, slot, depth int, views *int) error {
	if depth > maxFieldDepth {
		return faults.Corrupt("schema nests more than %d deep", maxFieldDepth)
	}
	return c.tables(table, slot, func(field flatbuffers.Table) error {
		views := views
		if slotOf(field, fieldDictionary) != 0 {
			dictionary, err := c.child(field, fieldDictionary)
			if err != nil {
				return err
			}
			views = new(int)
			c.dictionaryViews[dictionary.GetInt64Slot(vtableSlot(dictionaryID), 0)] = views
		}
		if typ := field.GetByteSlot(vtableSlot(fieldType), 0); typ == typeBinaryView || typ == typeStringView {
			*views++
		}
		if err := c.tables(field, fieldMetadata, nil); err != nil {
			return err
		}
		return c.fields(field, fieldChildren, depth+1, views)
	})
}

// tables checks and visits a vector of tables.
func (c *metadataCheck) tables(table flatbuffers.Table, slot int, visit func(flatbuffers.Table) error) error {
	const width = flatbuffers.SizeUOffsetT
	elements, err := c.vector(table, slot, width)
	if err != nil {
		return err
	}
	if c.left -= len(elements) / width; c.left < 0 {
		return faults.Corrupt("schema of more fields than its %d bytes hold", len(c.metadata))
	}
	if visit == nil || len(elements) == 0 {
		return nil
	}
	start := table.Vector(slotOf(table, slot))
	for i := range len(elements) / width {
		position := table.Indirect(start + flatbuffers.UOffsetT(i*width))
		if err := visit(flatbuffers.Table{Bytes: c.metadata, Pos: position}); err != nil {
			return err
		}
	}
	return nil
}

// batch checks that the buffers of a batch lie in the body, and that each of its
// views has a buffer count.
func (c *metadataCheck) batch(batch flatbuffers.Table, views int) error {
	if _, err := c.vector(batch, batchNodes, structBytes); err != nil {
		return err
	}
	buffers, err := c.vector(batch, batchBuffers, structBytes)
	if err != nil {
		return err
	}
	for at := 0; at < len(buffers); at += structBytes {
		offset, length := flatbuffers.GetInt64(buffers[at:]), flatbuffers.GetInt64(buffers[at+8:])
		if offset < 0 || length < 0 || offset > c.body || length > c.body-offset {
			return faults.Corrupt("%d bytes from %d of a body of %d", length, offset, c.body)
		}
	}
	counts, err := c.vector(batch, batchViewCounts, 8)
	if err != nil {
		return err
	}
	if len(counts)/8 < views {
		return faults.Corrupt("%d view columns, but buffer counts for %d", views, len(counts)/8)
	}
	left := int64(len(buffers) / structBytes)
	for ; len(counts) > 0; counts = counts[8:] {
		count := flatbuffers.GetInt64(counts)
		if left -= max(count, 0); count < 0 || left < 0 {
			return faults.Corrupt("more view buffers than buffers")
		}
	}
	return nil
}
