package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// abandoned is a process whose command is abandoned after a signal, and that
// command's outcome.
func abandoned() (*process, context.Context, chan error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(interrupted{syscall.SIGTERM})
	return &process{}, ctx, make(chan error, 1)
}

// A command that ends after all, while it is being left, has its own outcome.
func TestAbandonOneThatEnds(t *testing.T) {
	for _, outcome := range []error{nil, errors.New("its own")} {
		p, ctx, done := abandoned()
		done <- outcome
		if err := p.abandon(ctx, done); err != outcome {
			t.Errorf("error %v, want %v", err, outcome)
		}
	}
}

// One that does not end has the signal's, and nothing gets its name any more.
func TestAbandonOneThatHangs(t *testing.T) {
	p, ctx, done := abandoned()
	part := filepath.Join(t.TempDir(), "part")
	if err := os.WriteFile(part, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.files.add(part, func() { os.Remove(part) })
	if err := p.abandon(ctx, done); exitCode(ctx, err) != 143 {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(part); !os.IsNotExist(err) {
		t.Errorf("left behind: %v", err)
	}
	if err := p.files.rename(part, part+" named", true); err == nil {
		t.Error("a file got its name afterwards")
	}
}

// When the scores have their name, what comes after them gets its own, and the
// outcome is that of all.
func TestAbandonAfterTheScores(t *testing.T) {
	p, ctx, done := abandoned()
	folder := t.TempDir()
	scores, stats := filepath.Join(folder, "scores"), filepath.Join(folder, "stats")
	for _, path := range []string{scores, stats} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		p.files.add(path, func() { os.Remove(path) })
	}
	if err := p.files.rename(scores, scores+" named", true); err != nil {
		t.Fatal(err)
	}
	go func() { done <- p.files.rename(stats, stats+" named", true) }()
	if err := p.abandon(ctx, done); err != nil {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(stats + " named"); err != nil {
		t.Error(err)
	}
}

// A checkpoint that is being written gets its name first.
func TestAbandonWaitsForTheCheckpoint(t *testing.T) {
	p, ctx, done := abandoned()
	part := filepath.Join(t.TempDir(), "part")
	if err := os.WriteFile(part, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p.files.add(part, func() { os.Remove(part) })
	p.saving.Lock()
	go func() {
		defer p.saving.Unlock()
		if err := p.files.rename(part, part+" named", false); err != nil {
			t.Error(err)
		}
	}()
	if err := p.abandon(ctx, done); exitCode(ctx, err) != 143 {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(part + " named"); err != nil {
		t.Error(err)
	}
}
