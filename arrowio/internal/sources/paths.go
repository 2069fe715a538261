package sources

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"bcstage/arrowio/internal/faults"
)

// Inputs lists the files that paths name, in reading order.
type Inputs struct {
	Files   []string
	Skipped []string          // documents among them
	Beside  map[string]string // by file without a columnar ending: a neighbour that has one
}

// Expand turns files, patterns and folders into files. It refuses files of a table
// that keeps deleted rows in its files.
func (o *Options) Expand(ctx context.Context, paths []string) (Inputs, error) {
	all := Inputs{Beside: map[string]string{}}
	tables := newTableSearch(ctx)
	for _, path := range paths {
		if path == "-" {
			all.Files = append(all.Files, path)
			continue
		}
		where, err := o.foldersOf(path)
		if err != nil {
			return all, err
		}
		e := expansion{ctx: ctx, where: where, tables: tables}
		if err := e.path(path); err != nil {
			return all, err
		}
		all.addAll(&e)
		if err := tables.above(where, e.files); err != nil {
			return all, err
		}
	}
	return all, nil
}

// expansion finds the files that one path names.
type expansion struct {
	ctx    context.Context
	where  folders
	tables *tableSearch                           // nil: lake tables are not refused
	looks  func(folder string, elements []string) // if set, is called for each folder on the way, with the rest of the pattern: nothing if all files are wanted

	files []string
	found int             // files, counting repeats
	known map[string]bool // a pattern with "**" may lead to a file in several ways
	many  bool            // the path is a folder or a pattern
}

// path finds the files of one path. The name of an existing file is never a pattern.
func (e *expansion) path(path string) error {
	_, err := e.where.stat(path)
	if err == nil || !isPattern(path) {
		return e.take(path, nil, nil)
	}
	e.many = true
	folder, elements, err := split(e.where, path)
	if err != nil {
		return err
	}
	switch info, err := e.where.stat(folder); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		if err := e.match(folder, elements, nil); err != nil {
			return err
		}
	}
	if e.found == 0 {
		return faults.Missing("%s: matches no file", path)
	}
	return nil
}

// take is enter for a path that exists.
func (e *expansion) take(path string, rest, within []string) error {
	info, err := e.where.stat(path)
	if err != nil {
		return err
	}
	return e.enter(path, info.IsDir(), rest, within)
}

// all adds the files of a folder, which must have some.
func (e *expansion) all(folder string) error {
	e.many = true
	before := e.found
	if err := e.walk(folder, nil); err != nil {
		return err
	}
	if e.found == before {
		return faults.Missing("%s: folder without files to read", folder)
	}
	return nil
}

func (e *expansion) add(file string) {
	e.found++
	if e.known[file] {
		return
	}
	if e.known == nil {
		e.known = map[string]bool{}
	}
	e.known[file] = true
	e.files = append(e.files, file)
}

// list is the content of a folder, which must not be a lake table.
func (e *expansion) list(folder string) ([]fs.DirEntry, error) {
	if err := e.ctx.Err(); err != nil {
		return nil, err // links may multiply a few folders
	}
	entries, err := e.where.list(folder)
	if err != nil || e.tables == nil {
		return entries, err
	}
	return entries, e.tables.listed(e.where, folder, entries)
}

// walk adds the files under a folder in sorted order, except files that writers of
// partitioned tables hide (_SUCCESS, .crc files, _temporary/). It follows links. It
// refuses anything else than files and folders, since leaving it out would change
// the graph. within lists the folders that lead to this one.
func (e *expansion) walk(folder string, within []string) error {
	if e.looks != nil {
		e.looks(folder, nil)
	}
	entries, err := e.list(folder)
	if err != nil {
		return err
	}
	within = append(slices.Clip(within), folder)
	for _, entry := range entries {
		if hidden(entry.Name()) {
			continue
		}
		path := e.where.join(folder, entry.Name())
		kind, err := e.kind(entry, path, within)
		if err != nil {
			return err
		}
		switch {
		case kind.IsDir():
			if err := e.walk(path, within); err != nil {
				return err
			}
		case kind.IsRegular():
			e.add(path)
		default:
			return faults.Advise(faults.Rejected("%s: %s within a folder", path, kindOfFile(kind)), "name it as an input of its own, or move it away")
		}
	}
	return nil
}

// hidden says whether readers of folders skip a name.
func hidden(name string) bool { return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") }

// kind is the type of an entry, or of the target if it is a link. A target that
// contains the link is an error.
func (e *expansion) kind(entry fs.DirEntry, path string, within []string) (fs.FileMode, error) {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.Type(), nil
	}
	info, err := e.where.stat(path)
	if err != nil {
		return 0, err
	}
	for _, folder := range within {
		if above, err := e.where.stat(folder); err == nil && os.SameFile(info, above) {
			return 0, faults.Rejected("%s: a link to %s, which contains it", path, folder)
		}
	}
	return info.Mode().Type(), nil
}

func kindOfFile(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
