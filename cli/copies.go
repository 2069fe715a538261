package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"bcstage/cli/internal/objectstore"
	"bcstage/preprocess"
)

const (
	// copyKept is the time that a copy is kept after its last use.
	copyKept = 24 * time.Hour
	// lockWait is the time between two looks whether another process still copies.
	lockWait = 50 * time.Millisecond
)

// copied returns the path of a copy, on this machine, of a prepared graph in an object store; a name that ends in .bcg
// is one. Any other path is returned unchanged. Processes of one user on one machine share the copy. One of them
// fetches it, and the others wait; if it dies, the next continues.
func (p *process) copied(ctx context.Context, path string) (string, error) {
	object, ok := objectstore.Name(path)
	if !ok || !strings.HasSuffix(path, ".bcg") || strings.ContainsAny(path, "*?[") {
		return path, nil
	}
	version, err := p.objects.Version(object)
	if err != nil {
		return "", err
	}
	source, err := p.objects.Open(object)
	if err != nil {
		return "", err
	}
	defer source.Close()
	ranges, ok := source.(io.ReaderAt)
	if !ok {
		return path, nil // a folder
	}
	info, err := source.Stat()
	if err != nil {
		return "", err
	}
	folder, err := copiesFolder()
	if err != nil {
		return "", err
	}
	local := filepath.Join(folder, fmt.Sprintf("%x.bcg", sha256.Sum256([]byte(version))))
	file, err := os.OpenFile(local, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return "", err
	}
	defer file.Close() // unlocks it
	now := time.Now()
	if err := os.Chtimes(local, now, now); err != nil {
		return "", err
	}
	err = preprocess.CopyPrepared(ctx, file, ranges, info.Size(), func() error {
		removeCopies(folder, now.Add(-copyKept))
		return waitForLock(ctx, file)
	})
	if errors.Is(err, preprocess.ErrPrepared) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		return "", err
	}
	if p.copies == nil {
		p.copies = make(map[string]string)
	}
	p.copies[local] = path
	return local, nil
}

// copiesFolder makes the folder of all copies, in TMPDIR. No other user may write to it: checksums do not detect
// forgery.
func copiesFolder() (string, error) {
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("bcstage-%d", os.Getuid()))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return "", err
	}
	if !info.IsDir() || !private(info) {
		return "", &usageError{fmt.Sprintf("%s: copies of prepared graphs need a folder that belongs to this user alone", folder), "TMPDIR names another place"}
	}
	return folder, nil
}

// removeCopies removes copies that no process has used since a time. A process that has mapped one keeps it.
func removeCopies(folder string, since time.Time) {
	names, err := namesIn(folder)
	if err != nil {
		return // there is time at the next copy
	}
	for _, name := range names {
		path := filepath.Join(folder, name)
		if info, err := os.Stat(path); err == nil && info.ModTime().Before(since) {
			os.Remove(path)
		}
	}
}

// waitForLock waits until no other process has locked a file, and locks it. Where the system or the file system has no
// locks, several processes may write a copy at once, each the same bytes.
func waitForLock(ctx context.Context, file *os.File) error {
	for errors.Is(flock(file), syscall.EWOULDBLOCK) {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(lockWait):
		}
	}
	return nil
}

// named puts the names of objects in the place of their copies' in an error.
func (p *process) named(err error) error {
	if err == nil {
		return nil
	}
	for local, object := range p.copies {
		err = &renamed{err, local, object}
	}
	return err
}
