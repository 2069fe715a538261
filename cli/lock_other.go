//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package cli

import (
	"io/fs"
	"os"
)

// Without locks, no process knows another's leftovers; so nothing is removed.
func lockPart(*os.File) (lock *os.File, mine bool) { return nil, true }
func removeUnlocked(string)                        {}

// flock locks nothing.
func flock(*os.File) error { return nil }

// private is true: folders for temporary files are each user's own here.
func private(fs.FileInfo) bool { return true }
