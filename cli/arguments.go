package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// urfave/cli stops at the first argument that is no flag and hands the flags
// behind it on as file names, which a pipeline would notice as a wrong result,
// if at all. So arguments are put in order before it sees them: flags first,
// each as --name=value under its full name, then the rest.

// command splits args (without the program's name) into a command and its
// arguments. Whatever does not begin with a command is the default, run: then a
// first word that can hardly be meant as a file is a command misspelt.
func command(args []string, commands []*urfave.Command) (*urfave.Command, []string, error) {
	named := func(name string) *urfave.Command {
		for _, c := range commands {
			if c.HasName(name) {
				return c
			}
		}
		return nil
	}
	run := named(defaultCommand)
	if len(args) == 0 {
		return run, nil, nil
	}
	first := args[0]
	switch first {
	case "-h", "--help", "-help":
		return named("help"), args[1:], nil
	case "--version", "-version":
		return named("version"), args[1:], nil
	}
	if c := named(first); c != nil {
		return c, args[1:], nil
	}
	if _, err := os.Stat(first); err != nil && !strings.HasPrefix(first, "-") && !strings.ContainsAny(first, "./*?[") {
		failed := &usageError{fmt.Sprintf("no command and no file %q", first), "see bcstage --help"}
		var names []string
		for _, c := range commands {
			names = append(names, c.Name)
		}
		if near := nearest(first, names); near != "" {
			failed.hint = "did you mean bcstage " + near + "?"
		}
		return nil, nil, failed
	}
	return run, args, nil
}

// inOrder splits args into flags and the rest, or returns a usage error for a
// flag that the command does not have or that lacks its value.
func inOrder(args []string, c *urfave.Command) (flags, rest []string, err error) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			rest = append(rest, args[i+1:]...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			rest = append(rest, arg)
			continue
		}
		spelt, value, given := strings.Cut(arg, "=")
		name := strings.TrimPrefix(strings.TrimPrefix(spelt, "-"), "-")
		f := find(c.Flags, name)
		switch {
		case f == nil:
			return nil, nil, unknownFlag(spelt, name, c)
		case given:
		case !takesValue(f):
			value = "true"
		case i+1 == len(args):
			return nil, nil, usagef(c, "flag %s needs a value", spelt)
		default:
			i++
			value = args[i]
		}
		flags = append(flags, "--"+nameOf(f)+"="+value)
	}
	return flags, rest, nil
}

// parse has the library read the flags of one command, which stand in order, and the
// environment. It does without App.Run, which works out names, groups and texts of every
// flag of every command before it begins, and takes 2 ms of a process that computes a
// small graph in thirty.
func parse(ctx context.Context, app *urfave.App, c *urfave.Command, flags, rest []string) (*urfave.Context, error) {
	set := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, f := range c.Flags {
		if err := f.Apply(set); err != nil {
			return nil, usagef(c, "%s", flagError(c, err))
		}
	}
	if err := set.Parse(slices.Concat(flags, []string{"--"}, rest)); err != nil {
		return nil, usagef(c, "%s", flagError(c, err))
	}
	set.Visit(func(given *flag.Flag) { *partsOf(find(c.Flags, given.Name)).given = true })
	call := urfave.NewContext(app, set, nil)
	call.Context, call.Command = ctx, c
	return call, nil
}

// isSet tells whether a flag has been given, on the command line or in the environment.
func isSet(c *urfave.Context, name string) bool {
	f := find(c.Command.Flags, name)
	return f != nil && f.IsSet()
}

// flagParts is what is asked of a flag often. The library's Names runs a regular expression over
// each name, and its Context.IsSet asks all flags for theirs.
type flagParts struct {
	name    string
	aliases []string
	given   *bool
}

func partsOf(f urfave.Flag) flagParts {
	switch f := f.(type) {
	case *urfave.StringFlag:
		return flagParts{f.Name, f.Aliases, &f.HasBeenSet}
	case *urfave.BoolFlag:
		return flagParts{f.Name, f.Aliases, &f.HasBeenSet}
	case *urfave.IntFlag:
		return flagParts{f.Name, f.Aliases, &f.HasBeenSet}
	case *urfave.Uint64Flag:
		return flagParts{f.Name, f.Aliases, &f.HasBeenSet}
	case *urfave.Float64Flag:
		return flagParts{f.Name, f.Aliases, &f.HasBeenSet}
	case *urfave.DurationFlag:
		return flagParts{f.Name, f.Aliases, &f.HasBeenSet}
	case *urfave.GenericFlag:
		return flagParts{f.Name, f.Aliases, &f.HasBeenSet}
	}
	panic(fmt.Sprintf("flag of type %T", f)) // which no table has: a test goes through all
}

func nameOf(f urfave.Flag) string { return partsOf(f).name }

func find(flags []urfave.Flag, name string) urfave.Flag {
	for _, f := range flags {
		if d := partsOf(f); d.name == name || slices.Contains(d.aliases, name) {
			return f
		}
	}
	return nil
}

// takesValue reports whether the next argument is the flag's value. That of
// --resume comes behind an equals sign or not at all.
func takesValue(f urfave.Flag) bool {
	switch f := f.(type) {
	case *urfave.BoolFlag:
		return false
	case *urfave.GenericFlag:
		_, toggle := f.Value.(*resumption)
		return !toggle
	}
	return true
}

func unknownFlag(spelt, name string, c *urfave.Command) error {
	err := usagef(c, "unknown flag %s", spelt)
	var names []string
	for _, f := range c.Flags {
		names = append(names, nameOf(f))
	}
	if near := nearest(name, names); near != "" {
		err.hint = "did you mean --" + near + "?"
	}
	return err
}

// nearest is the candidate that the word begins, or else the one that takes
// fewest edits to reach, if those are few.
func nearest(word string, candidates []string) string {
	best, fewest := "", (len(word)+2)/3+1
	for _, candidate := range candidates {
		if len(word) > 1 && strings.HasPrefix(candidate, word) {
			return candidate
		}
		if d := edits(word, candidate); d < fewest {
			best, fewest = candidate, d
		}
	}
	return best
}

// edits is how many letters must be changed, added, left out or swapped with the
// next: the restricted Damerau-Levenshtein distance.
func edits(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1) // of a's prefixes of i-1 and i letters
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			change := row[j]
			if a[i] != b[j] {
				change++
			}
			next[j+1] = min(change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
