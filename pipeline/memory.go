package pipeline

import (
	"fmt"
	"sync/atomic"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/pipeline/internal/machine"
)

// AvailableMemory is how many bytes this process may still take, by what the
// machine and its control groups have left; 0 when that is not known. It is the
// default of Options.Memory, which bounds what is alive: who wants garbage bounded
// too tells the runtime (debug.SetMemoryLimit), as the command does.
func AvailableMemory() int64 { return machine.Available() }

// allowance is the memory that a run may take.
type allowance struct {
	memory  int64        // limit in bytes
	sets    int64        // of it, what the ids of Options.Sources and Targets hold
	reading atomic.Int64 // most bytes that reading and reducing were found to need
}

// need refuses what passes the limit, before it is taken. Who is refused may ask for less.
func (a *allowance) need(bytes int64, what string) error {
	if bytes += a.sets; bytes > a.memory {
		return fmt.Errorf("%w: %s are needed to %s, %s may be used", ErrMemory, bytesText(bytes), what, bytesText(a.memory))
	}
	a.reading.Store(max(a.reading.Load(), bytes))
	return nil
}

// named is the memory of what names the vertices, with the columns of their table, of the
// ids of sets, and of the names of graphs that statistics list.
func (r *run) named(of *names) int64 {
	return of.held() + of.listed() + r.in.kept.held(of.IDs.Len()) + r.in.rows.held(nil) + r.sets + r.update.held()
}

// bytesText is a size for people.
func bytesText(n int64) string { return budget.Text(n) }

// graphBytes is what a graph's arrays take.
func graphBytes(g *csr.Graph) int64 {
	if g == nil {
		return 0
	}
	return 8*int64(len(g.Offsets)+len(g.Lengths)) + 4*int64(len(g.Targets)) + graphBytes(g.In)
}
