package cli

import (
	"cmp"
	"context"
	"errors"
	stdflag "flag"
	"fmt"
	"os"
	"strings"

	urfave "github.com/urfave/cli/v2"
)

// urfave/cli stops at the first argument that is not a flag and passes later flags on as file
// names. A pipeline would notice that as a wrong result, if at all. So arguments are put in order
// first: flags, each as --name=value under its full name, then the rest.

// command splits args (without the program's name) into a command and its arguments. Without a
// command they belong to the default, run; a first word that can hardly be a file is then a
// misspelt command.
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
	if !exists(first) && !strings.HasPrefix(first, "-") && !strings.ContainsAny(first, "./*?[") {
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

// inOrder splits args into flags and the rest. A flag that the command lacks, or a flag without its
// value, is a usage error.
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
		f := find(c, name)
		switch {
		case f == nil:
			return nil, nil, unknownFlag(spelt, name, c)
		case given:
		case !f.takesValue():
			value = "true"
			if i+1 < len(args) && f.instead != nil {
				if meant := f.instead(args[i+1]); meant != "" && !exists(args[i+1]) {
					return nil, nil, &usageError{fmt.Sprintf("--%s %s: --%s has no value", f.name, args[i+1], f.name), "did you mean " + meant + "?"}
				}
			}
		case i+1 == len(args):
			return nil, nil, usagef(c, "flag %s needs a value", spelt)
		default:
			i++
			value = args[i]
		}
		flags = append(flags, "--"+f.name+"="+value)
	}
	return flags, rest, nil
}

// parse reads the flags of one command, in order, and the environment. It avoids App.Run, which
// prepares names, groups and texts of every flag of every command, and takes 2 ms; a process with a
// small graph takes thirty.
func parse(ctx context.Context, app *urfave.App, c *urfave.Command, flags, rest []string) (*urfave.Context, error) {
	set := stdflag.NewFlagSet(c.Name, stdflag.ContinueOnError)
	for _, f := range c.Flags {
		if err := f.Apply(set); err != nil {
			return nil, wrongUsage(c, err)
		}
	}
	for _, given := range flags {
		name, value, _ := strings.Cut(strings.TrimPrefix(given, "--"), "=")
		if err := set.Set(name, value); err != nil {
			return nil, wrongUsage(c, err)
		}
	}
	if err := set.Parse(append([]string{"--"}, rest...)); err != nil {
		return nil, usagef(c, "%v", err)
	}
	call := urfave.NewContext(app, set, nil)
	call.Context, call.Command = ctx, c
	return call, nil
}

// wrongUsage returns the error of a wrong value, with a suggestion.
func wrongUsage(c *urfave.Command, err error) error {
	failed := usagef(c, "%v", err)
	var wrong *wrongValue
	if errors.As(err, &wrong) {
		failed.hint = cmp.Or(wrong.hint(), failed.hint)
	}
	return failed
}

// foreign translates flags of other programs.
func foreign(name string) string {
	switch name {
	case "k", "n-samples", "num-samples":
		return "--estimate --samples K draws K vertices as NetworkX's k does; --top K writes the K highest"
	case "v", "verbose":
		return "--progress always shows progress; bcstage version shows the version"
	case "j", "t", "jobs", "num-threads", "workers":
		return "did you mean --threads?"
	case "i", "input":
		return "give files without a flag: bcstage FILE; --input-format sets their format"
	case "f":
		return "did you mean --format?"
	case "delimiter", "sep", "separator":
		return "separators are detected; --header says whether a text has a header"
	}
	return ""
}

// unknownFlag returns the error of a flag that the command lacks.
func unknownFlag(spelt, name string, c *urfave.Command) error {
	err := usagef(c, "unknown flag %s", spelt)
	var names []string
	for _, f := range rowsOf(c) {
		names = append(names, f.name)
	}
	near := nearest(name, names)
	switch known := foreign(name); {
	case known != "":
		err.hint = known
	case near != "":
		err.hint = "did you mean --" + near + "?"
	default:
		for _, f := range table() {
			if f.name == name {
				err.hint = "it is a flag of bcstage " + strings.Join(strings.Fields(f.in), ", ") + "; see bcstage " + c.Name + " --help"
			}
		}
	}
	return err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// nearest returns the candidate that begins with the word, otherwise the one with the fewest edits,
// if they are few; of equals one of the word's length.
func nearest(word string, candidates []string) string {
	best, fewest := "", (len(word)+2)/3+1
	other := func(candidate string) int { return max(len(candidate)-len(word), len(word)-len(candidate)) }
	for _, candidate := range candidates {
		if len(word) > 1 && strings.HasPrefix(candidate, word) {
			return candidate
		}
		if d := edits(word, candidate); d < fewest || best != "" && d == fewest && other(candidate) < other(best) {
			best, fewest = candidate, d
		}
	}
	return best
}

// edits is the number of letters to change, add, omit or swap with the next: the restricted
// Damerau-Levenshtein distance.
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
