//go:build !unix

package cli

// isClosed reports whether a standard stream was closed when the process began. If nothing replaces
// it, the first write fails.
func isClosed(any) bool { return false }
