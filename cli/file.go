package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli/internal/objectstore"
)

// create writes a result: a file that appears whole or not at all. write fills a temporary file beside it, which then
// takes its name. Until then an existing file keeps its contents; it always keeps its permissions. A link is followed;
// a device or a pipe is written to directly. "" and "-" are stdout.
//
// An object appears in the same way: s3://bucket/key is an upload, which is committed at the end. Its requests end with
// ctx.
func (p *process) create(ctx context.Context, path string, write func(io.Writer) error) error {
	return p.place(ctx, path, true, write)
}

// place is create for results and, with result false, for checkpoints.
func (p *process) place(ctx context.Context, path string, result bool, write func(io.Writer) error) (err error) {
	defer func() { err = outputFailed(err) }()
	if path == "" || path == "-" {
		return buffered(p.stdout, write)
	}
	if object, ok := objectstore.Name(path); ok {
		return p.upload(ctx, object, result, write)
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := os.FileMode(0o666)
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s: is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer file.Close()
		return buffered(file, write)
	case err == nil:
		mode = info.Mode().Perm()
	}
	file, err := p.files.temporary(path, mode)
	if err != nil {
		return err
	}
	defer file.release()
	defer p.files.remove(file.Name()) // without effect once it has its name
	defer file.Close()
	if err := p.files.fill(file.File, write); err != nil {
		return err
	}
	return p.files.rename(file.Name(), path, result)
}

func (p *process) upload(ctx context.Context, object string, result bool, write func(io.Writer) error) error {
	upload, err := p.objects.Create(ctx, object)
	if err != nil {
		return err
	}
	defer p.files.remove(upload)
	if !p.files.add(upload, func() { upload.Abort() }) {
		return os.ErrClosed
	}
	if err := buffered(upload, write); err != nil {
		return err
	}
	if err := upload.Commit(); err != nil {
		return err
	}
	p.files.complete(result)
	return nil
}

// outputFailed marks an error as one of an output.
func outputFailed(err error) error {
	if err == nil {
		return nil
	}
	return &outputError{err}
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	out := bufio.NewWriterSize(w, 1<<18)
	if err := write(out); err != nil {
		return err
	}
	return out.Flush()
}

// writable detects before a long run what would fail at its end. That is a missing or wrong folder, a bucket that
// refuses, or a closed stdout ("-", or its names in the system); "" needs nothing. It also removes the leftovers of
// killed runs for the same file.
func (p *process) writable(ctx context.Context, paths ...string) error {
	for _, path := range paths {
		if err := p.try(ctx, path); err != nil {
			return outputFailed(err)
		}
	}
	return nil
}

// try is writable for one path.
func (p *process) try(ctx context.Context, path string) error {
	if closed, is := p.stdout.(closedStdout); is && slices.Contains([]string{"-", stdoutPath, "/dev/fd/1", "/proc/self/fd/1"}, path) {
		return closed.fail()
	}
	if path == "" || path == "-" {
		return nil
	}
	if object, ok := objectstore.Name(path); ok {
		return p.objects.Check(ctx, object)
	}
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return fmt.Errorf("%s: is a directory", path)
		}
		if !info.Mode().IsRegular() {
			return nil
		}
	}
	path = filepath.Clean(path) // of a folder, without its last slash
	removeLeftovers(path)
	file, err := p.files.temporary(path, 0o600)
	if err != nil {
		return err
	}
	defer file.release()
	p.files.remove(file.Name())
	return file.Close()
}

// stat describes a file or an object.
func (p *process) stat(path string) (fs.FileInfo, error) {
	if object, ok := objectstore.Name(path); ok {
		return p.objects.Stat(object)
	}
	return os.Stat(path)
}

// readFile reads a file or an object.
func (p *process) readFile(path string) ([]byte, error) {
	if object, ok := objectstore.Name(path); ok {
		return fs.ReadFile(p.objects, object)
	}
	return os.ReadFile(path)
}

// inputs makes objects readable like files.
func (p *process) inputs(opts tables.Options) tables.Options {
	opts.FileSystems = map[string]fs.FS{objectstore.Scheme: p.objects}
	return opts
}

// filesOf lists the files that arguments name: each a file, a pattern or a folder, local or in an object store.
func (p *process) filesOf(ctx context.Context, paths []string) ([]string, error) {
	return arrowio.Files(ctx, p.inputs(tables.Options{Paths: paths}))
}

// byEnding returns the format of a file's ending, in any case. Arrow and Parquet have the same endings for all
// contents. The ending of a compression is ignored. Stdout, and a device or a named pipe without such an ending, have
// the format of streams.
func byEnding(path string, stream tables.Format, text map[string]tables.Format) (tables.Format, error) {
	if path == "" || path == "-" {
		return stream, nil
	}
	plain, _ := cutCompression(path)
	ending := strings.ToLower(filepath.Ext(plain))
	switch ending {
	case ".arrow", ".feather":
		return arrowio.FormatArrowFile, nil
	case ".arrows":
		return tables.FormatArrow, nil
	case ".parquet":
		return tables.FormatParquet, nil
	}
	if format, ok := text[ending]; ok {
		return format, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return stream, nil
	}
	return "", &usageError{fmt.Sprintf("%s: unknown output extension %q", path, filepath.Ext(plain)), "--format names the format, whatever the extension"}
}
