package sources

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bcstage/arrowio/internal/faults"
	"bcstage/internal/expression"
)

// Folders of tables hold other files too: a README, checksums, a note. A file may be such a
// document by its name; a text is one by its neighbours, if they have a columnar format.

// columnarEndings are the endings of formats that are not text.
var columnarEndings = []string{".parquet", ".parq", ".pq", ".arrow", ".arrows", ".feather", ".ipc"}

func namedColumnar(name string) bool {
	return slices.Contains(columnarEndings, strings.ToLower(Ending(name)))
}

var documentName = expression.Lazy(`(?i)^(?:(?:readme|licen[cs]e)(?:\.[a-z]+)?|.*\.(?:md|json|crc))$`)

// addAll adds the files that a path names, without documents among the files of a folder or
// pattern.
func (all *Inputs) addAll(e *expansion) {
	if !e.many {
		all.Files = append(all.Files, e.files...)
		return
	}
	// By folder, of files in it or below it: one with a columnar format, and whether there is
	// any table.
	columnar, tables := map[string]string{}, map[string]bool{}
	for _, file := range e.files {
		name := filepath.Base(file)
		isColumnar := namedColumnar(name)
		if !isColumnar && (isDocument(name) || hidden(name)) {
			continue
		}
		for folder := filepath.Dir(file); !tables[folder] || isColumnar && columnar[folder] == ""; folder = filepath.Dir(folder) {
			tables[folder] = true
			if isColumnar && columnar[folder] == "" {
				columnar[folder] = file
			}
		}
	}
	for _, file := range e.files {
		name, folder := filepath.Base(file), filepath.Dir(file)
		switch neighbour := columnar[folder]; {
		case namedColumnar(name):
		case isDocument(name) && tables[folder], hidden(name) && neighbour != "":
			all.Skipped = append(all.Skipped, file)
			continue
		case neighbour != "":
			all.Beside[file] = neighbour
		}
		all.Files = append(all.Files, file)
	}
}

func isDocument(name string) bool { return documentName().MatchString(name) }

// CheckText refuses a text whose name or neighbours say that it is not a table of text.
func (in *Input) CheckText(head []byte, neighbour string) error {
	if namedColumnar(in.Name) {
		return faults.Advise(faults.Rejected("named like a columnar file, but it %s", begins(head)), `get the file again, or read it as text with Options.Format "csv"`)
	}
	if neighbour != "" {
		return faults.Advise(faults.Rejected("not a columnar file like its neighbour %s: it %s", neighbour, begins(head)), "name it as an input of its own, or move it away")
	}
	return nil
}

// mostShown is the number of bytes of an input that an error shows.
const mostShown = 40

// begins shows the first bytes of an input.
func begins(head []byte) string {
	line, _, _ := bytes.Cut(head[:min(len(head), mostShown)], []byte("\n"))
	return fmt.Sprintf("begins with %q", line)
}

// Ending is a file name's ending, before that of a compression.
func Ending(name string) string {
	for _, compression := range []string{".gz", ".zst", ".lz4", ".sz", ".snappy"} {
		if plain, ok := strings.CutSuffix(name, compression); ok {
			name = plain
			break
		}
	}
	return filepath.Ext(name)
}
