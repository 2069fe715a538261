package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli/internal/objectstore"
	"bcstage/pipeline"
)

// checkpoint applies --checkpoint, --checkpoint-interval, --resume and --shard.
//
// An existing checkpoint may be the work of days: without --resume it is not overwritten. With it,
// one command line serves night after night. After a finished run there is no checkpoint; after an
// interrupted one the run continues; if the edges have changed since, it starts anew and says so.
func (p *process) checkpoint(c *urfave.Context, opts *pipeline.Options) error {
	if text := c.String("shard"); text != "" {
		var err error
		if opts.Shard, err = pipeline.ParseShard(text); err != nil {
			return err
		}
	}
	path, resume := c.String("checkpoint"), c.String("resume")
	wanted := resume == "true" || resume == "strict"
	switch {
	case path == "" && wanted:
		return usagef(c.Command, "--resume needs --checkpoint")
	case path == "":
		return nil
	case path == "-":
		return usagef(c.Command, "--checkpoint needs a file")
	case c.Duration("checkpoint-interval") <= 0:
		return usagef(c.Command, "--checkpoint-interval %v: want more than 0", c.Duration("checkpoint-interval"))
	}
	switch info, err := p.stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: not a regular file", path)
	case !wanted:
		return &usageError{path + " exists already", "--resume continues it; to start anew, remove it"}
	default:
		table, err := p.readPartial(c.Context, path, c.Int("threads"))
		if err != nil {
			return err
		}
		opts.Resume, opts.Anew = &table, resume != "strict"
		p.saved.Store(&path)
	}
	if err := p.writable(c.Context, path); err != nil {
		return err
	}
	opts.SaveInterval = c.Duration("checkpoint-interval")
	opts.Save = func(t tables.Table) error {
		p.saving.Lock()
		defer p.saving.Unlock()
		// Not the command's context: the last checkpoint is written after that has ended.
		ctx := context.WithoutCancel(c.Context)
		err := p.place(ctx, path, false, func(w io.Writer) error { return arrowio.Write(ctx, w, arrowio.FormatArrowFile, t) })
		if err == nil {
			p.saved.Store(&path)
		}
		return err
	}
	return nil
}

// delivered removes the checkpoint of a run that has written everything.
func (p *process) delivered(c *urfave.Context) {
	path := c.String("checkpoint")
	if path == "" || c.Bool("keep-checkpoint") {
		return
	}
	var err error
	if object, ok := objectstore.Name(path); ok {
		err = p.objects.Remove(context.WithoutCancel(c.Context), object)
	} else {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a graph without work to do saves none
		p.console.warn("the checkpoint could not be removed: " + describe(err))
	}
}

// goOn returns advice for a run that has failed or was interrupted with a checkpoint in place; ""
// if there is none.
func (p *process) goOn() string {
	path := p.saved.Load()
	if path == nil {
		return ""
	}
	return *path + " holds the finished work; the same command with --resume continues it"
}

func (p *process) readPartial(ctx context.Context, path string, threads int) (tables.Table, error) {
	return arrowio.ReadTable(ctx, p.inputs(tables.Options{Paths: []string{path}, Stdin: p.stdin, Threads: threads}))
}
