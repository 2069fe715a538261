//go:build !unix

package sources

import (
	"context"
	"os"
)

// pollingRead reads a file; a read that blocks is waited for.
func pollingRead(_ context.Context, file *os.File) func(p []byte) (int, error) { return file.Read }
