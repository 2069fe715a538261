package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a test waits for events that should happen within a second.
const patience = 2 * time.Minute

// notes is a process's stderr, which can be read while it is written.
type notes struct {
	mu   sync.Mutex
	text strings.Builder
}

func (n *notes) Write(data []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(data)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

// beginning is more than a pipe holds: its writer knows that the other side reads.
var beginning = strings.Repeat("1,2\n", 1<<18)

// interrupt starts a command, sends it a signal when it is ready, and waits for its end after act.
// It returns the exit code.
func interrupt(t *testing.T, command *exec.Cmd, signal syscall.Signal, ready func() bool, act func()) int {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		command.Wait() // the state is checked later
		close(ended)
	}()
	timeout := time.After(patience)
	for !ready() {
		select {
		case <-time.After(time.Millisecond):
		case <-ended:
			t.Fatalf("%q ended before its interruption: %v: %s", command.Args, command.ProcessState, command.Stderr)
		case <-timeout:
			command.Process.Kill()
			<-ended
			t.Fatalf("%q did not begin: %s", command.Args, command.Stderr)
		}
	}
	command.Process.Signal(signal)
	act()
	select {
	case <-ended:
	case <-time.After(patience):
		command.Process.Kill()
		<-ended
		t.Fatalf("%q did not end: %s", command.Args, command.Stderr)
	}
	return command.ProcessState.ExitCode()
}

// A signal ends every stage, is reported in one line, leaves nothing half done, and keeps older
// files. (For the time see TestAwait.)
func TestInterrupt(t *testing.T) {
	folder := t.TempDir()
	slow, out, stats := filepath.Join(folder, "slow.csv"), filepath.Join(folder, "out.csv"), filepath.Join(folder, "run.json")
	if err := os.WriteFile(out, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("bcstage", "generate", "smallworld", "--n", "100000", "-o", slow).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	computing := func(c *exec.Cmd, _ io.Writer) bool { // the previous stage has ended
		return strings.Contains(fmt.Sprint(c.Stderr), "bcstage: reduce")
	}
	reading := func(_ *exec.Cmd, stdin io.Writer) bool {
		_, err := io.WriteString(stdin, beginning)
		return err == nil
	}
	writing := func(*exec.Cmd, io.Writer) bool {
		parts, _ := filepath.Glob(filepath.Join(folder, ".out.csv.*.part"))
		return len(parts) > 0
	}
	// Minutes on one core: the signal comes while it computes, on any machine.
	long := []string{slow, "--engine", "cpu", "--threads", "1"}
	for _, c := range []struct {
		name   string
		signal syscall.Signal
		code   int
		says   string
		ready  func(c *exec.Cmd, stdin io.Writer) bool
		args   []string
	}{
		{"computing", syscall.SIGINT, 130, "interrupted", computing, append(long, "--top", "1", "--stats", stats)},
		{"computing", syscall.SIGTERM, 143, "terminated", computing, append(long, "-o", out, "--stats", stats)},
		{"computing", syscall.SIGHUP, 129, "hangup", computing, append(long, "-o", out)},
		{"waiting for input", syscall.SIGINT, 130, "interrupted", reading, []string{"--top", "1"}},
		{"writing", syscall.SIGINT, 130, "interrupted", writing, []string{"generate", "path", "--n", "2000000000", "-o", out}},
		{"writing", syscall.SIGTERM, 143, "terminated", writing, []string{"generate", "path", "--n", "2000000000", "-o", out}},
	} {
		t.Run(c.name+", "+c.says, func(t *testing.T) {
			command := exec.Command("bcstage", c.args...)
			if c.args[0] != "generate" {
				command.Args = append(command.Args, "--progress", "always")
			}
			var stdout bytes.Buffer
			command.Stdout, command.Stderr = &stdout, new(notes)
			stdin, err := command.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer stdin.Close()
			code := interrupt(t, command, c.signal, func() bool { return c.ready(command, stdin) }, func() {})
			if text := fmt.Sprint(command.Stderr); code != c.code || !strings.HasSuffix(text, "bcstage: "+c.says+"\n") {
				t.Errorf("exit code %d, want %d; %s", code, c.code, text)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout: %s", &stdout)
			}
			if kept, err := os.ReadFile(out); err != nil || string(kept) != "precious" {
				t.Errorf("what was there: %q, %v", kept, err)
			}
			if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 {
				t.Errorf("left behind: %v, %v", entries, err)
			}
		})
	}
}

// A reader that does not read does not make the command hang.
func TestInterruptBlockedWriter(t *testing.T) {
	command := exec.Command("bcstage", "generate", "path", "--n", "2000000000")
	command.Stderr = new(notes)
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	code := interrupt(t, command, syscall.SIGINT, func() bool {
		_, err := io.ReadFull(stdout, make([]byte, 1))
		return err == nil
	}, func() {})
	if text := fmt.Sprint(command.Stderr); code != 130 || text != "bcstage: interrupted\n" {
		t.Errorf("exit code %d: %s", code, text)
	}
}

// The terminal's Ctrl-C does not end a background job of a script: sh starts it with SIGINT
// ignored, and the command keeps that.
func TestInterruptIgnored(t *testing.T) {
	command := exec.Command("sh", "-c", `trap "" INT; exec bcstage --format csv`)
	var stdout bytes.Buffer
	command.Stdout, command.Stderr = &stdout, new(notes)
	stdin, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	code := interrupt(t, command, syscall.SIGINT,
		func() bool { _, err := io.WriteString(stdin, beginning); return err == nil },
		func() { io.WriteString(stdin, "2,3\n"); stdin.Close() })
	if want := "vertex,betweenness_centrality\n1,0\n2,1\n3,0\n"; code != 0 || stdout.String() != want {
		t.Errorf("exit code %d, %s; %s", code, &stdout, command.Stderr)
	}
}

// A signal after everything has been delivered does not turn success into failure.
func TestInterruptedTooLate(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		command := exec.Command("bcstage", "generate", "path", "--n", "3")
		command.Env = append(os.Environ(), fmt.Sprintf("%s=%d@end", signalEnv, signal))
		if out, err := command.CombinedOutput(); err != nil || string(out) != "src,dst\n0,1\n1,2\n" {
			t.Errorf("%v: %v: %s", signal, err, out)
		}
	}
}

// A signal before any operation on files: the exit code is success if and only if all files are
// complete, the scores and the later ones.
func TestInterruptedAtEveryOperation(t *testing.T) {
	folder := t.TempDir()
	edges, out, stats := filepath.Join(folder, "edges.csv"), filepath.Join(folder, "out.csv"), filepath.Join(folder, "run.json")
	if text, err := exec.Command("bcstage", "generate", "smallworld", "--n", "200", "-o", edges).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	for operation := 1; ; operation++ {
		command := exec.Command("bcstage", edges, "-o", out, "--stats", stats, "--checkpoint", filepath.Join(folder, "work.arrow"), "--engine", "cpu")
		command.Env = append(os.Environ(), fmt.Sprintf("%s=%d@%d", signalEnv, syscall.SIGTERM, operation))
		text, _ := command.CombinedOutput()
		code := command.ProcessState.ExitCode()
		if code == notReached {
			if operation < 12 { // a checkpoint, the scores, the statistics
				t.Errorf("only %d operations", operation-1)
			}
			return
		}
		_, noScores := os.Stat(out)
		_, noStats := os.Stat(stats)
		all := noScores == nil && noStats == nil // a disk that takes 10 s for the second may lose it
		if all != (code == 0) || code != 0 && code != 143 {
			t.Errorf("operation %d: exit code %d, scores: %v, statistics: %v; %s", operation, code, noScores, noStats, text)
		}
		for _, path := range []string{out, stats, filepath.Join(folder, "work.arrow")} {
			os.Remove(path)
		}
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
			t.Fatalf("operation %d: left behind: %v, %v", operation, entries, err)
		}
	}
}

// After an interruption, the command names the checkpoint and says how to resume it.
func TestInterruptedWithCheckpoint(t *testing.T) {
	folder := t.TempDir()
	slow, work := filepath.Join(folder, "slow.csv"), filepath.Join(folder, "work.arrow")
	if text, err := exec.Command("bcstage", "generate", "smallworld", "--n", "100000", "-o", slow).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	command := exec.Command("bcstage", slow, "--engine", "cpu", "--threads", "1", "--checkpoint", work, "--checkpoint-interval", "1ms", "-o", filepath.Join(folder, "out.csv"))
	command.Stderr = new(notes)
	saved := func() bool {
		_, err := os.Stat(work)
		return err == nil
	}
	code := interrupt(t, command, syscall.SIGTERM, saved, func() {})
	want := "bcstage: terminated\nhint: " + work + " holds the finished work; the same command with --resume continues it\n"
	if says := fmt.Sprint(command.Stderr); code != 143 || says != want {
		t.Errorf("exit code %d: %s", code, says)
	}
}
