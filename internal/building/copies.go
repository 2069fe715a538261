package building

import (
	"context"

	"bcstage/internal/csr"
)

// Copies says how many edges of the least length joined two vertices in the input: paths by each count where repeated edges
// are kept.
type Copies struct {
	graph *csr.Graph
	of    []uint32 // by arc, as EdgeList.Of
	twice bool
}

// Twice reports whether every edge is there twice, as in files that list it at both of its ends.
func (c *Copies) Twice() bool { return c.twice }

// Count is how many edges run from u to v, which an arc joins.
func (c *Copies) Count(u, v uint32) int { return int(c.of[edgeArc(c.graph, u, v)]) }

// countCopies counts the rows that a graph was made of, by their arcs and all together. longer says, by bit, which of them
// have another length than their edge.
func countCopies(ctx context.Context, g *csr.Graph, chunks []pairs, longer []uint64, threads int) (c *Copies, total int64, err error) {
	c = &Copies{graph: g, of: make([]uint32, len(g.Targets))}
	err = eachRow(ctx, g, chunks, threads, func(row int, _, _ uint32, arc int64) error {
		if arc >= 0 && !marked(longer, row) {
			c.of[arc]++
		}
		return nil
	})
	c.twice = true
	for _, count := range c.of {
		total += int64(count)
		c.twice = c.twice && (count == 0 || count == 2)
	}
	return c, total, err
}

// marked tells whether a row is, by bit; none of nil is.
func marked(rows []uint64, row int) bool { return rows != nil && rows[row/64]>>(row%64)&1 != 0 }
