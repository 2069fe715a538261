// Package spill keeps lists of numbers in a file, for edges that do not fit memory.
//
// Flow: New names a folder; the first Make makes a file there. Every list is a part of the file, mapped to memory: the
// system writes it to the disk and reads it back. Idle takes a list out of the process's memory until it is used again.
// Free gives up a list and its part of the disk, and Close the rest.
//
// The file has no name once it is open: nothing is left of it when the process ends, however it ends. Its blocks are
// reserved before they are mapped, so a full disk is an error of Make.
//
// Ownership: a list must not be used after Free or Close. Calls may run at once. Units: lists of 4-byte numbers.
// Complexity: constant per call, besides the transfers. All calls on a nil *Files are for lists in memory.
package spill

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"unsafe"

	"bcstage/internal/pages"
)

// Files is the file of a run.
type Files struct {
	folder string

	mu    sync.Mutex
	file  *os.File // nil: none was made
	size  int64
	lists map[*uint32]part // by first number
}

type part struct {
	mapped []byte
	at     int64
}

// New returns Files in a folder; nil where the system cannot have them.
func New(folder string) *Files {
	if !possible {
		return nil
	}
	return &Files{folder: folder, lists: make(map[*uint32]part)}
}

// Make returns a list of n numbers, all 0.
func (f *Files) Make(n int) ([]uint32, error) {
	if f == nil || n == 0 {
		return pages.Large[uint32](n), nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		file, err := os.CreateTemp(f.folder, "bcstage-")
		if err == nil {
			err = os.Remove(file.Name())
		}
		if err != nil {
			return nil, fmt.Errorf("file of edges: %w", err)
		}
		f.file = file
	}
	page := int64(os.Getpagesize())
	bytes := (int64(n)*int64(unsafe.Sizeof(uint32(0))) + page - 1) / page * page
	mapped, err := mapped(f.file, f.size, bytes)
	if err != nil {
		return nil, fmt.Errorf("file of edges in %s, %d bytes: %w", f.folder, f.size+bytes, err)
	}
	list := unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(mapped))), n)
	f.lists[unsafe.SliceData(list)] = part{mapped, f.size}
	f.size += bytes
	return list, nil
}

// idleEach is how many steps of a loop pass before the lists that it reads are taken out of memory.
const idleEach = 64

// IdleEach is Idle after every idleEach steps of a loop, by their number.
func (f *Files) IdleEach(step int, lists ...[]uint32) {
	if step%idleEach == 0 {
		f.Idle(lists...)
	}
}

// Idle says that lists are not needed for now. Lists in memory stay as they are.
func (f *Files) Idle(lists ...[]uint32) {
	f.each(lists, func(_ *uint32, p part) { idle(p.mapped) })
}

// Free gives up lists. Lists in memory stay as they are.
func (f *Files) Free(lists ...[]uint32) {
	f.each(lists, func(first *uint32, p part) {
		delete(f.lists, first)
		free(f.file, p)
	})
}

// each calls do for the lists that are in the file.
func (f *Files) each(lists [][]uint32, do func(first *uint32, p part)) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, list := range lists {
		first := unsafe.SliceData(list)
		if p, found := f.lists[first]; found {
			do(first, p)
		}
	}
}

// Written is how many bytes went through the file.
func (f *Files) Written() int64 {
	if f == nil {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.size
}

// Close gives up all.
func (f *Files) Close() error {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	var errs []error
	for _, p := range f.lists {
		errs = append(errs, unmap(p.mapped))
	}
	clear(f.lists)
	errs = append(errs, f.file.Close())
	f.file = nil
	return errors.Join(errs...)
}
