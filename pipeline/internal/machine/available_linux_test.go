package machine

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// Cached files of a control group count as free, and the narrowest group decides.
func TestGroupMemory(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"memory.max": "9000\n", "memory.current": "5000\n", // its memory.stat is missing
		"a/memory.max": "4000\n", "a/memory.current": "3900\n", "a/memory.stat": "anon 500\ninactive_file 1000\nactive_file 2400\n",
		"a/b/memory.max": "max\n", "a/b/memory.current": "3900\n",
		"none/memory.max": "9223372036854771712\n", "none/memory.current": "9223372036854770000\n", // as in version 1
		"full/memory.max": "100\n", "full/memory.current": "101\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for group, want := range map[string]int64{"/": 4000, "/a": 3500, "/a/b": 3500, "/a/b/gone": 3500, "/none": 4000, "/full": 0} {
		if got := groupMemory(root, group, "memory.max", "memory.current", "inactive_file", "active_file"); got != want {
			t.Errorf("%s: %d bytes, want %d", group, got, want)
		}
	}
	if got := groupMemory(t.TempDir(), "/a", "memory.max", "memory.current"); got != math.MaxInt64 {
		t.Errorf("without groups: %d", got)
	}
}
