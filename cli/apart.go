package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
)

// A call that overwrites its input, or writes where the next run would read it, loses data
// silently. So all files that a command line names are compared before any is opened. The flags say
// which is which: a value called FILE or FOLDER is read if it belongs to the input, otherwise
// written.

// named is an input or output of a call: by a flag, as an argument, or a standard stream.
type named struct {
	flag  string // "": arguments
	given string // value of the flag
	paths []string
}

// Names of the standard streams, for comparisons of files by name. Where they do not exist, no
// stream is known to be a file.
const (
	stdinPath  = "/dev/stdin"
	stdoutPath = "/dev/stdout"
)

// apart refuses an output that is another output's file, or an input.
func (p *process) apart(c *urfave.Context) error {
	written, read := p.namedFiles(c)
	for i, first := range written {
		for _, second := range written[i+1:] {
			if sameFile(first.paths[0], second.paths[0]) {
				return usagef(c.Command, "--%s and --%s name the same file", first.flag, second.flag)
			}
		}
	}
	if p.writesStdout(c) {
		written = append(written, named{paths: []string{stdoutPath}})
	}
	var outputs []string
	for _, output := range written {
		outputs = append(outputs, output.paths[0])
	}
	for _, input := range read {
		found, err := arrowio.Overwrites(c.Context, p.inputs(tables.Options{Paths: input.paths}), outputs...)
		if err != nil {
			return err
		}
		if found != nil {
			return overlapping(written[slices.Index(outputs, found.Output)], input, found)
		}
	}
	return nil
}

func overlapping(output, input named, found *arrowio.Overlap) error {
	to, from := "--"+output.flag+" "+output.given, found.Input
	if output.flag == "" {
		to = "standard output"
	}
	switch {
	case from == stdinPath:
		from = "standard input"
	case input.flag != "":
		from = "--" + input.flag + " " + from
	}
	if found.Same {
		return &usageError{fmt.Sprintf("%s is the same file as %s, which is read", to, from), "the output would replace its own input: name another file"}
	}
	return &usageError{fmt.Sprintf("%s lies where %s is read", to, from), "the next run would read it, too: name a file elsewhere"}
}

// namedFiles returns the files that a call writes, each by a flag, and the files that it reads.
func (p *process) namedFiles(c *urfave.Context) (written, read []named) {
	for _, f := range rowsOf(c.Command) {
		path := c.String(f.name)
		if path == "" || path == "-" || !f.namesFile() && !f.namesFolder() {
			continue
		}
		file := named{f.name, path, []string{path}}
		if f.namesFolder() {
			file.paths[0] = filepath.Join(path, "any.png")
		}
		if f.group == groupInput {
			read = append(read, file)
		} else {
			written = append(written, file)
		}
	}
	if since := list(c.String("since")); since != nil {
		read = append(read, named{"since", c.String("since"), since})
	}
	sort.Slice(written, func(i, j int) bool { return written[i].flag < written[j].flag })
	if !takesFiles(c.Command) {
		return written, read
	}
	paths := slices.Clone(c.Args().Slice())
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	for i, path := range paths {
		if path == "-" && p.stdin == io.Reader(os.Stdin) {
			paths[i] = stdinPath
		}
	}
	return written, append(read, named{paths: paths})
}

// writesStdout reports whether data goes to the process's standard output.
func (p *process) writesStdout(c *urfave.Context) bool {
	named := func(flag string) bool {
		path := c.String(flag)
		return path != "" && path != "-"
	}
	return p.stdout == io.Writer(os.Stdout) && (!named("output") || c.String("stats") == "-")
}

// sameFile reports whether two paths name one file, existing or not, in which one result would
// replace another. Devices take any number of results.
func sameFile(a, b string) bool {
	if isURL(a) || isURL(b) {
		return strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/")
	}
	first, err := os.Stat(a)
	second, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return os.SameFile(first, second) && first.Mode().IsRegular()
	}
	return (err == nil) == (err2 == nil) && resolved(a) == resolved(b)
}

// resolved is the path at which a new file would appear.
func resolved(path string) string {
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return path
	}
	if target, err := filepath.EvalSymlinks(folder); err == nil {
		folder = target
	}
	return filepath.Join(folder, filepath.Base(path))
}
