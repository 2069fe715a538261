package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// broken is a run that is long enough to be cut short.
type broken struct {
	t           *testing.T
	engine      []string // flags that select it
	folder      string
	checkpoint  string
	output      string
	want        []byte        // output of an unbroken run
	unbroken    time.Duration // and its time
	interrupted int
}

func newBroken(t *testing.T, engine ...string) *broken {
	b := &broken{t: t, engine: engine, folder: t.TempDir()}
	b.checkpoint, b.output = filepath.Join(b.folder, "work.arrow"), filepath.Join(b.folder, "scores.arrow")
	b.must("generate", "smallworld", "--n", "1500", "--k", "8", "--p", "0.1", "-o", b.edges())
	began := time.Now()
	b.must(append([]string{"run", b.edges(), "--lanes", "1", "-o", b.output}, b.engine...)...)
	b.unbroken = time.Since(began)
	b.want = b.read(b.output)
	b.remove(b.output)
	return b
}

func (b *broken) edges() string { return filepath.Join(b.folder, "edges.csv") }

func (b *broken) must(args ...string) {
	b.t.Helper()
	if out, err := exec.Command("bcstage", args...).CombinedOutput(); err != nil {
		b.t.Fatalf("bcstage %q: %v: %s", args, err, out)
	}
}

func (b *broken) read(path string) []byte {
	b.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	return data
}

func (b *broken) remove(path string) {
	b.t.Helper()
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		b.t.Fatal(err)
	}
}

// resume starts a run from the checkpoint. It sends a signal after a time or, if that is 0, before
// an operation on files, counted from 1. It returns the final state of the process.
func (b *broken) resume(after time.Duration, operation int, signal syscall.Signal) syscall.WaitStatus {
	b.t.Helper()
	command := exec.Command("bcstage", append([]string{b.edges(), "--lanes", "1", "-o", b.output,
		"--checkpoint", b.checkpoint, "--resume", "--checkpoint-interval", "2ms"}, b.engine...)...)
	var stderr strings.Builder
	command.Stderr = &stderr
	if after == 0 {
		command.Env = append(os.Environ(), fmt.Sprintf("%s=%d@%d", signalEnv, signal, operation))
	}
	if err := command.Start(); err != nil {
		b.t.Fatal(err)
	}
	if after > 0 {
		defer time.AfterFunc(after, func() { command.Process.Signal(signal) }).Stop()
	}
	err := command.Wait()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		b.t.Fatal(err)
	}
	status := command.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case status.Signaled() && status.Signal() == signal:
	case status.Exited() && (b.ended(status) || status.ExitStatus() == 128+int(signal)):
	default:
		b.t.Fatalf("%v: %s", command.ProcessState, &stderr)
	}
	return status
}

// ended reports whether the run finished.
func (b *broken) ended(status syscall.WaitStatus) bool {
	return status.ExitStatus() == 0 || status.ExitStatus() == notReached
}

// moment draws a time within a run, or an operation: every run has four on its output, and four on
// each earlier checkpoint. The first is just after a checkpoint has its name.
func (b *broken) moment(random *rand.Rand, round int) (after time.Duration, operation int) {
	if round%2 == 0 {
		return 0, 1 + (round/2+4)%12
	}
	return 1 + time.Duration(random.Float64()*0.8*float64(b.unbroken)), 0
}

// finished checks that the scores have the bits of the unbroken run.
func (b *broken) finished() {
	b.t.Helper()
	if !bytes.Equal(b.read(b.output), b.want) {
		b.t.Fatalf("after %d interruptions: other scores", b.interrupted)
	}
}

// tidy checks that the folder holds only expected files.
func (b *broken) tidy() {
	b.t.Helper()
	entries, err := os.ReadDir(b.folder)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); name != "edges.csv" && name != "work.arrow" && name != "scores.arrow" {
			b.t.Errorf("left behind: %s", name)
		}
	}
}

// exists reports whether there is a file.
func (b *broken) exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// kills is the number of moments that are tried.
func kills() int {
	if testing.Short() {
		return 8
	}
	return 50
}

// A process killed at any moment leaves no partial output, and a checkpoint from which the next run
// continues to the same bits.
func TestKilledAtAnyMoment(t *testing.T) {
	b := newBroken(t, "--engine", "cpu")
	b.killed(kills(), b.finished)
}

// killed kills runs that continue each other's checkpoints, and checks every output.
func (b *broken) killed(kills int, check func()) {
	b.t.Helper()
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	resumed, ended := 0, 0
	resume := func(after time.Duration, operation int) syscall.WaitStatus {
		if b.exists(b.checkpoint) {
			resumed++
		}
		return b.resume(after, operation, syscall.SIGKILL)
	}
	for round := 0; b.interrupted < kills; round++ {
		status := resume(b.moment(random, round))
		if b.exists(b.output) || !status.Signaled() {
			check()
			b.remove(b.output)
		}
		if status.Signaled() {
			b.interrupted++
		} else {
			ended++
			b.remove(b.checkpoint)
		}
	}
	resume(time.Hour, 0)
	check()
	b.t.Logf("%d kills, %d starts from a checkpoint, %d runs that came to their end with the unbroken run's scores", b.interrupted, resumed, ended+1)
	if resumed == 0 {
		b.t.Error("no start from a checkpoint")
	}
}

// A terminated process has the signal's exit code and no output, or exit code 0 and all output:
// nothing in between, and no temporary file.
func TestInterruptedAtAnyMoment(t *testing.T) {
	b := newBroken(t, "--engine", "cpu")
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 2))
	ended := 0
	for round := range kills() {
		signal := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[random.IntN(2)]
		after, operation := b.moment(random, round)
		status := b.resume(after, operation, signal)
		b.tidy()
		delivered := b.exists(b.output)
		if delivered != b.ended(status) {
			t.Fatalf("%v at %v, operation %d: exit code %d, output there: %v", signal, after, operation, status.ExitStatus(), delivered)
		}
		if !delivered {
			b.interrupted++
			continue
		}
		b.finished()
		ended++
		b.remove(b.output)
		b.remove(b.checkpoint)
	}
	t.Logf("%d interruptions without an output, %d ends with all of it", b.interrupted, ended)
}
