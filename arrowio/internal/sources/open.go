// Package sources finds files and opens them: paths, patterns, folders, file systems and
// standard input become inputs, decompressed, to be read as a stream or at random.
//
// Flow: Options.Expand lists the files that paths name, without documents and lake tables;
// Open makes an Input; NewAhead fetches the stretches of a far file in advance.
//
// Ownership: whoever opens an Input calls Close; the result of Random is valid until then.
// A Read in progress ends soon after the context, where the system allows it.
//
// Complexity: memory is a few buffers of 64 KiB, and for a far file three windows of 8 MiB.
// A stream that must be read at random is copied to a temporary file.
package sources

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

// HeadBytes is how far the sniffer of formats looks ahead.
const HeadBytes = 64 << 10

// Options has the fields of tables.Options that say where files are, with defaults filled
// in.
type Options struct {
	FileSystems  map[string]fs.FS
	Stdin        io.Reader
	TempDir      string
	MaxExpansion int
}

// Input is one opened input: the bytes of one edge table, decompressed. It is read either
// as a stream from the first byte, or at random.
type Input struct {
	Name string // as errors show it
	From *Options
	Stop func() // makes a Read in progress, and all later ones, fail

	Taken   int64 // bytes that Read has given, or all after Random
	Stream  *bufio.Reader
	File    RandomFile // the same bytes for reads at random, if the unmodified file can serve them; else nil
	cleanup []func()
}

// Open opens a file, or Options.Stdin for "-".
func Open(ctx context.Context, path string, o *Options) (opened *Input, err error) {
	ctx, stop := context.WithCancel(ctx)
	in := &Input{Name: path, From: o, Stop: stop, cleanup: []func(){stop}}
	defer func() {
		if err != nil {
			in.Close()
		}
	}()
	var raw io.Reader
	size := int64(0) // of a near file; 0: any
	if path == "-" {
		in.Name = "standard input"
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
			return nil, faults.Usage("%s is a folder", in.Name)
		}
		if info.Mode().IsRegular() {
			raw, size = &cancelReader{ctx, file.Read}, info.Size()
			// Standard input may have been read from before.
			if at, err := file.Seek(0, io.SeekCurrent); err == nil && at == 0 {
				in.File = osFile{file, info.Size()}
			}
		}
	}
	if _, ready := raw.(*cancelReader); !ready {
		unblocked, undo := unblock(ctx, raw)
		in.cleanup = append(in.cleanup, undo)
		raw = unblocked
	}
	in.Stream = bufio.NewReaderSize(raw, HeadBytes)
	plain, err := decompress(in.Stream, size, o.MaxExpansion)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	if plain != nil {
		in.File = nil
		in.Stream = bufio.NewReaderSize(plain, HeadBytes)
	}
	return in, nil
}

func (in *Input) openLocal(path string) (io.Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in.cleanup = append(in.cleanup, func() { file.Close() })
	return file, nil
}

// Close frees the resources of the input. It may be called twice.
func (in *Input) Close() {
	for i := len(in.cleanup) - 1; i >= 0; i-- {
		in.cleanup[i]()
	}
	in.cleanup = nil
}

// Read reads the stream; its error is io.EOF only at the true end.
func (in *Input) Read(p []byte) (int, error) {
	n, err := in.Stream.Read(p)
	in.Taken += int64(n)
	return n, err
}

// Head is the beginning of the stream, which it does not consume: HeadBytes, or the whole
// stream if that is shorter.
func (in *Input) Head() ([]byte, error) {
	head, err := in.Stream.Peek(HeadBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return head, nil
}

// Random gives the same bytes at random: the file itself, or a copy in an unlinked
// temporary file. Use Random or Read, not both. The file is valid until Close.
func (in *Input) Random() (RandomFile, error) {
	file := in.File
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
	in.Taken = file.Size()
	return file, nil
}

// spool copies the stream to a temporary file, which it unlinks where the system allows it.
func (in *Input) spool() (*os.File, error) {
	file, err := os.CreateTemp(in.From.TempDir, "bcstage-input-*")
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
	if _, err := io.Copy(file, in.Stream); err != nil {
		return nil, fmt.Errorf("spooling: %w", err)
	}
	return file, nil
}
