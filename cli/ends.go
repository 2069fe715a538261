package cli

import (
	"fmt"
	"strconv"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio/tables"
	"bcstage/cli/internal/report"
)

// endsOf finds the ends of scored edges in the table of vertices at a path. One run wrote both tables, so an end and a
// vertex have the same columns: those of the graph, before the two ends, and those of the vertex.
func (p *process) endsOf(c *urfave.Context, edges *tables.Table, path string) (*report.Ends, error) {
	if edges.Floats(tables.EdgeScoreColumn) == nil {
		return nil, usagef(c.Command, "%s: --vertices is for scores of edges; scores of vertices have their own places", c.Args().First())
	}
	vertices, err := p.readPartial(c.Context, path, c.Int("threads"))
	if err != nil {
		return nil, err
	}
	names, format := vertices.Names()
	named := func(format func(text []byte, column, row int) []byte, row int, column func(i int) int) string {
		var text []byte
		for i := range names {
			text = strconv.AppendQuote(text, string(format(nil, column(i), row)))
		}
		return string(text)
	}
	ends := &report.Ends{Kept: keptOf(&vertices), Count: vertices.IDs.Len()}
	rows := make(map[string]int, ends.Count)
	for row := range ends.Count {
		rows[named(format, row, func(i int) int { return i })] = row
	}
	both, format := edges.Names()
	own := len(both) - len(names) // columns of one end
	found := false
	for end := range ends.Rows {
		for row := range edges.IDs.Len() {
			if own < 1 || own > len(names) {
				break
			}
			at, known := rows[named(format, row, func(i int) int {
				if i < len(names)-own {
					return i
				}
				return i + end*own
			})]
			if !known {
				at = -1
			}
			found = found || known
			ends.Rows[end] = append(ends.Rows[end], at)
		}
	}
	if !found {
		return nil, fmt.Errorf("%w: %s: contains no end of any edge of %s: different graphs", tables.ErrInput, path, c.Args().First())
	}
	return ends, nil
}
