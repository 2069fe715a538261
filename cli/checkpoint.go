package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/pipeline"
)

// checkpoint sets what --checkpoint, --checkpoint-interval, --resume and
// --shard ask for.
//
// A checkpoint that is there is work of perhaps days: without --resume it is
// not written over.
func (p *process) checkpoint(c *urfave.Context, opts *pipeline.Options) error {
	if text := c.String("shard"); text != "" {
		var err error
		if opts.Shard, err = pipeline.ParseShard(text); err != nil {
			return err
		}
	}
	path := c.String("checkpoint")
	switch {
	case path == "" && c.Bool("resume"):
		return usagef(c.Command, "--resume needs --checkpoint")
	case path == "":
		return nil
	case path == "-":
		return usagef(c.Command, "--checkpoint needs a file")
	case sameFile(path, c.String("output")):
		return usagef(c.Command, "--checkpoint and --output name the same file")
	case sameFile(path, c.String("stats")):
		return usagef(c.Command, "--checkpoint and --stats name the same file")
	case c.Duration("checkpoint-interval") <= 0:
		return usagef(c.Command, "--checkpoint-interval %v: want more than 0", c.Duration("checkpoint-interval"))
	}
	switch info, err := p.stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: no regular file", path)
	case !c.Bool("resume"):
		return &usageError{path + " is there already", "--resume goes on from it; without that, remove it first"}
	default:
		table, err := p.readPartial(c.Context, path)
		if err != nil {
			return err
		}
		opts.Resume = &table
	}
	if err := p.writable(c.Context, path); err != nil {
		return err
	}
	removeLeftovers(path)
	opts.SaveInterval = c.Duration("checkpoint-interval")
	opts.Save = func(t arrowio.Table) error {
		p.saving.Lock()
		defer p.saving.Unlock()
		// Not the command's context: the last checkpoint is written when that has ended.
		ctx := context.WithoutCancel(c.Context)
		return p.place(ctx, path, false, func(w io.Writer) error { return arrowio.Write(ctx, w, arrowio.FormatArrowFile, t) })
	}
	return nil
}

func (p *process) readPartial(ctx context.Context, path string) (arrowio.Table, error) {
	return arrowio.ReadTable(ctx, p.inputs(arrowio.Options{Paths: []string{path}, Stdin: p.stdin}))
}
