package cli

import (
	"io"
	"slices"
	"strings"
	"testing"

	urfave "github.com/urfave/cli/v2"

	"bcstage/pipeline"
)

// The rows of the table name existing commands, and each name occurs once per command.
func TestTableOfFlags(t *testing.T) {
	p := &process{console: newConsole(io.Discard)}
	commands := p.app().Commands
	variables := map[string]bool{}
	for _, f := range table() {
		for _, name := range strings.Fields(f.in) {
			if !slices.Contains(commandNames(commands), name) {
				t.Errorf("--%s is of bcstage %s, which there is not", f.name, name)
			}
		}
		if f.normal != "" {
			if text, err := f.read(f.normal); err != nil || text == "" {
				t.Errorf("--%s: default %q: %v", f.name, f.normal, err)
			}
		}
		if f.usage == "" || !slices.Contains(groups(), f.group) || f.takesValue() != (f.value != "") || f.is == choiceValue && len(f.of) == 0 {
			t.Errorf("--%s: its row lacks something", f.name)
		}
	}
	for _, c := range commands {
		met := map[string]bool{}
		for _, f := range rowsOf(c) {
			for _, name := range f.Names() {
				if met[name] {
					t.Errorf("bcstage %s has %s twice", c.Name, name)
				}
				met[name] = true
			}
			variables[f.variable()] = true
		}
	}
	if len(variables) < 70 {
		t.Errorf("only %d variables", len(variables))
	}
}

// A flag needs a row and nothing else: it is parsed, read from the environment, put into the
// options, explained and completed.
func TestFlagIsARow(t *testing.T) {
	row := flag{name: "new-flag", short: "n", in: "run", group: groupCompute, is: wholeValue, value: "N", usage: "what is new",
		to: func(o *pipeline.Options) any { return &o.Verify }}
	words := flag{name: "words", in: "run", group: groupCompute, is: listValue, value: "WORDS", of: []string{"one", "two"}, usage: "some words",
		to: func(o *pipeline.Options) any { return &o.Files.By }}
	options := func(args ...string) (pipeline.Options, error) {
		c := &urfave.Command{Name: "run", ArgsUsage: "[FILES...]", Flags: flagsOf([]flag{row, words}, "run")}
		var opts pipeline.Options
		flags, rest, err := inOrder(args, c)
		if err != nil {
			return opts, err
		}
		call, err := parse(t.Context(), &urfave.App{}, c, flags, rest)
		if err != nil {
			return opts, err
		}
		for _, f := range rowsOf(c) {
			f.assign(&opts, call.String(f.name))
		}
		return opts, nil
	}
	t.Setenv("BCSTAGE_WORDS", "two,one")
	opts, err := options("edges.csv", "-n", "1e3")
	if err != nil || opts.Verify != 1000 || !slices.Equal(opts.Files.By, []string{"two", "one"}) {
		t.Errorf("%+v, %v", opts, err)
	}
	if _, err := options("--new-flag=x"); err == nil || err.Error() != `invalid value "x" for flag --new-flag: not a whole number` {
		t.Error(err)
	}
	t.Setenv("BCSTAGE_NEW_FLAG", "y")
	if _, err := options(); err == nil || err.Error() != `environment variable "BCSTAGE_NEW_FLAG": invalid value "y" for flag --new-flag: not a whole number` {
		t.Error(err)
	}
	c := &urfave.Command{Name: "run", Usage: "run", Flags: flagsOf([]flag{row, words}, "run")}
	for name, made := range map[string]string{
		"help": helpOf(c), "manual": manual(&urfave.App{Commands: []*urfave.Command{c}}), "reference": reference([]*urfave.Command{c}),
		"bash": script(bash, c), "zsh": script(zsh, c), "fish": script(fish, c), "powershell": script(powershell, c),
	} {
		plain := strings.ReplaceAll(made, `\-`, "-")
		if !strings.Contains(plain, "new-flag") || !strings.Contains(plain, "what is new") && name != "bash" || !strings.Contains(plain, "two") {
			t.Errorf("%s has no new flag: %s", name, made)
		}
	}
}

func script(shell func(io.Writer, []*urfave.Command), c *urfave.Command) string {
	var text strings.Builder
	shell(&text, []*urfave.Command{c})
	return text.String()
}

// Whole numbers are read exactly in every spelling, and no spelling takes long.
func TestInteger(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-3": "-3", "+7": "7", "007": "7", "1e3": "1000", "12.50e1": "125", "1.0": "1", "1E16": "10000000000000000", "18446744073709551615": "18446744073709551615",
		"9007199254740993": "9007199254740993", "0e9": "0", ".5e1": "5",
	} {
		if got, err := integer(text); err != nil || got.String() != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "1.5", "1e-1", "1e999999999", "0e999999999", "0x10", "1_000", "nan", "inf", "1/2", " 1", "1e3x", strings.Repeat("0", 50) + "1", "1e25"} {
		if got, err := integer(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}
