//go:build unix && !race

package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// An input of any shape is computed or refused, and the process stays within 1.25 times --memory
// and 32 MiB.
func TestMemoryIsHeld(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the peak of a child is measured on Linux")
	}
	const limit = 64 << 20
	const most = limit + limit/4 + 32<<20
	// A parent with more memory than its children may use: their peaks must be their own.
	ballast := make([]byte, 2*most)
	for at := 0; at < len(ballast); at += 1 << 12 {
		ballast[at] = 1
	}
	defer runtime.KeepAlive(ballast)
	folder := t.TempDir()
	status := filepath.Join(folder, "status")
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
		// info takes the same steps, except for the scores of large graphs.
		command := exec.Command("bcstage", "info", filepath.Join(folder, name), "--memory", "64M")
		command.Env = append(os.Environ(), peakEnv+"="+status)
		out, err := command.CombinedOutput()
		var exit *exec.ExitError
		switch {
		case fits && err != nil:
			t.Errorf("%s: %v: %s", name, err, out)
		case !fits && (!errors.As(err, &exit) || !strings.Contains(string(out), "not enough memory")):
			t.Errorf("%s: error %v, want a refusal: %s", name, err, out)
		}
		if peak := peakOf(t, status); peak > most {
			t.Errorf("%s: %d bytes at the peak, more than %d", name, peak, most)
		} else {
			t.Logf("%s: %d MiB at the peak", name, peak>>20)
		}
	}
	stats := filepath.Join(folder, "stats.json")
	out, err := exec.Command("bcstage", filepath.Join(folder, "small.parquet"), "-o", filepath.Join(folder, "bc.arrow"), "--engine", "cpu", "--memory", "64M", "--stats", stats).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(stats)
	if err != nil {
		t.Fatal(err)
	}
	var told struct {
		Peak int64 `json:"peak_memory_bytes"`
	}
	if err := json.Unmarshal(text, &told); err != nil || told.Peak <= 0 || told.Peak > most {
		t.Errorf("--stats tell of a peak of %d bytes (%v), want at most %d", told.Peak, err, most)
	}
}

// peakOf is VmHWM, in bytes, from a copy of a process's /proc/self/status.
func peakOf(t *testing.T, name string) int64 {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	var kib int64
	if _, err := fmt.Sscan(after, &kib); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return kib << 10
}
