package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
)

// outline detects, before anything is computed, tables that could not be written: columns that the
// format cannot hold, or a file system without room.
func (d *destination) outline(ctx context.Context, t tables.Table) error {
	path, format := d.path, d.format
	switch {
	case t.Pairs != nil:
		path, format = d.edges.path, d.edges.format
	case d.table:
		return nil
	case d.sizes:
		t.Columns = withoutSizes(t.Columns)
	}
	if t.Pairs == nil && isFolder(path) {
		if err := byGraph(path, &t); err != nil {
			return err
		}
		path = filepath.Clean(path)
	}
	least, err := arrowio.Fits(ctx, format, t)
	if err != nil {
		return err
	}
	if _, ending := cutCompression(path); ending != "" || d.top > 0 && t.Pairs == nil {
		return nil // of unknown size
	}
	return d.p.room(path, least)
}

// room refuses a file of at least least bytes if the file system has fewer. The file that it
// replaces stays until it is complete.
func (p *process) room(path string, least int64) error {
	if path == "" || path == "-" || isURL(path) {
		return nil
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	free := freeBytes
	if p.files.free != nil {
		free = p.files.free
	}
	if left, known := free(filepath.Dir(path)); known && left < least {
		return outputFailed(fmt.Errorf("%s: needs at least %s, but its file system has %s left", path, budget.Text(least), budget.Text(left)))
	}
	return nil
}
