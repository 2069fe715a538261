package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/cli/internal/objectstore"
	"bcstage/gpu"
	"bcstage/internal/gpu/searches"
	"bcstage/pipeline"
)

func TestExitCode(t *testing.T) {
	running := context.Background()
	signalled := func(s os.Signal) context.Context {
		ctx, cancel := context.WithCancelCause(running)
		cancel(interrupted{s})
		return ctx
	}
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want int
	}{
		{running, nil, 0},
		{signalled(os.Interrupt), nil, 0}, // done before the signal took effect
		{running, errors.New("anything"), 1},
		{running, fs.ErrNotExist, 5},
		{running, outputFailed(fs.ErrNotExist), 1}, // the folder of an output
		{running, fs.ErrPermission, 1},
		{running, objectstore.ErrUnreachable, 6},
		{running, outputFailed(objectstore.ErrUnreachable), 6},
		{running, fmt.Errorf("%w: %w", tables.ErrCorrupt, objectstore.ErrUnreachable), 6}, // it seems to end early
		{running, pipeline.ErrMemory, 7},
		{running, pipeline.ErrVerify, 1},
		{running, pipeline.ErrPartial, 3},
		{running, &usageError{"wrong", ""}, 2},
		{running, tables.ErrUsage, 2},
		{running, pipeline.ErrOptions, 2},
		{running, gpu.ErrOptions, 2},
		{running, tables.ErrInput, 3},
		{running, tables.ErrCorrupt, 3},
		{running, pipeline.ErrTooLarge, 3},
		{running, searches.ErrProblem, 3},
		{running, searches.ErrRange, 3},
		{running, searches.ErrDiffers, 1},
		{running, gpu.ErrNoDevice, 4},
		{running, gpu.ErrNotBuilt, 4},
		{running, gpu.ErrDevice, 1},
		{signalled(syscall.SIGHUP), context.Canceled, 129},
		{signalled(os.Interrupt), context.Canceled, 130},
		{signalled(syscall.SIGTERM), errors.New("whatever the signal broke"), 143},
	} {
		err := c.err
		if err != nil {
			err = fmt.Errorf("pipeline: somewhere: %w", err)
		}
		if got := exitCode(c.ctx, err); got != c.want {
			t.Errorf("%v: %d, want %d", c.err, got, c.want)
		}
	}
}

// Errors of the packages as users see them: one line, no package names, no system calls, the file
// once.
func TestDescribe(t *testing.T) {
	missing := &fs.PathError{Op: "open", Path: "a b.csv", Err: syscall.ENOENT}
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("pipeline: arrowio: edges.parquet: row group 3: bad"), "edges.parquet: row group 3: bad"},
		{errors.New("gpu.csv: gpu: not mine"), "gpu.csv: gpu: not mine"},
		{errors.New("two\nlines"), "two lines"},
		{missing, "a b.csv: no such file or directory"},
		{fmt.Errorf("arrowio: %w", missing), "a b.csv: no such file or directory"},
		{fmt.Errorf("arrowio: a b.csv: %w", missing), "a b.csv: no such file or directory"},
	} {
		if got := describe(c.err); got != c.want {
			t.Errorf("%q: %q, want %q", c.err, got, c.want)
		}
	}
}
