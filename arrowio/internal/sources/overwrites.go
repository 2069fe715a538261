package sources

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Overlap is an output file that is, or would be, among the inputs.
type Overlap struct {
	Output string // the given name
	Input  string // the same file, perhaps by another name; or else the path that would read the output too
	Same   bool   // which of the two it is
}

// Overwrites finds an output that is a file of the inputs: see arrowio.Overwrites.
func (o *Options) Overwrites(ctx context.Context, inputs, outputs []string) (*Overlap, error) {
	var near []*nearOutput
	for _, output := range outputs {
		switch where, err := o.foldersOf(output); where := where.(type) {
		case local:
			if output := newNearOutput(output); err == nil && output != nil {
				near = append(near, output)
			}
		case remote:
			for _, input := range inputs {
				if from, err := o.foldersOf(input); err == nil {
					if from, far := from.(remote); far && from.scheme == where.scheme && from.reads(input, output) {
						return &Overlap{output, input, from.name(input) == from.name(output)}, nil
					}
				}
			}
		}
	}
	if len(near) == 0 {
		return nil, nil
	}
	for _, input := range inputs {
		if where, err := o.foldersOf(input); err == nil && input != "-" && where == folders(local{}) {
			if found := overlapOf(ctx, input, near); found != nil {
				return found, nil
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// reads says whether a path would read a file with that name.
func (r remote) reads(path, file string) bool {
	path, file = r.name(path), r.name(file)
	below, inside := strings.CutPrefix(file, path+"/")
	if file == path || inside && leads(r, nil, strings.Split(below, "/")) {
		return true
	}
	if !isPattern(path) {
		return false
	}
	folder, elements := r.split(r.scheme + path)
	below, inside = strings.CutPrefix(r.scheme+file, strings.TrimSuffix(folder, "/")+"/")
	return inside && leads(r, elements, strings.Split(below, "/"))
}

// nearOutput is a file of this machine that is to be written.
type nearOutput struct {
	path   string
	file   fs.FileInfo // nil: it does not exist yet
	folder fs.FileInfo // the nearest existing folder above it
	names  []string    // from that folder to the file
}

// newNearOutput examines where a path would be written; nil: not a file, or nowhere.
func newNearOutput(path string) *nearOutput {
	o := &nearOutput{path: path}
	info, err := os.Stat(path)
	if path == "" || path == "-" || err == nil && !info.Mode().IsRegular() {
		return nil
	}
	place, err2 := filepath.Abs(path)
	if err2 != nil {
		return nil
	}
	if err == nil {
		o.file = info
		if place, err = filepath.EvalSymlinks(place); err != nil {
			return nil
		}
	}
	for o.folder == nil {
		above := filepath.Dir(place)
		if above == place {
			return nil
		}
		o.names = slices.Insert(o.names, 0, filepath.Base(place))
		place = above
		if info, err := os.Stat(place); err == nil {
			o.folder = info
		}
	}
	return o
}

// overlapOf finds an output that a path reads, or would read.
func overlapOf(ctx context.Context, input string, outputs []*nearOutput) (found *Overlap) {
	e := expansion{ctx: ctx, where: local{}, looks: func(folder string, elements []string) {
		info, err := os.Stat(folder)
		if err != nil {
			return
		}
		for _, o := range outputs {
			if found == nil && os.SameFile(info, o.folder) && leads(local{}, elements, o.names) {
				found = &Overlap{o.path, input, false}
			}
		}
	}}
	if err := e.path(input); err != nil && len(e.files) == 0 {
		return found
	}
	for _, file := range e.files {
		info, err := os.Stat(file)
		if err != nil {
			continue
		}
		for _, o := range outputs {
			if o.file != nil && os.SameFile(info, o.file) {
				return &Overlap{o.path, file, true}
			}
		}
	}
	return found
}
