package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// part is a temporary file that will become a result. It is locked until its process ends or
// releases it, so that other processes can distinguish it from leftovers of killed ones.
type part struct {
	*os.File
	lock *os.File // stays locked after the file's Close; nil: the system has no locks
}

// release unlocks the part: the file has its name, or is removed.
func (f part) release() {
	if f.lock != nil {
		f.lock.Close()
	}
}

// partName is the name of a temporary file for base.
func partName(base string, process, try int) string {
	return fmt.Sprintf(".%s.%d.%d.part", base, process, try)
}

// isPartOf reports whether partName made a name for base. The name for "work.arrow" is not one for
// "work".
func isPartOf(name, base string) bool {
	rest, begins := strings.CutPrefix(name, "."+base+".")
	numbers, ends := strings.CutSuffix(rest, ".part")
	if !begins || !ends { // most files of a folder
		return false
	}
	process, try, two := strings.Cut(numbers, ".")
	_, err := strconv.ParseUint(process, 10, 64)
	_, err2 := strconv.ParseUint(try, 10, 64)
	return two && err == nil && err2 == nil
}

// makePart makes a file, or a folder, in the folder of path, since a file can only be renamed
// within a file system. Its errors name path.
func makePart(path string, mode os.FileMode) (part, error) {
	for try := 0; ; try++ {
		name := filepath.Join(filepath.Dir(path), partName(filepath.Base(path), os.Getpid(), try))
		file, err := newPart(name, mode)
		var failed *os.PathError
		switch {
		case err == nil:
			// Before it was locked, another process may have taken it for a leftover.
			if lock, mine := lockPart(file); mine {
				return part{file, lock}, nil
			}
			file.Close()
		case errors.As(err, &failed) && (!os.IsExist(err) || try == 100):
			return part{}, fmt.Errorf("%s: %w", path, failed.Err)
		}
	}
}

func newPart(name string, mode os.FileMode) (*os.File, error) {
	if !mode.IsDir() {
		return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	}
	if err := os.Mkdir(name, mode.Perm()); err != nil {
		return nil, err
	}
	return os.Open(name)
}

// removeLeftovers removes the temporary files that killed runs have left for path, and keeps files
// that a run is writing.
func removeLeftovers(path string) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	folder, base := filepath.Split(path)
	names, err := namesIn(filepath.Clean(folder))
	if err != nil {
		return // creating the file reports it
	}
	for _, name := range names {
		if !isPartOf(name, base) {
			continue
		}
		if info, err := os.Lstat(folder + name); err == nil && (info.Mode().IsRegular() || info.IsDir()) {
			removeUnlocked(folder + name)
		}
	}
}

// namesIn lists a folder, which may be large, in no order.
func namesIn(folder string) ([]string, error) {
	file, err := os.Open(folder)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return file.Readdirnames(-1)
}
