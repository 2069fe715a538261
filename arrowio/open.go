package arrowio

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"bcstage/arrowio/internal/faults"
)

// headBytes is how far sniffing looks ahead.
const headBytes = 64 << 10

// sourceOptions are those of files: see Options.
type sourceOptions struct {
	FileSystems  map[string]fs.FS
	Stdin        io.Reader
	TempDir      string
	MaxExpansion int
}

// input is one opened input: the bytes of one edge table, decompressed. An input
// reads as a stream from the first byte, or, instead, at random.
type input struct {
	name string // as errors show it
	from *sourceOptions
	stop func() // makes a Read in progress, and all later ones, fail

	taken   int64 // bytes that Read has given, or all with random
	stream  *bufio.Reader
	file    randomFile // the same bytes for reads at random, if the file as it stands can serve them; else nil
	cleanup []func()
}

// open opens a file, or Options.Stdin for "-".
func open(ctx context.Context, path string, o *sourceOptions) (opened *input, err error) {
	ctx, stop := context.WithCancel(ctx)
	in := &input{name: path, from: o, stop: stop, cleanup: []func(){stop}}
	defer func() {
		if err != nil {
			in.close()
		}
	}()
	var raw io.Reader
	size := int64(0) // of a file that is near; 0: any
	if path == "-" {
		in.name = "standard input"
		raw = o.Stdin
	} else {
		where, err := o.foldersOf(path)
		if err != nil {
			return nil, err
		}
		if far, ok := where.(remote); ok {
			raw, err = far.open(ctx, in)
		} else {
			raw, err = in.openLocal(path)
		}
		if err != nil {
			return nil, err
		}
	}
	if file, ok := raw.(*os.File); ok {
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, faults.Usage("%s is a folder", in.name)
		}
		if info.Mode().IsRegular() {
			raw, size = &cancelReader{ctx, file.Read}, info.Size()
			// Standard input may have been read from before.
			if at, err := file.Seek(0, io.SeekCurrent); err == nil && at == 0 {
				in.file = osFile{file, info.Size()}
			}
		}
	}
	if _, ready := raw.(*cancelReader); !ready {
		unblocked, undo := unblock(ctx, raw)
		in.cleanup = append(in.cleanup, undo)
		raw = unblocked
	}
	in.stream = bufio.NewReaderSize(raw, headBytes)
	plain, err := decompress(in.stream, size, o.MaxExpansion)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.name, err)
	}
	if plain != nil {
		in.file = nil
		in.stream = bufio.NewReaderSize(plain, headBytes)
	}
	return in, nil
}

func (in *input) openLocal(path string) (io.Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in.cleanup = append(in.cleanup, func() { file.Close() })
	return file, nil
}

// close gives back what the input holds. It may be called twice.
func (in *input) close() {
	for i := len(in.cleanup) - 1; i >= 0; i-- {
		in.cleanup[i]()
	}
	in.cleanup = nil
}

// Read reads the stream; its error is io.EOF only at the true end.
func (in *input) Read(p []byte) (int, error) {
	n, err := in.stream.Read(p)
	in.taken += int64(n)
	return n, err
}

// head is the beginning of the stream, not consumed: at most headBytes, fewer
// only if the stream is shorter.
func (in *input) head() ([]byte, error) {
	head, err := in.stream.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head, nil
}

// random gives the same bytes at random: the file as it stands, else a copy in
// an unlinked temporary file. Use random or Read, not both. The file is valid
// until the reader returns.
func (in *input) random() (randomFile, error) {
	file := in.file
	if file == nil {
		spooled, err := in.spool()
		if err != nil {
			return nil, err
		}
		info, err := spooled.Stat()
		if err != nil {
			return nil, err
		}
		file = osFile{spooled, info.Size()}
	}
	in.taken = file.Size()
	return file, nil
}

// spool copies the stream to a temporary file, which has no name any more
// where the system allows it.
func (in *input) spool() (*os.File, error) {
	file, err := os.CreateTemp(in.from.TempDir, "bcstage-input-*")
	if err != nil {
		return nil, fmt.Errorf("spooling: %w", err)
	}
	unlinked := os.Remove(file.Name()) == nil
	in.cleanup = append(in.cleanup, func() {
		file.Close()
		if !unlinked {
			os.Remove(file.Name())
		}
	})
	if _, err := io.Copy(file, in.stream); err != nil {
		return nil, fmt.Errorf("spooling: %w", err)
	}
	return file, nil
}
