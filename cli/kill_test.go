package cli_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// broken is a run that takes long enough to be cut short.
type broken struct {
	t           *testing.T
	folder      string
	checkpoint  string
	output      string
	want        []byte        // what an unbroken run writes
	unbroken    time.Duration // and how long it takes
	interrupted int
}

func newBroken(t *testing.T) *broken {
	b := &broken{t: t, folder: t.TempDir()}
	b.checkpoint, b.output = filepath.Join(b.folder, "work.arrow"), filepath.Join(b.folder, "scores.arrow")
	b.must("generate", "smallworld", "--n", "1500", "--k", "8", "--p", "0.1", "-o", b.edges())
	began := time.Now()
	b.must("run", b.edges(), "--lanes", "1", "--engine", "cpu", "-o", b.output)
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

// resume starts a run that goes on from the checkpoint, and sends it a signal
// after a while. It returns the state in which the process ended, and how long
// after the signal.
func (b *broken) resume(after time.Duration, signal syscall.Signal) (syscall.WaitStatus, time.Duration) {
	b.t.Helper()
	command := exec.Command("bcstage", b.edges(), "--lanes", "1", "--engine", "cpu", "-o", b.output,
		"--checkpoint", b.checkpoint, "--resume", "--checkpoint-interval", "2ms")
	var stderr strings.Builder
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		b.t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { command.Process.Signal(signal) })
	began := time.Now()
	err := command.Wait()
	timer.Stop()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		b.t.Fatal(err)
	}
	status := command.ProcessState.Sys().(syscall.WaitStatus)
	if status.Exited() && status.ExitStatus() != 0 && status.ExitStatus() != 128+int(signal) {
		b.t.Fatalf("exit code %d: %s", status.ExitStatus(), &stderr)
	}
	return status, time.Since(began) - after
}

// finished checks that the scores are those of the unbroken run, bit by bit.
func (b *broken) finished() {
	b.t.Helper()
	if !bytes.Equal(b.read(b.output), b.want) {
		b.t.Fatalf("after %d interruptions: other scores", b.interrupted)
	}
}

// tidy checks that the folder holds nothing but what belongs there.
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

// kills is how many random moments are tried.
func kills() int {
	if testing.Short() {
		return 8
	}
	return 50
}

// A process that is killed at any moment leaves no half of an output, and a
// checkpoint from which the next goes on to the same bits.
func TestKilledAtAnyMoment(t *testing.T) {
	b := newBroken(t)
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	resumed, ended := 0, 0
	for b.interrupted < kills() {
		_, err := os.Stat(b.checkpoint)
		started := err == nil
		status, _ := b.resume(time.Duration(random.Float64()*0.8*float64(b.unbroken)), syscall.SIGKILL)
		if _, err := os.Stat(b.output); err == nil {
			b.finished()
		}
		if started {
			resumed++
		}
		if status.Signaled() {
			b.interrupted++
			continue
		}
		b.finished()
		ended++
		b.remove(b.output)
		b.remove(b.checkpoint)
	}
	b.resume(time.Hour, syscall.SIGKILL)
	b.finished()
	t.Logf("%d kills, %d starts from a checkpoint, %d runs that came to their end with the unbroken run's bits", b.interrupted, resumed, ended+1)
	if resumed < kills()/4 {
		t.Errorf("%d starts from a checkpoint: killed too early to show anything", resumed)
	}
}

// A process that is asked to end does so within a second, and leaves a
// checkpoint, no output and no temporary file.
func TestInterruptedAtAnyMoment(t *testing.T) {
	b := newBroken(t)
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 2))
	var longest time.Duration
	slow := 0
	for b.interrupted < kills()/2 {
		signal := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[random.IntN(2)]
		// Before main has run, a signal kills as it kills every process.
		status, took := b.resume(20*time.Millisecond+time.Duration(random.Float64()*0.8*float64(b.unbroken)), signal)
		b.tidy()
		if status.ExitStatus() == 0 {
			b.finished()
			b.remove(b.output)
			b.remove(b.checkpoint)
			continue
		}
		if status.Signaled() {
			continue
		}
		b.interrupted++
		if _, err := os.Stat(b.output); err == nil { // the signal came after the output had its name: it must be whole
			b.finished()
			b.remove(b.output)
			b.remove(b.checkpoint)
		}
		longest = max(longest, took)
		if took > time.Second {
			slow++
		}
	}
	t.Logf("%d interruptions, the longest took %v", b.interrupted, longest)
	if slow > b.interrupted/2 { // a busy machine may delay some
		t.Errorf("%d of %d took more than a second, the longest %v", slow, b.interrupted, longest)
	}
}
