package searches

import (
	"context"
	"fmt"

	"bcstage/internal/csr"
)

// independentRound is the call of kernels/independent.cl.
type independentRound struct {
	N                            uint32
	Ptr, Adj, State, Fresh, Open Buffer
}

// Independent finds the same maximal independent set of an undirected graph as
// preprocess.Reduce: by vertex, 1 for its members, else 0. It uses the same rounds:
// each reads the rows of all undecided vertices, O(log^2 n) rounds with high
// probability. It checks nothing: the caller must. Memory on the device: 4(3n + m)
// bytes for n vertices and m arcs. The error is ErrProblem, for too many arcs, the
// context's, or the device's.
func (s *Searches) Independent(ctx context.Context, g *csr.Graph) ([]uint32, error) {
	const (
		undecided = iota
		out
		in
	)
	if int64(len(g.Targets)) > maxArcs {
		return nil, fmt.Errorf("searches: %w: %d arcs, at most %d", ErrProblem, len(g.Targets), int64(maxArcs))
	}
	n := g.Vertices()
	state := make([]uint32, n)
	buffers := make(map[string]Buffer)
	c, err := s.commands(BFS, func(name string) (Buffer, error) { return buffers[name], nil })
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{"Ptr": offsets(g), "Adj": bytesOf(g.Targets), "State": bytesOf(state), "Fresh": bytesOf(state), "Open": make([]byte, 4)} {
		if buffers[name], err = s.device.Allocate(max(len(content), unused)); err != nil {
			return nil, err
		}
		defer s.device.Free(buffers[name])
		if len(content) > 0 {
			c.write(name, content)
		}
	}
	now, next := "State", "Fresh"
	for open := []uint32{1}; open[0] != 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		open[0] = 0
		c.write("Open", bytesOf(open))
		c.all(independentRound{N: uint32(n), State: buffers[now], Fresh: buffers[next]}, n)
		c.read("Open", bytesOf(open))
		now, next = next, now
	}
	if n > 0 {
		c.read(now, bytesOf(state))
	}
	for v, s := range state {
		state[v] = s / in
	}
	return state, c.err
}
