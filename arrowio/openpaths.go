package arrowio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Files lists the files that the paths of opts name, in reading order, as Read
// finds them. "-" stays as it is.
func Files(ctx context.Context, opts Options) ([]string, error) {
	files, err := opts.expand(ctx, opts.Paths)
	if err != nil {
		return nil, fmt.Errorf("arrowio: %w", err)
	}
	return files, nil
}

// expand turns files, globs and folders into files, in reading order.
func (o *Options) expand(ctx context.Context, paths []string) (files []string, err error) {
	for _, path := range paths {
		if path == "-" {
			files = append(files, path)
			continue
		}
		where, err := o.foldersOf(path)
		if err != nil {
			return nil, err
		}
		matches := []string{path}
		if _, err := where.stat(path); err != nil && strings.ContainsAny(path, `*?[`) {
			switch matches, err = where.glob(path); {
			case errors.Is(err, filepath.ErrBadPattern):
				return nil, usage("%s: %w", path, err)
			case err != nil:
				return nil, err
			}
			if len(matches) == 0 {
				return nil, missing("%s: matches no file", path)
			}
		}
		for _, match := range matches {
			info, err := where.stat(match)
			if err != nil {
				return nil, err
			}
			if !info.IsDir() {
				files = append(files, match)
				continue
			}
			found, err := walk(ctx, where, match)
			if err != nil {
				return nil, err
			}
			if len(found) == 0 {
				return nil, missing("%s: folder without files to read", match)
			}
			files = append(files, found...)
		}
	}
	return files, nil
}

// walk lists the files under a folder in sorted order, without those that
// writers of partitioned tables hide (_SUCCESS, .crc files, _temporary/). Links
// are followed; what is neither file nor folder is refused, since leaving it out
// would be another graph. within are the folders that lead to this one.
func walk(ctx context.Context, where folders, folder string, within ...string) (files []string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err // links may make a few folders many
	}
	entries, err := where.list(folder)
	if err != nil {
		return nil, err
	}
	within = append(slices.Clip(within), folder)
	for _, entry := range entries {
		if format := tableOf(entry.Name()); format != "" {
			return nil, advise(rejected("%s: %s, whose files hold rows that it holds no more", folder, format), "pipe it from an engine that knows such tables, or name the files")
		}
		if entry.Name()[0] == '_' || entry.Name()[0] == '.' {
			continue
		}
		path, kind := where.join(folder, entry.Name()), entry.Type()
		if kind&fs.ModeSymlink != 0 {
			if kind, err = follow(where, path, within); err != nil {
				return nil, err
			}
		}
		switch {
		case kind.IsDir():
			below, err := walk(ctx, where, path, within...)
			if err != nil {
				return nil, err
			}
			files = append(files, below...)
		case kind.IsRegular():
			files = append(files, path)
		default:
			return nil, advise(rejected("%s: %s within a folder", path, kindOfFile(kind)), "name it as an input of its own, or move it away")
		}
	}
	return files, nil
}

// tableOf says of which kind of table a name in its folder is the mark: the
// folder's files are not the table, of which a log says what has been removed.
func tableOf(name string) string {
	switch {
	case name == "_delta_log":
		return "a Delta table"
	case name == ".hoodie":
		return "a Hudi table"
	case strings.HasSuffix(name, ".metadata.json"):
		return "an Iceberg table"
	}
	return ""
}

// follow finds out what a link leads to, unless that is one of the folders that
// the link is in.
func follow(where folders, link string, within []string) (fs.FileMode, error) {
	info, err := where.stat(link)
	if err != nil {
		return 0, err
	}
	for _, folder := range within {
		if above, err := where.stat(folder); err == nil && os.SameFile(info, above) {
			return 0, rejected("%s: a link to %s, a folder that it is in", link, folder)
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
