package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The README's uses run unchanged, and write every file that they name.
func TestUsesOfTheReadme(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh: ", err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(readme), "<!-- uses -->\n```sh\n")
	uses, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("README.md has no block of uses")
	}
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "testdata"), os.DirFS("../testdata")); err != nil {
		t.Fatal(err)
	}
	script := exec.Command(shell, "-eu", "-c", uses)
	script.Dir = folder
	if out, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	written := regexp.MustCompile(` (?:-o|--stats) ([a-z.]+)`).FindAllStringSubmatch(uses, -1)
	if len(written) < 6 {
		t.Errorf("only %d files are written", len(written))
	}
	for _, file := range written {
		if _, err := os.Stat(filepath.Join(folder, file[1])); err != nil {
			t.Error(err)
		}
	}
}
