package cli

import (
	stdflag "flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	urfave "github.com/urfave/cli/v2"

	"bcstage/internal/measures"
	"bcstage/internal/refusals"
)

// Files that are made from the table of flags: make generate lets this test write them, otherwise
// it compares them.
var writeMade = stdflag.Bool("write", false, "write the files that are made of the table of flags")

func TestMadeOfFlags(t *testing.T) {
	p := &process{console: newConsole(io.Discard)}
	commands := p.app().Commands
	for path, made := range map[string]string{
		"../docs/reference.md":           reference(commands),
		"../python/bcstage/_keywords.py": keywords(commands),
	} {
		if *writeMade {
			if err := os.WriteFile(path, []byte(made), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		kept, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(kept) != made {
			t.Errorf("%s is not what the table of flags says: make generate", path)
		}
	}
}

// reference is docs/reference.md.
func reference(commands []*urfave.Command) string {
	var text strings.Builder
	text.WriteString(`# Reference

For who looks up a flag: every command, its flags, their variables, and the keywords of the
Python package. ` + "`make generate`" + ` makes this page of the table in ` + "`cli/flags.go`" + `.

` + "```sh\nbcstage edges.parquet -o scores.parquet --top 10\nBCSTAGE_TOP=10 bcstage edges.parquet -o scores.parquet   # the same\n```" + `

The command line wins over a variable. Numbers may be written in any way: 1000, 1e3, .5, 5e-1.
`)
	flagName := regexp.MustCompile(`--[a-z-]+`)
	cell := strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`)
	for _, c := range commands {
		fmt.Fprintf(&text, "\n## bcstage %s\n\n%s.\n\n```\n%s\n```\n", c.Name, strings.ToUpper(c.Usage[:1])+c.Usage[1:], synopsis(c))
		for group, rows := range rowsByGroup(c) {
			fmt.Fprintf(&text, "\n%s:\n\n| flag | variable | Python | what it is |\n|---|---|---|---|\n", group)
			for _, f := range rows {
				python, normal := "", ""
				if f.python != "" {
					python = "`" + f.keyword() + "`"
				}
				if f.normal != "" && f.normal != "0" && len(f.of) == 0 && !strings.Contains(f.usage, "if not given") {
					normal = "; " + f.normal + " if not given"
				}
				fmt.Fprintf(&text, "| `%s` | `%s` | %s | %s |\n", strings.TrimSpace(strings.Join(f.dashed(), "`, `")+" "+f.value), f.variable(), python, cell.Replace(f.explained()+normal))
			}
		}
	}
	text.WriteString("\n## What has no answer\n\nThese combinations are refused by name, before edges are read.\n\n| option | together with | why |\n|---|---|---|\n")
	for _, r := range refusals.All() {
		asked := strings.Join(r.Asked, ", ")
		if r.AllElse {
			asked = "any part of the question but " + asked
		}
		text.WriteString(flagName.ReplaceAllString(fmt.Sprintf("| %s | %s | %s |\n", r.With, asked, r.Why), "`$0`"))
	}
	text.WriteString("\n## Exit codes\n\n| code | what it means |\n|---|---|\n")
	for _, status := range exitCodes() {
		fmt.Fprintf(&text, "| %s | %s |\n", status[0], status[1])
	}
	return text.String()
}

// keyword is the flag's name in Python.
func (f *flag) keyword() string { return strings.ReplaceAll(f.name, "-", "_") }

// keywordGroups are the groups of keywords in Python: each has the keywords of its bases, and of
// the flags that name it in the table.
func keywordGroups() [][3]string {
	return [][3]string{
		{"Reading", "TypedDict", "The edges, and how to read them."},
		{"Effort", "TypedDict", "The resources of a call, and its progress."},
		{"Devices", "TypedDict", "The processors to use."},
		{"Ends", "TypedDict", "The paths that count."},
		{"Running", "Reading, Effort, Devices, Ends", "Options of every run."},
		{"Rows", "Running", "The rows of a table of vertices, and their order."},
		{"Scaled", "Running", "The scale of betweenness."},
		{"Run", "Rows, Scaled", "Options of a run that may be an estimate."},
		{"Columns", "Run", "Options of a run with any columns."},
		{"Listing", "Reading, Effort", "Options of a run that searches nothing."},
		{"Distances", "Reading, Effort, Devices", "Options of distances, beside sources."},
		{"WhatIf", "Reading, Effort", "Options of whatif."},
		{"Info", "Reading, Effort, Devices, Ends", "Options of info: input and effort."},
	}
}

// keywordType is the flag's type in Python.
func (f *flag) keywordType() string {
	switch {
	case f.typed != "":
		return f.typed
	case f.is == choiceValue:
		return literal(f.of) + " | None"
	case f.is == noValue:
		return "bool"
	case f.is == strictValue:
		return `bool | Literal["strict"]`
	case f.is == wholeValue || f.is == seedValue:
		return "int | None"
	case f.is == numberValue:
		return "float | None"
	case f.is == timeValue:
		return "Time | None"
	case f.is == sizeValue || f.value == "COLUMN":
		return "str | int | None"
	case f.is == listValue:
		return "Names | None"
	case f.namesFile():
		return "Path | None"
	}
	return "str | None"
}

func literal(values []string) string { return "Literal[" + quotedList(values) + "]" }

func quotedList(words []string) string { return `"` + strings.Join(words, `", "`) + `"` }

// keywords is python/bcstage/_keywords.py.
func keywords(commands []*urfave.Command) string {
	var text strings.Builder
	text.WriteString(`"""The keywords of the calls, in groups. Made from the table of the command's flags, cli/flags.go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from bcstage._types import Cutoffs, Edges, Names, Number, Path, Progress, Time, Vertices

`)
	var names []string
	for _, m := range measures.All() {
		names = append(names, m.Name)
	}
	fmt.Fprintf(&text, "Measure = Literal[\n    %s,\n]\n", strings.ReplaceAll(wrap(quotedList(names), 110), "\n", "\n    "))
	for _, group := range keywordGroups() {
		fmt.Fprintf(&text, "\n\nclass %s(%s, total=False):\n    \"\"\"%s\"\"\"\n", group[0], group[1], group[2])
		met := map[string]bool{}
		for _, c := range commands {
			for _, f := range rowsOf(c) {
				if slices.Contains(strings.Fields(f.python), group[0]) && !met[f.name] {
					if met[f.name] = true; len(met) == 1 {
						text.WriteByte('\n')
					}
					fmt.Fprintf(&text, "    %s: %s\n", f.keyword(), f.keywordType())
				}
			}
		}
	}
	return text.String()
}
