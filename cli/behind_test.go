package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The check of dependencies lists the outdated ones: only releases that the module's Go can build,
// no pre-releases; it also lists pinned ones, and ones that others need.
func TestBehind(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash: ", err)
	}
	proxy, module := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, needs := range map[string]map[string]string{
		"old":    {"v1.0.0": "1.20", "v1.2.0": "1.21", "v1.10.0": "1.99", "v1.11.0-rc1": "1.20"},
		"new":    {"v1.0.0": "1.20", "v1.1.0": "1.99"},
		"latest": {"v1.9.0": "1.20", "v1.10.0": "1.20"},
		"stays":  {"v1.0.0": "1.20", "v2.0.0": "1.20"},
		"others": {"v1.0.0": "1.20", "v1.1.0": "1.20"},
	} {
		folder := filepath.Join(proxy, "example.com", name, "@v")
		list := ""
		for version, of := range needs {
			list += version + "\n"
			write(filepath.Join(folder, version+".info"), fmt.Sprintf(`{"Version":%q,"Time":"2020-01-01T00:00:00Z"}`, version))
			write(filepath.Join(folder, version+".mod"), fmt.Sprintf("module example.com/%s\n\ngo %s\n", name, of))
		}
		write(filepath.Join(folder, "list"), list)
	}
	write(filepath.Join(module, "go.mod"), `module example.com/main

go 1.25.0

require (
	example.com/gone v1.0.0
	example.com/latest v1.10.0
	example.com/new v1.0.0
	example.com/old v1.0.0
	example.com/others v1.0.0 // indirect
	example.com/stays v1.0.0 // pinned: for a reason
)
`)
	behind := exec.Command("bash", "../.ci/behind", module)
	behind.Env = append(os.Environ(), "GOPROXY=file://"+proxy, "GONOSUMDB=*", "GOFLAGS=-modcacherw", "GOMODCACHE="+t.TempDir(), "GOTOOLCHAIN=local")
	out, err := behind.CombinedOutput()
	want := []string{
		"behind   example.com/old v1.0.0: v1.2.0 (v1.10.0 needs Go 1.99)",
		"current  example.com/new v1.0.0: v1.1.0 needs Go 1.99",
		"unknown  example.com/gone v1.0.0: the module proxy does not say what there is",
	}
	if got := strings.Split(strings.TrimSpace(string(out)), "\n"); err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v\n%s\nwant\n%s", err, out, strings.Join(want, "\n"))
	}
}
