package preprocess

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime"
	"sync/atomic"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// IsPrepared reports whether a file begins like a prepared graph; false if it cannot
// be read.
func IsPrepared(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() { // a pipe would lose its first bytes
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, len(preparedMagic))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == preparedMagic
}

// OpenPrepared maps a file that Prepared.Write wrote, or reads it where the system
// cannot map files. Large arrays stay in the file: processes on one machine share
// them. All of it is checked first, by threads goroutines (0: GOMAXPROCS), so that
// no engine meets a number out of range. The file must not be changed in place while
// it is open; another may be renamed over it.
//
// The error wraps ErrPrepared, or question.ErrUnanswered if the file was prepared
// for a question that this program cannot answer, or it is the system's or the
// context's.
func OpenPrepared(ctx context.Context, path string, threads int) (*Prepared, error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	data, unmap, err := contents(path)
	if err != nil {
		return nil, fmt.Errorf("preprocess: %w", err)
	}
	p, err := parsePrepared(ctx, data, threads)
	if err == nil {
		if err = p.Question.Answerable(); err != nil {
			err = fmt.Errorf("prepared for another question: %w", err)
		}
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("preprocess: %s: %w", path, err), unmap())
	}
	p.unmap = unmap
	return p, nil
}

// contents maps a file. Where that is not possible, it reads the file to memory that
// is aligned for any number.
func contents(path string) (data []byte, unmap func() error, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close() // a mapping outlives it
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	size := info.Size()
	if !info.Mode().IsRegular() || size < preparedHeader || size > maxInt {
		return nil, nil, fmt.Errorf("%s: %w", path, damaged("no prepared graph: %d bytes", size))
	}
	data, unmap, err = mapFile(file, int(size))
	if errors.Is(err, errors.ErrUnsupported) {
		data, unmap = littleEndian(make([]uint64, (size+7)/8))[:size], func() error { return nil }
		_, err = io.ReadFull(file, data)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, unmap, nil
}

// parsePrepared returns views of data, which begins at a multiple of 64.
func parsePrepared(ctx context.Context, data []byte, threads int) (*Prepared, error) {
	if err := checkBytes(ctx, data, threads); err != nil {
		return nil, err
	}
	in, err := readSections(data)
	if err != nil {
		return nil, err
	}
	p := &Prepared{Plan: &Plan{}}
	numbers := take[int64](in, "plan", planNumbers)
	fingerprint := take[byte](in, "fingerprint", len(p.Fingerprint))
	if in.err != nil {
		return nil, in.err
	}
	for _, x := range numbers {
		if x < 0 {
			return nil, damaged("plan: %d", numbers)
		}
	}
	if p.Question, err = question.Parse(string(take[byte](in, "question", anyCount))); err != nil {
		return nil, damaged("%w", err)
	}
	if numbers[planVertices] > csr.MaxVertices {
		return nil, damaged("%d vertices: %w", numbers[planVertices], csr.ErrTooLarge)
	}
	n := int(numbers[planVertices])
	p.Vertices, p.Edges = n, numbers[planEdges]
	p.Components, p.Folded, p.Twins = int(numbers[planComponents]), int(numbers[planFolded]), int(numbers[planTwins])
	p.BlockCount, p.LargestBlock = int(numbers[planBlockCount]), int(numbers[planLargestBlock])
	copy(p.Fingerprint[:], fingerprint)
	p.About = take[byte](in, "about", anyCount)
	if p.Question.Searches(measures.Paths) {
		p.ClosedForms = []closedForm{{measures.Betweenness, wholes.Forms{Low: take[int64](in, "closed_forms", n)}}}
	}
	if chosenEnds(p.Question) && p.Question.Searches(measures.Distances) {
		p.IsSource, p.IsTarget = take[uint32](in, "is_source", n), take[uint32](in, "is_target", n)
	}
	p.ComponentSizes = take[uint32](in, "component_sizes", n)
	p.Degrees = take[uint32](in, "degrees", n)
	for name, values := range p.told() {
		if _, ok := in.bytes[name]; ok {
			*values = take[uint32](in, name, n)
		}
	}
	if len(in.bytes["id_offsets"]) > 0 {
		p.IDs.Offsets = take[int64](in, "id_offsets", n+1)
		p.IDs.Bytes = take[byte](in, "id_bytes", anyCount)
	} else {
		p.IDs.Ints = take[uint64](in, "ids", n)
	}
	p.Scopes = in.scopes(n)
	p.Upward = in.edges(n)
	p.Blocks = in.blocks()
	if in.err != nil {
		return nil, in.err
	}
	cutoff := int64(noCutoff)
	if _, ok := in.bytes["cutoff"]; ok {
		if one := take[int64](in, "cutoff", 1); in.err == nil {
			cutoff = one[0]
		}
		if cutoff < 0 || p.Question.Cutoff == "" {
			return nil, damaged("cutoff %d for the question %q", cutoff, p.Question)
		}
	}
	p.cutoff = cutoff
	p.cutBlocks(cutoff)
	p.Reductions = reductions(searched(p.Question, p.lengths(), cutoff), nil, false)
	if written := binary.LittleEndian.Uint32(data[8:]); written != p.version() {
		return nil, damaged("version %d of the format, want %d", written, p.version())
	}
	if err := p.checkPrepared(ctx, threads); err != nil {
		return nil, err
	}
	p.reach()
	p.Batches = batches(p.Blocks)
	if err := p.Measure(ctx); err != nil {
		return nil, err
	}
	return p, nil
}

// reach sets Block.Reach of the blocks, which follows from the sizes of components.
func (p *Prepared) reach() {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if !b.Kind().Reach() || b.Directed() || b.Cutoff > 0 {
			continue
		}
		b.Reach = make([]uint32, len(b.vertices))
		for local, v := range b.vertices {
			b.Reach[local] = p.ComponentSizes[v] - 1
		}
	}
}

// checkBytes checks that data is a whole file of this version, undamaged.
func checkBytes(ctx context.Context, data []byte, threads int) error {
	sums, err := checkHead(data, int64(len(data)))
	if err == nil {
		err = sums.check(data[sums.end:])
	}
	if err != nil {
		return err
	}
	var wrong atomic.Int64 // place of a damaged piece, plus one
	err = parallel.Spread(ctx, threads, int(sums.end), checkedPiece, func(lo, hi int) {
		if !sums.match(int64(lo), data[lo:hi]) {
			wrong.Store(int64(lo) + 1)
		}
	})
	if at := wrong.Load(); at > 0 {
		return sums.damaged(at - 1)
	}
	return err
}

// checksums are those of a file's pieces, which begin at multiples of checkedPiece and end before end.
type checksums struct {
	end  int64
	list []byte
}

// checkHead checks the first bytes of a file of so many bytes. It returns the place of the checksums, without these.
func checkHead(head []byte, size int64) (sums checksums, err error) {
	switch {
	case len(head) < preparedHeader || string(head[:len(preparedMagic)]) != preparedMagic:
		return sums, damaged("no prepared graph, or cut short after %d bytes", size)
	case binary.LittleEndian.Uint32(head[8:])-1 >= preparedVersion: // 0 wraps around
		return sums, damaged("version %d of the format, want 1 to %d: prepare it again", binary.LittleEndian.Uint32(head[8:]), preparedVersion)
	case binary.LittleEndian.Uint64(head[16:]) != uint64(size):
		return sums, damaged("%d bytes, want %d: cut short", size, binary.LittleEndian.Uint64(head[16:]))
	}
	end := binary.LittleEndian.Uint64(head[24:])
	if end < preparedHeader || end > uint64(size) || int64(end)+checksumBytes(int64(end)) != size {
		return sums, damaged("checksums at byte %d of %d", end, size)
	}
	return checksums{end: int64(end)}, nil
}

// check takes the end of the file, and checks it by its own checksum.
func (s *checksums) check(tail []byte) error {
	s.list = tail[:len(tail)-crc32.Size]
	if crc32.Checksum(s.list, castagnoli()) != binary.LittleEndian.Uint32(tail[len(s.list):]) {
		return damaged("damaged: the checksums do not match their own")
	}
	return nil
}

// match reports whether the piece at a place is undamaged.
func (s *checksums) match(at int64, piece []byte) bool {
	return crc32.Checksum(piece, castagnoli()) == binary.LittleEndian.Uint32(s.list[at/checkedPiece*crc32.Size:])
}

func (s *checksums) damaged(at int64) error {
	return damaged("damaged between byte %d and %d", at, min(at+checkedPiece, s.end))
}
