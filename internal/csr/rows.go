package csr

import (
	"context"
	"slices"
	"sync"

	"bcstage/internal/radix"
)

const (
	// sortTogether is the number of members of rows that are sorted at once: enough to be
	// worth the counters, few enough for the second-level cache.
	sortTogether = 1 << 15
	// shortRow is the length below which a row is sorted by comparing.
	shortRow = 24
	// narrow is the widest member, in bits, whose keys have 32 bits: 10 are left to
	// separate rows.
	narrow = 22
)

// SortRows sorts each row by itself: row i is targets[offsets[i]:offsets[i+1]], counted
// from the first row, and its members are below 2^width. Cancelled, it returns early,
// with the rows in no order.
func SortRows(ctx context.Context, offsets []int64, targets []uint32, width int) {
	if width <= narrow {
		s := narrowSorters.Get().(*rowSorter[uint32])
		defer narrowSorters.Put(s)
		s.sort(ctx, offsets, targets, width, 1<<(32-width))
	} else {
		s := wideSorters.Get().(*rowSorter[uint64])
		defer wideSorters.Put(s)
		s.sort(ctx, offsets, targets, width, sortTogether)
	}
}

// The memory of sorters is reused: in small graphs, allocating pages for it would take a
// good part of the time.
var (
	narrowSorters = sync.Pool{New: func() any { return new(rowSorter[uint32]) }}
	wideSorters   = sync.Pool{New: func() any { return new(rowSorter[uint64]) }}
)

// rowSorter sorts the members of many rows together, by member alone, and then deals them
// out to their rows.
type rowSorter[K radix.Key] struct {
	ctx     context.Context
	targets []uint32
	width   int // of a member
	most    int // rows that keys can separate

	next        []int // by collected row: place of its next member
	keys, spare []K   // the members, below positions in next
}

func (s *rowSorter[K]) sort(ctx context.Context, offsets []int64, targets []uint32, width, most int) {
	s.ctx, s.targets, s.width, s.most = ctx, targets, width, most
	s.keys = slices.Grow(s.keys, min(len(targets), sortTogether))
	for i, end := range offsets[1:] {
		start, end := int(offsets[i]-offsets[0]), int(end-offsets[0])
		row := s.targets[start:end]
		if len(row) < shortRow {
			slices.Sort(row)
			continue
		}
		if len(s.next) == s.most || len(s.keys)+len(row) > sortTogether {
			s.deal()
		}
		position := K(len(s.next)) << (s.width & 63)
		s.next = append(s.next, start)
		at := len(s.keys)
		s.keys = slices.Grow(s.keys, len(row))[:at+len(row)]
		for i, v := range row {
			s.keys[at+i] = position | K(v)
		}
	}
	s.deal()
	s.ctx, s.targets = nil, nil
	if cap(s.keys) > 2*sortTogether { // a row had that many members
		s.keys, s.spare = nil, nil
	}
}

// deal sorts the collected rows.
func (s *rowSorter[K]) deal() {
	s.spare = slices.Grow(s.spare[:0], len(s.keys))[:len(s.keys)]
	member := K(1)<<(s.width&63) - 1
	next, targets := s.next, s.targets
	for _, key := range radix.Sort(s.ctx, s.keys, s.spare, s.width) {
		at := &next[key>>(s.width&63)]
		targets[*at] = uint32(key & member)
		*at++
	}
	s.next, s.keys = s.next[:0], s.keys[:0]
}
