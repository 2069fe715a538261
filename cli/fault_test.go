package cli

import (
	stdbytes "bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
)

var errInjected = errors.New("injected fault")

// faults fails one of many operations, counted from 1.
type faults struct {
	mu   sync.Mutex
	left int
	hit  string // the operation that failed; "": none
}

func (f *faults) next(operation string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.left--; f.left == 0 {
		f.hit = operation
		return errInjected
	}
	return nil
}

// reader reads few bytes at a time, so that there are many reads.
type reader struct {
	data   io.Reader
	most   int
	faults *faults
}

func (r *reader) Read(to []byte) (int, error) {
	if err := r.faults.next("read"); err != nil {
		return 0, err
	}
	return r.data.Read(to[:min(len(to), r.most)])
}

type writer struct {
	stdbytes.Buffer
	faults *faults
}

func (w *writer) Write(data []byte) (int, error) {
	if err := w.faults.next("write"); err != nil {
		return 0, err
	}
	return w.Buffer.Write(data)
}

// For every k (with -short every seventh), the k-th read, write, fsync, close or rename fails. The command
// fails and there is no output, or the output is complete. A failed checkpoint does not end a run.
func TestEveryFault(t *testing.T) {
	var edges strings.Builder
	edges.WriteString("src,dst\n")
	for v := range 600 {
		fmt.Fprintf(&edges, "%d,%d\n", v%97, v*v%89)
	}
	total := 0
	for _, input := range []struct {
		name, data string
		most       int
	}{{"csv", edges.String(), 64}, {"arrow", generated(t, "arrow"), 64}, {"parquet", generated(t, "parquet"), 512}} {
		for _, format := range arrowio.TableFormats() {
			for _, toFile := range []bool{true, false} {
				total += everyFault(t, input.name, input.data, input.most, format, toFile)
			}
		}
	}
	t.Logf("%d faults injected", total)
}

func everyFault(t *testing.T, name, data string, most int, format tables.Format, toFile bool) int {
	t.Helper()
	step := 1
	if testing.Short() {
		step = 7
	}
	var whole []byte
	tried := 0
	for k := 0; ; k += step { // 0: none
		folder := t.TempDir()
		output, checkpoint := filepath.Join(folder, "scores"), filepath.Join(folder, "work.arrow")
		args := []string{"run", "--engine", "cpu", "--threads", "1", "--format", string(format)}
		if toFile {
			args = append(args, "-o", output, "--checkpoint", checkpoint)
		}
		f := &faults{left: k}
		stdout := &writer{faults: f}
		p := &process{stdin: &reader{strings.NewReader(data), most, f}, stdout: stdout, console: newConsole(io.Discard)}
		p.files.inject = f.next
		err := p.start(context.Background(), args)
		got := stdout.Bytes()
		if toFile {
			var failed error
			if got, failed = os.ReadFile(output); failed != nil && err == nil {
				t.Fatalf("%s to %s, fault %d (%s): no error and no output", name, format, k, f.hit)
			}
		}
		if k == 0 {
			if err != nil || len(got) == 0 {
				t.Fatalf("%s to %s: %d bytes, %v", name, format, len(got), err)
			}
			whole = got
			continue
		}
		if f.hit == "" {
			return tried
		}
		tried++
		switch {
		case err == nil && !stdbytes.Equal(got, whole):
			t.Fatalf("%s to %s, fault %d (%s): no error and another output", name, format, k, f.hit)
		case err != nil && !errors.Is(err, errInjected):
			t.Fatalf("%s to %s, fault %d (%s): %v", name, format, k, f.hit, err)
		case err != nil && toFile && got != nil:
			t.Fatalf("%s to %s, fault %d (%s): %v, and there is an output", name, format, k, f.hit, err)
		case err != nil && f.hit == "read" && len(got) > 0:
			t.Fatalf("%s to %s, fault %d: %v after output", name, format, k, err)
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if entry.Name() != "scores" && entry.Name() != "work.arrow" {
				t.Fatalf("%s to %s, fault %d (%s): %s left behind", name, format, k, f.hit, entry.Name())
			}
		}
	}
}

func generated(t *testing.T, format string) string {
	t.Helper()
	var out stdbytes.Buffer
	p := &process{stdin: strings.NewReader(""), stdout: &out, console: newConsole(io.Discard)}
	if err := p.start(context.Background(), []string{"generate", "grid", "--rows", "12", "--cols", "11", "--format", format}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A folder appears with all of its parts, or not at all, whichever operation fails.
func TestEveryFaultOfAFolder(t *testing.T) {
	const edges = "month,src,dst\n1,a,b\n2,b,c\n2,c,d\n3,a,c\n"
	for k := 0; ; k++ { // 0: none
		folder := t.TempDir()
		f := &faults{left: k}
		p := &process{stdin: strings.NewReader(edges), stdout: &writer{faults: &faults{}}, console: newConsole(io.Discard)}
		p.files.inject = f.next
		err := p.start(context.Background(), []string{"run", "--by", "month", "-o", filepath.Join(folder, "out") + string(filepath.Separator)})
		if k > 0 && f.hit == "" {
			if k < 8 { // a write, an fsync and a close of three files, and the rename
				t.Errorf("%d operations", k-1)
			}
			return
		}
		parts, _ := filepath.Glob(filepath.Join(folder, "out", "month=*", "part-0.parquet"))
		left, _ := os.ReadDir(folder)
		switch {
		case k == 0 && (err != nil || len(parts) != 3 || len(left) != 1):
			t.Fatalf("%v, %d parts, %d names", err, len(parts), len(left))
		case k > 0 && (!errors.Is(err, errInjected) || len(left) != 0):
			t.Errorf("fault %d (%s): %v, and %d names are left", k, f.hit, err, len(left))
		}
	}
}
