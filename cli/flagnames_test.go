package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestFlagsFor(t *testing.T) {
	for text, want := range map[string]string{
		"column 2: null id":                                    "column 2: null id",
		"Options.IgnoreWeight reads the edges":                 "--ignore-weight reads the edges",
		`Options.IDs "string" and Options.Format "metis"`:      "--ids string and --input-format metis",
		`Options.Src "start" and Options.Dst "end", if`:        "--src start and --dst end, if",
		`Options.Src "it's \"x\"" and Options.Dst "New York".`: `--src 'it'\''s "x"' and --dst 'New York'.`,
		`Options.Src and Options.Dst with two of the names`:    "--src and --dst with two of the names",
		`Options.Header "no`:                                   `--header "no`,
		"Options.Input.Files.Keep: a prepared graph":           "--keep: a prepared graph",
		`Options.Question.Lengths.Column "m". More`:            "--weight m. More",
		`Options.Src ":START_ID"`:                              "--src :START_ID",
	} {
		if got := flagsFor(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Libraries name options, never flags; every option that they name to a user is a flag. The fields
// of a question, and the table of what they exclude, have the names of their flags.
func TestLibrariesNameOptions(t *testing.T) {
	named := regexp.MustCompile("[\"`][^\"`\n]*Options\\.[A-Z].*")
	flag := regexp.MustCompile("[\"`; ]--[a-z]+[a-z-]* ?")
	run := (&process{console: newConsole(os.Stderr)}).app().Command(defaultCommand)
	seen := 0
	for _, folder := range []string{"arrowio", "preprocess", "pipeline", "cpu", "gpu", "internal"} {
		err := filepath.WalkDir("../"+folder, func(path string, _ os.DirEntry, err error) error {
			if name := filepath.Base(path); name == "question" || name == "refusals" {
				return filepath.SkipDir
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for number, line := range strings.Split(string(text), "\n") {
				code, _, _ := strings.Cut(line, "//")
				if flag.MatchString(code) {
					t.Errorf("%s:%d names a flag: %s", path, number+1, strings.TrimSpace(code))
				}
				for _, option := range optionName().FindAllString(named.FindString(code), -1) {
					seen++
					name, _, _ := strings.Cut(strings.TrimPrefix(flagsFor(option), "--"), " ")
					if find(run, name) == nil {
						t.Errorf("%s:%d: %s is no flag: --%s", path, number+1, option, name)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 10 {
		t.Errorf("only %d options found", seen)
	}
}
