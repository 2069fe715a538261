package cli

import (
	"context"
	"fmt"
	"io"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cli/internal/figures"
	"bcstage/pipeline"
)

func (p *process) whatIfCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "whatif",
		Usage:     "measure a graph without some edges or vertices",
		ArgsUsage: "[FILES...]",
		Description: `Reads edges, or a prepared graph, and writes what is left without the edges of
--remove-edges or the vertices of --remove-vertices: one row, or with --each a
row for every one of them, removed by itself. Columns are the total and the
largest betweenness of a vertex, "reach", the ordered pairs of which one reaches
the other, and the mean distance of these. With --origins or --destinations they
are the total and the largest flow, and "routed", what has a path. Beside each,
"_change" says by how much it is more than before. A removed edge goes with its
parallels.`,
		UsageText: `bcstage whatif roads.csv --weight metres --remove-edges closed.csv -o left.csv
bcstage whatif graph.bcg --remove-vertices servers.csv --each --format csv`,
		Action: p.whatIf,
	}
}

func (p *process) whatIf(c *urfave.Context) error {
	if (c.String("remove-edges") == "") == (c.String("remove-vertices") == "") {
		return usagef(c.Command, "want either --remove-edges or --remove-vertices")
	}
	opts, err := p.options(c)
	if err != nil {
		return err
	}
	removed, err := p.removed(c, opts)
	if err != nil {
		return err
	}
	out, err := p.rowsOf(c)
	if err != nil {
		return err
	}
	progress := p.progress(c, &opts)
	defer progress.end()
	found, err := pipeline.WhatIf(c.Context, opts, removed, c.Bool("each"), func(ctx context.Context, t tables.Table) error {
		progress.end()
		return p.create(ctx, out.path, compressed(out.path, func(w io.Writer) error { return arrowio.Write(ctx, w, out.format, t) }))
	})
	progress.end()
	p.tell(found)
	if err != nil {
		return err
	}
	if err := out.writeStats(c.Context, found); err != nil {
		return err
	}
	if progress.wanted() {
		rows := found.WhatIf
		p.console.note(fmt.Sprintf("%s rows, %s of them by searches of some blocks, in %s", figures.Grouped(int64(rows.Rows)), figures.Grouped(int64(rows.ByBlock)), figures.Seconds(found.Seconds.Total)),
			"rows", rows.Rows, "by_block", rows.ByBlock, "seconds", found.Seconds.Total)
	}
	return nil
}

// removed reads what is removed. Edges have the columns of the edges that they are removed from.
func (p *process) removed(c *urfave.Context, opts pipeline.Options) (*pipeline.Removed, error) {
	if path := c.String("remove-vertices"); path != "" {
		files, err := p.second(c, "remove-vertices", path, opts.Files.Budget)
		if err != nil {
			return nil, err
		}
		return pipeline.ReadRemovedVertices(c.Context, arrowio.ReadIDs, files)
	}
	files, err := p.second(c, "remove-edges", c.String("remove-edges"), opts.Files.Budget)
	if err != nil {
		return nil, err
	}
	files.Src, files.Dst = opts.Files.Src, opts.Files.Dst
	return pipeline.ReadRemovedEdges(c.Context, arrowio.Read, files)
}
