//go:build !unix

package sources

import (
	"context"
	"os"
)

// pollingRead reads a file, and waits for a read that blocks.
func pollingRead(_ context.Context, file *os.File) func(p []byte) (int, error) { return file.Read }
