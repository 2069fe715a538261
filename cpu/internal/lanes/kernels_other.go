//go:build !amd64 || purego

package lanes

func Sets() []Set { return []Set{Portable()} }
