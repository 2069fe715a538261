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
	kernels, err := s.kernels(BFS, nil) // calls are complete
	if err != nil {
		return nil, err
	}
	buffers := make([]Buffer, 5) // Ptr, Adj, State, Fresh, Open
	for i, content := range [][]byte{offsets(g), bytesOf(g.Targets), bytesOf(state), bytesOf(state), make([]byte, 4)} {
		if buffers[i], err = s.device.Allocate(max(len(content), unused)); err != nil {
			return nil, err
		}
		defer s.device.Free(buffers[i])
		if err := s.device.Write(buffers[i], 0, content); len(content) > 0 && err != nil {
			return nil, err
		}
	}
	call := independentRound{uint32(n), buffers[0], buffers[1], buffers[2], buffers[3], buffers[4]}
	for open := []uint32{1}; open[0] != 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		open[0] = 0
		if err := s.device.Write(call.Open, 0, bytesOf(open)); err != nil {
			return nil, err
		}
		if err := kernels.run(call, s.groups(n), s.group); err != nil {
			return nil, err
		}
		if err := s.device.Read(call.Open, 0, bytesOf(open)); err != nil {
			return nil, err
		}
		call.State, call.Fresh = call.Fresh, call.State
	}
	if n == 0 {
		return state, nil
	}
	if err := s.device.Read(call.State, 0, bytesOf(state)); err != nil {
		return nil, err
	}
	for v, s := range state {
		state[v] = s / in
	}
	return state, nil
}
