package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// abandoned returns a process whose command is abandoned after a signal, and the channel of that
// command's outcome.
func abandoned() (*process, context.Context, chan error) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(interrupted{syscall.SIGTERM})
	return &process{}, ctx, make(chan error, 1)
}

// unfinishedFile is an output of the process that has no name yet.
func unfinishedFile(t *testing.T, p *process, path string) string {
	t.Helper()
	file, err := p.files.temporary(path, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Name()
}

// A command that ends soon after a signal has its own outcome. One that does not is abandoned
// within a second, unless it has delivered a result.
func TestAwait(t *testing.T) {
	own := errors.New("its own")
	for name, c := range map[string]struct {
		ends      time.Duration // after the signal; 0: never
		delivered bool
		took      time.Duration
		code      int
	}{
		"soon":              {ends: grace - 1, took: grace - 1, code: 143},
		"never":             {took: grace, code: 143},
		"slowly, delivered": {ends: grace + savingGrace - 1, delivered: true, took: grace + savingGrace - 1, code: 143},
		"never, delivered":  {delivered: true, took: grace + savingGrace, code: 143},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &process{}
				p.files.delivered = c.delivered
				ctx, cancel := context.WithCancelCause(t.Context())
				signals, done := make(chan os.Signal, 1), make(chan error, 1)
				if c.ends > 0 {
					go func() {
						<-ctx.Done()
						time.Sleep(c.ends)
						done <- own
					}()
				}
				time.Sleep(time.Hour) // nothing has happened so far
				began := time.Now()
				signals <- syscall.SIGTERM
				err := p.await(ctx, cancel, signals, done)
				if took := time.Since(began); took != c.took || errors.Is(err, own) != (c.ends > 0) || exitCode(ctx, err) != c.code {
					t.Errorf("%v after %v, want it after %v", err, took, c.took)
				}
			})
		})
	}
	if grace >= time.Second {
		t.Errorf("a command may take %v to end", grace)
	}
}

// A command that ends while it is being abandoned has its own outcome.
func TestAbandonOneThatEnds(t *testing.T) {
	for _, outcome := range []error{nil, errors.New("its own")} {
		p, ctx, done := abandoned()
		done <- outcome
		if err := p.abandon(ctx, done); err != outcome {
			t.Errorf("error %v, want %v", err, outcome)
		}
	}
}

// A command that does not end has the signal's outcome, and no file gets its name any more.
func TestAbandonOneThatHangs(t *testing.T) {
	p, ctx, done := abandoned()
	folder := t.TempDir()
	part := unfinishedFile(t, p, filepath.Join(folder, "scores"))
	if err := p.abandon(ctx, done); exitCode(ctx, err) != 143 {
		t.Errorf("error %v", err)
	}
	if err := p.files.rename(part, part+" named", true); err == nil {
		t.Error("a file got its name afterwards")
	}
	if _, err := p.files.temporary(filepath.Join(folder, "stats"), 0o600); err == nil {
		t.Error("a file was begun afterwards")
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// When the scores have their name, later files get their names, too, and the outcome is the
// command's.
func TestAbandonAfterTheScores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // however long the goroutine waits
		p, ctx, done := abandoned()
		folder := t.TempDir()
		scores := unfinishedFile(t, p, filepath.Join(folder, "scores"))
		stats := unfinishedFile(t, p, filepath.Join(folder, "stats"))
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
	})
}

// An unfinished checkpoint gets its name first.
func TestAbandonWaitsForTheCheckpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ctx, done := abandoned()
		part := unfinishedFile(t, p, filepath.Join(t.TempDir(), "part"))
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
	})
}
