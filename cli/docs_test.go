package cli

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")
	separator  = regexp.MustCompile(`\s*(\||&&|;|>|<|#)\s*|\n`)
	word       = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
)

// Source files that the documentation names exist.
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

// Links between pages lead to existing files and headings.
func TestDocumentedLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s:#]*)(?:#([^)\s]*))?\)`)
	seen := 0
	for file, text := range pages(t) {
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			seen++
			path, at := file, match[2]
			if match[1] != "" {
				path = filepath.Join(filepath.Dir(file), match[1])
			}
			data, err := os.ReadFile(path)
			if info, failed := os.Stat(path); failed != nil || err != nil && !info.IsDir() {
				t.Errorf("%s: %s is not there", file, match[0])
			} else if at != "" && strings.HasSuffix(path, ".md") && !slices.Contains(anchors(string(data)), at) {
				t.Errorf("%s: %s: there is no such heading", file, match[0])
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d links found", seen)
	}
}

// pages returns the pages of the repository, by path, without their blocks of code.
func pages(t *testing.T) map[string]string {
	t.Helper()
	block, texts := regexp.MustCompile("(?ms)^```.*?^```|`[^`\n]*`"), map[string]string{}
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../docs/*/*.md", "../python/*.md", "../examples/*.md", "../examples/*/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = block.ReplaceAllString(string(data), "")
		}
	}
	return texts
}

// anchors returns the names of a page's headings in links.
func anchors(text string) []string {
	heading, dropped := regexp.MustCompile(`(?m)^#+ (.*)$`), regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	var names []string
	for _, match := range regexp.MustCompile(`<a id="([^"]+)">`).FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		names = append(names, strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-"))
	}
	return names
}

// Commands in the documentation and in the help's examples have the flags that they need, with
// valid values.
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
