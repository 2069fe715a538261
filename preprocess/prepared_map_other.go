//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package preprocess

import (
	"errors"
	"os"
)

func mapFile(*os.File, int) (data []byte, unmap func() error, err error) {
	return nil, nil, errors.ErrUnsupported
}
