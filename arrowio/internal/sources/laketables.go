package sources

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/internal/faults"
	"bcstage/internal/expression"

	"golang.org/x/sync/errgroup"
)

// Delta, Hudi and Iceberg keep a table's files in a folder, with a log of the files and rows
// that still belong to the table. The files alone are another table.

// Names in a table's folder that mark it.
const (
	deltaMark       = "_delta_log"
	hudiMark        = ".hoodie"
	icebergMark     = "metadata" // others may have such a folder too, without icebergMetadata
	icebergMetadata = ".metadata.json"
)

// tableSearch looks for lake tables in folders, in each once.
type tableSearch struct {
	ctx    context.Context
	looked map[string]bool
	begun  map[string]bool // folders of files: all their files have the same folders above
}

func newTableSearch(ctx context.Context) *tableSearch {
	return &tableSearch{ctx: ctx, looked: map[string]bool{}, begun: map[string]bool{}}
}

// first says whether a folder has not been examined yet.
func (s *tableSearch) first(folder string) bool {
	before := s.looked[folder]
	s.looked[folder] = true
	return !before
}

// listed refuses a folder with these entries if it is a table.
func (s *tableSearch) listed(where folders, folder string, entries []fs.DirEntry) error {
	if !s.first(folder) {
		return nil
	}
	return tableIn(where, folder, func(name string) bool {
		_, found := slices.BinarySearchFunc(entries, name, func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) })
		return found
	})
}

// looksAtOnce is the number of names examined side by side: over a network, each takes a
// request or two.
const looksAtOnce = 32

// above refuses files that lie in a table, however far up it begins. A folder that must not be
// read does not count.
func (s *tableSearch) above(where folders, files []string) error {
	var unknown []string
	for _, file := range files {
		beside := filepath.Dir(file)
		if s.begun[beside] && !isLink(where, file) {
			continue
		}
		s.begun[beside] = true
		for _, folder := range where.above(file) {
			if s.first(folder) {
				unknown = append(unknown, folder)
			}
		}
	}
	marks := []string{deltaMark, hudiMark, icebergMark}
	found := make([]bool, len(unknown)*len(marks))
	var group errgroup.Group
	group.SetLimit(looksAtOnce)
	for i := range found {
		group.Go(func() error {
			if s.ctx.Err() == nil {
				found[i] = isFolder(where, unknown[i/len(marks)], marks[i%len(marks)])
			}
			return s.ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, folder := range unknown {
		has := func(name string) bool { return found[i*len(marks)+slices.Index(marks, name)] }
		if err := tableIn(where, folder, has); err != nil {
			return err
		}
	}
	return nil
}

// InNoTable refuses the path of a list of ids, which is not a pattern, if it lies in a table.
func (o *Options) InNoTable(ctx context.Context, path string) error {
	where, err := o.foldersOf(path)
	if path == "-" || err != nil { // opening it will report that
		return nil
	}
	return newTableSearch(ctx).above(where, []string{path})
}

func isLink(where folders, file string) bool {
	if _, near := where.(local); !near {
		return false
	}
	info, err := os.Lstat(file)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

func isFolder(where folders, folder, name string) bool {
	info, err := where.stat(where.join(folder, name))
	return err == nil && info.IsDir()
}

// tableIn refuses a folder that is a table, by the names in it.
func tableIn(where folders, folder string, has func(name string) bool) error {
	switch {
	case has(deltaMark):
		return refuseTable(folder, "Delta", fmt.Sprintf("read the table: %s",
			pythonPipe("import os, sys, deltalake, pyarrow.parquet as p", fmt.Sprintf("deltalake.DeltaTable('%s').to_pyarrow_table()", pythonWord(folder, "TABLE")))))
	case has(hudiMark):
		return refuseTable(folder, "Hudi", "have an engine that knows such tables write its rows, as Spark does: spark.read.format('hudi').load(TABLE).write.parquet(FOLDER)")
	case has(icebergMark):
		metadata := newestMetadata(where, where.join(folder, icebergMark))
		if metadata == "" {
			return nil
		}
		return refuseTable(folder, "Iceberg", fmt.Sprintf("read the table by the metadata that its catalog names, or else by the newest: %s",
			pythonPipe("import os, sys, pyarrow.parquet as p; from pyiceberg.table import StaticTable as T", fmt.Sprintf("T.from_metadata('%s').scan().to_arrow()", pythonWord(metadata, "METADATA.json")))))
	}
	return nil
}

func refuseTable(folder, kind, recipe string) error {
	return faults.Advise(faults.Rejected("%s: the folder of %s %s table, whose files also hold deleted rows", folder, article(kind), kind), "%s", recipe)
}

func article(noun string) string {
	if strings.ContainsRune("AEIOU", rune(noun[0])) {
		return "an"
	}
	return "a"
}

// pythonPipe is a command line that writes a table of pyarrow to a pipe, as Parquet, which
// keeps its types. It ends without tearing down Python: threads of Arrow that read a dataset
// may still run then, and abort the process (apache/arrow#34314).
func pythonPipe(imports, table string) string {
	return fmt.Sprintf(`python -c "%s; p.write_table(%s, sys.stdout.buffer); sys.stdout.flush(); os._exit(0)" | bcstage`, imports, table)
}

var plainPath = expression.Lazy(`^[\w@%+=:,./-]+$`)

// pythonWord is a path within quotes of Python within quotes of a shell. If either would
// misread its characters, it is a placeholder for the user.
func pythonWord(path, otherwise string) string {
	if plainPath().MatchString(path) {
		return path
	}
	return otherwise
}

// newestMetadata is the file of the highest version in an Iceberg table's folder of metadata:
// 00012-UUID.metadata.json or v12.metadata.json; "" if there is none.
func newestMetadata(where folders, folder string) (newest string) {
	entries, err := where.list(folder)
	if err != nil {
		return ""
	}
	highest := -1
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, icebergMetadata) {
			continue
		}
		digits := strings.TrimPrefix(name, "v")
		if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
			digits = digits[:end]
		}
		if version, _ := strconv.Atoi(digits); version > highest {
			newest, highest = where.join(folder, name), version
		}
	}
	return newest
}
