package cli

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	separator  = regexp.MustCompile(`\s*(\||&&|;|>|<|#)\s*|\n`)
	word       = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
)

// Source files that the documentation names are there.
func TestDocumentedFiles(t *testing.T) {
	named := regexp.MustCompile("`((?:arrowio|cli|cpu|gpu|internal|pipeline|preprocess)/[a-z0-9_/]+\\.(?:go|cl))`")
	files, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range append(files, "../README.md", "../CONTRIBUTING.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range named.FindAllStringSubmatch(string(data), -1) {
			seen++
			if _, err := os.Stat(filepath.Join("..", match[1])); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d names of files found", seen)
	}
}

// Commands in the documentation and in the help's examples have the flags that
// they need, with values that the flags take.
func TestDocumentedCommands(t *testing.T) {
	texts := map[string]string{}
	files, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../README.md", "../CONTRIBUTING.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range shellBlock.FindAllStringSubmatch(string(data), -1) {
			texts[file] += block[1]
		}
	}
	p := &process{console: newConsole(io.Discard)}
	for _, c := range p.app().Commands {
		texts["help of "+c.Name] = c.UsageText
	}
	seen := 0
	for place, text := range texts {
		for _, line := range separator.Split(strings.ReplaceAll(text, "\\\n", " "), -1) {
			args := word.FindAllString(line, -1)
			if len(args) < 2 || args[0] != "bcstage" {
				continue
			}
			seen++
			c, args, err := command(args[1:], p.app().Commands)
			if err != nil {
				t.Errorf("%s: %s: %v", place, line, err)
				continue
			}
			flags, _, err := inOrder(args, c)
			if err != nil {
				t.Errorf("%s: %s: %v", place, line, err)
			}
			for _, flag := range flags {
				name, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
				if _, err := find(c, name).read(strings.Trim(value, `'"`)); err != nil {
					t.Errorf("%s: %s: --%s: %v", place, line, name, err)
				}
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d commands found", seen)
	}
}
