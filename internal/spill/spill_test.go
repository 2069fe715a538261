package spill

import (
	"os"
	"path/filepath"
	"testing"
)

// Lists keep their numbers while they are idle, and the folder has no file while they are there.
func TestFiles(t *testing.T) {
	folder := t.TempDir()
	f := New(folder)
	if f == nil {
		t.Skip("this system has no such files")
	}
	var lists [][]uint32
	for i, n := range []int{1, 1023, 1 << 20, 5000} {
		list, err := f.Make(n)
		if err != nil {
			t.Fatal(err)
		}
		for j := range list {
			if list[j] != 0 {
				t.Fatalf("list %d begins with %d", i, list[j])
			}
			list[j] = uint32(i*j + 1)
		}
		f.Idle(list, list[n/3:], []uint32{1})
		lists = append(lists, list)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) > 0 {
		t.Errorf("%v are in the folder", left)
	}
	memory := []uint32{1, 2, 3}
	f.Free(lists[1], memory) // the second is not of the file
	for i, list := range lists {
		for j := range list {
			if i != 1 && list[j] != uint32(i*j+1) {
				t.Fatalf("list %d, number %d: %d", i, j, list[j])
			}
		}
	}
	if least := int64(4 << 20); f.Written() < least {
		t.Errorf("%d bytes written", f.Written())
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// Without files lists are in memory; a folder that is not there is an error with its name.
func TestNoFiles(t *testing.T) {
	var none *Files
	if list, err := none.Make(7); err != nil || len(list) != 7 {
		t.Error(list, err)
	}
	none.Idle([]uint32{1})
	none.Free([]uint32{1})
	if none.Written() != 0 || none.Close() != nil {
		t.Error("no files, and yet some")
	}
	folder := filepath.Join(t.TempDir(), "missing")
	if f := New(folder); f != nil {
		if _, err := f.Make(1); !os.IsNotExist(err) && err == nil {
			t.Error("a list in a folder that is not there")
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
