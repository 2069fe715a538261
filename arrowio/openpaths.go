package arrowio

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// expand turns files, globs and folders into files, in reading order.
func expand(paths []string) (files []string, err error) {
	for _, path := range paths {
		if path == "-" {
			files = append(files, path)
			continue
		}
		matches := []string{path}
		if _, err := os.Lstat(path); err != nil && strings.ContainsAny(path, `*?[`) {
			if matches, err = filepath.Glob(path); err != nil {
				return nil, usage("%s: %w", path, err)
			}
			if len(matches) == 0 {
				return nil, usage("%s: matches no file", path)
			}
		}
		for _, match := range matches {
			info, err := os.Stat(match)
			if err != nil {
				return nil, err
			}
			if !info.IsDir() {
				files = append(files, match)
				continue
			}
			found, err := walk(match)
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
func walk(folder string) (files []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
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
		info, err := os.Stat(path) // follows a link to a file, not to a folder
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
		return nil, usage("%s: folder without files to read", folder)
	}
	return slices.Clip(files), nil
}
