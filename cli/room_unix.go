//go:build darwin || freebsd || linux

package cli

import "golang.org/x/sys/unix"

// freeBytes is the number of bytes that the file system of a folder has left for this user.
func freeBytes(folder string) (bytes int64, known bool) {
	var info unix.Statfs_t
	if unix.Statfs(folder, &info) != nil {
		return 0, false
	}
	return int64(info.Bavail) * int64(info.Bsize), true
}
