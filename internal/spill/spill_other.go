//go:build !linux

package spill

import (
	"errors"
	"os"
)

// Elsewhere blocks of a file cannot be reserved by one call, and a full disk would end the process.
const possible = false

func mapped(*os.File, int64, int64) ([]byte, error) { return nil, errors.ErrUnsupported }
func idle([]byte)                                   {}
func free(*os.File, part)                           {}
func unmap([]byte) error                            { return nil }
