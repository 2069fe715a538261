package sources

import (
	"io/fs"
	"slices"
	"strings"

	"bcstage/arrowio/internal/faults"
)

// A pattern has an element for each folder on the way, as in path.Match; "**" stands for any
// number of folders, none included.

// anyFolders is the element for any number of folders.
const anyFolders = "**"

// isPattern says whether a path is a pattern, if no file has that name.
func isPattern(path string) bool { return strings.ContainsAny(path, `*?[`) }

// split splits a pattern into the folder where it begins and its elements.
func split(where folders, pattern string) (folder string, elements []string, err error) {
	folder, elements = where.split(pattern)
	elements = slices.CompactFunc(elements, func(a, b string) bool { return a == anyFolders && b == anyFolders })
	for _, element := range elements {
		if _, err := where.match(element, ""); err != nil {
			return "", nil, faults.Usage("%s: %w", pattern, err)
		}
	}
	return folder, elements, nil
}

// matches says whether an element matches a name. As in a shell, a wildcard does not match the
// dot at the start of a hidden name, nor here the underscore of a hidden folder.
func matches(where folders, element, name string, folder bool) bool {
	if name == "" || (name[0] == '.' || folder && name[0] == '_') && !strings.HasPrefix(element, name[:1]) {
		return false
	}
	matched, _ := where.match(element, name) // split has checked the pattern
	return matched
}

// match takes the files that the elements match, from a folder on. within lists the folders
// that "**" has led through.
func (e *expansion) match(folder string, elements, within []string) error {
	if e.looks != nil {
		e.looks(folder, elements)
	}
	switch element := elements[0]; {
	case element == anyFolders && len(elements) == 1:
		return e.walk(folder, within)
	case !isPattern(element) && e.where.literal(element):
		return e.step(e.where.join(folder, element), elements[1:], within)
	}
	entries, err := e.list(folder)
	if err != nil {
		return err
	}
	return e.among(folder, entries, elements, within)
}

// among takes the files that the elements match in a listed folder.
func (e *expansion) among(folder string, entries []fs.DirEntry, elements, within []string) error {
	element, rest := elements[0], elements[1:]
	if element == anyFolders {
		if err := e.among(folder, entries, rest, within); err != nil {
			return err
		}
		return e.below(folder, entries, elements, within)
	}
	literal := !isPattern(element) && e.where.literal(element)
	for _, entry := range entries {
		if entry.Name() != element && (literal || !matches(e.where, element, entry.Name(), entry.IsDir())) {
			continue
		}
		path := e.where.join(folder, entry.Name())
		kind, err := e.kind(entry, path, nil)
		if err == nil {
			err = e.enter(path, kind.IsDir(), rest, within)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// below continues with "**" in the subfolders of a folder.
func (e *expansion) below(folder string, entries []fs.DirEntry, elements, within []string) error {
	within = append(slices.Clip(within), folder)
	for _, entry := range entries {
		if hidden(entry.Name()) {
			continue
		}
		path := e.where.join(folder, entry.Name())
		kind, err := e.kind(entry, path, within)
		if err == nil && kind.IsDir() {
			err = e.match(path, elements, within)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// step continues with a literal name of a pattern, if it exists.
func (e *expansion) step(path string, rest, within []string) error {
	there, err := e.where.exists(path)
	if err != nil || !there {
		return err
	}
	return e.take(path, rest, within)
}

// enter takes a path that the earlier elements match: if there are no more elements it adds
// the path, otherwise it continues below.
func (e *expansion) enter(path string, folder bool, rest, within []string) error {
	switch {
	case len(rest) > 0 && folder:
		return e.match(path, rest, within)
	case len(rest) > 0:
		return nil
	case folder:
		return e.all(path)
	}
	e.add(path)
	return nil
}

// leads says whether a file at names, below the folder where the elements begin, would be read
// if it existed; no elements: the folder is read.
func leads(where folders, elements, names []string) bool {
	switch {
	case len(names) == 0:
		return false
	case len(elements) == 0, len(elements) == 1 && elements[0] == anyFolders:
		return !slices.ContainsFunc(names, hidden)
	case elements[0] == anyFolders:
		return leads(where, elements[1:], names) || len(names) > 1 && !hidden(names[0]) && leads(where, elements, names[1:])
	case !matches(where, elements[0], names[0], len(names) > 1):
		return false
	case len(names) == 1:
		return len(elements) == 1
	}
	return leads(where, elements[1:], names[1:])
}
