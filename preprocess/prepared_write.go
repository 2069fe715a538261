package preprocess

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// Write writes the file. Its errors are w's and the context's.
func (p *Prepared) Write(ctx context.Context, w io.Writer) error {
	if err := p.write(ctx, w); err != nil {
		return fmt.Errorf("preprocess: prepared graph: %w", err)
	}
	return nil
}

func (p *Prepared) write(ctx context.Context, w io.Writer) error {
	sections := p.sections()
	head := make([]byte, preparedHeader, preparedHeader+sectionEntry*len(sections))
	at := aligned(int64(cap(head)))
	for _, s := range sections {
		var name [sectionName]byte
		copy(name[:], s.name)
		head = append(head, name[:]...)
		head = binary.LittleEndian.AppendUint64(head, uint64(at))
		head = binary.LittleEndian.AppendUint64(head, uint64(s.size))
		at = aligned(at + s.size)
	}
	copy(head, preparedMagic)
	binary.LittleEndian.PutUint32(head[8:], p.version())
	binary.LittleEndian.PutUint32(head[12:], uint32(len(sections)))
	binary.LittleEndian.PutUint64(head[16:], uint64(at+checksumBytes(at)))
	binary.LittleEndian.PutUint64(head[24:], uint64(at))

	out := &checkedWriter{ctx: ctx, w: w}
	if err := out.write(head); err != nil {
		return err
	}
	for _, s := range sections {
		if err := out.pad(); err != nil {
			return err
		}
		if err := s.each(out.write); err != nil {
			return err
		}
	}
	if err := out.pad(); err != nil {
		return err
	}
	_, err := w.Write(out.checksums())
	return err
}

func aligned(at int64) int64 { return (at + sectionAlign - 1) / sectionAlign * sectionAlign }

// checksumBytes is the size of the checksums of size bytes, their own included.
func checksumBytes(size int64) int64 {
	return (size+checkedPiece-1)/checkedPiece*crc32.Size + crc32.Size
}

// checkedWriter keeps a checksum of every piece.
type checkedWriter struct {
	ctx   context.Context
	w     io.Writer
	size  int64
	sums  []byte // of the pieces that are complete
	piece uint32 // of the one under way
}

func (c *checkedWriter) write(data []byte) error {
	for len(data) > 0 {
		if err := c.ctx.Err(); err != nil {
			return context.Cause(c.ctx)
		}
		part := data[:min(int64(len(data)), checkedPiece-c.size%checkedPiece)]
		data = data[len(part):]
		c.piece = crc32.Update(c.piece, castagnoli(), part)
		if c.size += int64(len(part)); c.size%checkedPiece == 0 {
			c.sums = binary.LittleEndian.AppendUint32(c.sums, c.piece)
			c.piece = 0
		}
		if _, err := c.w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// pad writes zeros up to the place of the next section.
func (c *checkedWriter) pad() error {
	return c.write(make([]byte, aligned(c.size)-c.size))
}

func (c *checkedWriter) checksums() []byte {
	sums := c.sums
	if c.size%checkedPiece > 0 {
		sums = binary.LittleEndian.AppendUint32(sums, c.piece)
	}
	return binary.LittleEndian.AppendUint32(sums, crc32.Checksum(sums, castagnoli()))
}

// castagnoli returns the table of the polynomial that processors have an
// instruction for.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }
