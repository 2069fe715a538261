package sources

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Overlap is a file to be written that is among those to be read.
type Overlap struct {
	Output string // as it was given
	Input  string // the file that it is, by another name perhaps; or else the path that would read it, too
	Same   bool   // which of the two
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

// reads tells whether a path would read a file of that name.
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

// nearOutput is a file of this machine, to be written.
type nearOutput struct {
	path   string
	file   fs.FileInfo // nil: it is not there yet
	folder fs.FileInfo // the nearest above it that is there
	names  []string    // that lead on from there
}

// newNearOutput looks at where a path would be written; nil: to no file, or nowhere.
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

// overlapOf finds an output that a path reads, or would.
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
