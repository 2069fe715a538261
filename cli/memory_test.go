//go:build unix && !race

package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// Whatever its shape, an input is computed or refused, and the process stays
// within 1.25 times --memory and 32 MiB.
func TestMemoryIsHeld(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the peak of a child is measured on Linux")
	}
	const limit = 64 << 20
	folder := t.TempDir()
	for name, text := range map[string]string{
		"declared.col":   "p edge 200000000 1\ne 1 2\n",
		"declared.mtx":   "%%MatrixMarket matrix coordinate pattern general\n200000000 200000000 1\n1 2\n",
		"declared.graph": "200000000 0\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, kind := range map[string]string{
		"path.parquet":  "path --n 2000000",
		"small.parquet": "path --n 200000",
		"star.csv":      "star --n 2000000",
		"kron.parquet":  "kron --scale 16 --edge-factor 16",
	} {
		args := append(append([]string{"generate"}, strings.Fields(kind)...), "-o", filepath.Join(folder, name))
		if out, err := exec.Command("bcstage", args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for name, fits := range map[string]bool{
		"declared.col": false, "declared.mtx": false, "declared.graph": false,
		"path.parquet": false, "small.parquet": true, "star.csv": false, "kron.parquet": true,
	} {
		// info goes the whole way but for the scores of large graphs.
		command := exec.Command("bcstage", "info", filepath.Join(folder, name), "--memory", "64M")
		out, err := command.CombinedOutput()
		var exit *exec.ExitError
		switch {
		case fits && err != nil:
			t.Errorf("%s: %v: %s", name, err, out)
		case !fits && (!errors.As(err, &exit) || !strings.Contains(string(out), "not enough memory")):
			t.Errorf("%s: error %v, want a refusal: %s", name, err, out)
		}
		peak := command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024
		if most := int64(limit + limit/4 + 32<<20); peak > most {
			t.Errorf("%s: %d bytes at the peak, more than %d", name, peak, most)
		}
		t.Logf("%s: %d MiB at the peak", name, peak>>20)
	}
}
