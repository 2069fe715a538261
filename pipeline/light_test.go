package pipeline_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program with edges in memory is built without Arrow, and is small. Go's own command builds it,
// as a user would.
func TestScoresNeedNoArrow(t *testing.T) {
	list := exec.Command("go", "list", "-deps", ".")
	list.Stderr = os.Stderr
	needs, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(needs), "bcstage/preprocess\n") {
		t.Fatalf("no packages: %s", needs)
	}
	for name := range strings.Lines(string(needs)) {
		if strings.Contains(name, "apache/arrow") || strings.Contains(name, "thrift") || name == "bcstage/arrowio\n" || name == "net/http\n" {
			t.Errorf("pipeline needs %s", name)
		}
	}
	if testing.Short() {
		t.Skip("a program is linked")
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "scores")
	link := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, "./testdata/light")
	link.Env = append(os.Environ(), "CGO_ENABLED=0")
	if said, err := link.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	said, err := exec.Command(program).CombinedOutput()
	if err != nil || string(said) != "[1 2 3] [0 1 0]\n" {
		t.Errorf("%v: %s", err, said)
	}
	file, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(6.6e6); file.Size() >= most {
		t.Errorf("%d bytes, want fewer than %d", file.Size(), most)
	}
}
