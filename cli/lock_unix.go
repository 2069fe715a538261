//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package cli

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lockPart locks a new temporary file, through its own descriptor. mine is false if another process
// was faster, and removes the file.
func lockPart(file *os.File) (lock *os.File, mine bool) {
	syscall.ForkLock.RLock()
	descriptor, err := syscall.Dup(int(file.Fd()))
	if err == nil {
		syscall.CloseOnExec(descriptor)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, true
	}
	lock = os.NewFile(uintptr(descriptor), file.Name())
	if err := flock(lock); err != nil {
		lock.Close()
		return nil, !errors.Is(err, syscall.EWOULDBLOCK) // some file systems have no locks
	}
	opened, err := file.Stat()
	named, missing := os.Stat(file.Name())
	if err != nil || missing != nil || !os.SameFile(opened, named) {
		lock.Close()
		return nil, false
	}
	return lock, true
}

// removeUnlocked removes a temporary file unless a process has locked it. Where locks do not work,
// it keeps the file.
func removeUnlocked(name string) {
	file, err := os.Open(name)
	if err != nil {
		return
	}
	defer file.Close()
	if flock(file) == nil {
		os.RemoveAll(name)
	}
}

func flock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// private reports whether a folder belongs to this user, and no other may write to it.
func private(info fs.FileInfo) bool {
	owner, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(owner.Uid) == os.Getuid() && info.Mode().Perm()&0o022 == 0
}
