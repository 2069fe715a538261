package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli/internal/objectstore"
)

// An output that is a folder has a file for every graph of --by, in folders named as Hive names
// them. It appears whole or not at all, under a new name: to readers, two runs in one folder would
// be one table.

// partitionNames are the names of each graph's file, by format.
var partitionNames = map[tables.Format]string{
	tables.FormatParquet: "part-0.parquet", arrowio.FormatArrowFile: "part-0.arrow", tables.FormatArrow: "part-0.arrows",
	tables.FormatCSV: "part-0.csv", arrowio.FormatJSONL: "part-0.jsonl",
}

// isFolder reports whether an output's name is that of a folder.
func isFolder(path string) bool { return path != "" && os.IsPathSeparator(path[len(path)-1]) }

// emptyFolder refuses, before a long run, a folder that cannot be written.
func emptyFolder(path string) error {
	if object, ok := objectstore.Name(path); ok {
		return &usageError{fmt.Sprintf("-o s3://%s: a folder of objects cannot appear whole or not at all", object), "write -o FOLDER/ on this machine and copy it, or one table: -o s3://BUCKET/KEY.parquet"}
	}
	switch _, err := os.Lstat(filepath.Clean(path)); {
	case err == nil:
		return &usageError{fmt.Sprintf("-o %s: the folder exists, and nothing is added to it", path), "remove it, or name another"}
	case !errors.Is(err, fs.ErrNotExist):
		return outputFailed(err)
	}
	return nil
}

// byGraph refuses a folder for a table of one graph.
func byGraph(path string, t *tables.Table) error {
	if len(t.By) == 0 {
		return &usageError{fmt.Sprintf("-o %s: a folder has a part for every graph, and there is one graph", path), "--by COLUMN separates graphs; -o FILE.parquet writes one"}
	}
	return nil
}

// createFolder writes a table by graph.
func (p *process) createFolder(ctx context.Context, path string, format tables.Format, t tables.Table) (err error) {
	if err := byGraph(path, &t); err != nil {
		return err
	}
	defer func() { err = outputFailed(err) }()
	path = filepath.Clean(path)
	folder, err := p.files.temporary(path, fs.ModeDir|0o777)
	if err != nil {
		return err
	}
	defer folder.release()
	defer p.files.remove(folder.Name()) // without effect once it has its name
	folder.Close()
	for name, part := range t.Partitions() {
		name = filepath.Join(folder.Name(), filepath.FromSlash(name))
		if err := os.MkdirAll(name, 0o777); err != nil {
			return err
		}
		if err := p.createPart(filepath.Join(name, partitionNames[format]), func(w io.Writer) error { return arrowio.Write(ctx, w, format, part) }); err != nil {
			return err
		}
	}
	return p.files.rename(folder.Name(), path, true)
}

// createPart writes a file of a folder that is still unnamed. If the file exists, the file system
// does not distinguish the names of two graphs.
func (p *process) createPart(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	return p.files.fill(file, write)
}
