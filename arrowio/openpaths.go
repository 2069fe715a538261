package arrowio

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// expand turns files, globs and folders into files, in reading order.
func (o *Options) expand(paths []string) (files []string, err error) {
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
			found, err := walk(where, match)
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		}
	}
	return files, nil
}

// walk lists the files under a folder in sorted order, without those that
// writers of partitioned tables hide (_SUCCESS, .crc files, _temporary/).
func walk(where folders, folder string) (files []string, err error) {
	err = where.walk(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := path != folder && (entry.Name()[0] == '_' || entry.Name()[0] == '.')
		if entry.IsDir() {
			if hidden {
				return fs.SkipDir
			}
			return nil
		}
		if hidden {
			return nil
		}
		info, err := where.stat(path) // follows a link to a file, not to a folder
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, missing("%s: folder without files to read", folder)
	}
	return slices.Clip(files), nil
}
