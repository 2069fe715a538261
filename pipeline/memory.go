package pipeline

import (
	"fmt"
	"sync/atomic"

	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/internal/spill"
	"bcstage/pipeline/internal/machine"
)

// AvailableMemory returns the bytes that this process may still take, by the limits of the machine
// and its control groups; 0 if unknown. It is the default of Options.Memory, which bounds live
// memory. To bound garbage too, call debug.SetMemoryLimit, as the command does.
func AvailableMemory() int64 { return machine.Available() }

// allowance is the memory that a run may take.
type allowance struct {
	memory  int64        // limit in bytes
	sets    int64        // of it, held by the ids of Options.Sources and Targets
	reading atomic.Int64 // the largest need of reading and reducing
	files   *spill.Files // for edges beyond the limit; nil: the system has none
}

// need refuses bytes beyond the limit before they are taken. The caller may then ask for less.
func (a *allowance) need(bytes int64, what string) error {
	if bytes += a.sets; bytes > a.memory {
		return fmt.Errorf("%w: %s are needed to %s, %s may be used", ErrMemory, budget.Text(bytes), what, budget.Text(a.memory))
	}
	a.reading.Store(max(a.reading.Load(), bytes))
	return nil
}

// holding returns a function that changes a table's memory in the budget to so many bytes. told says in errors how far reading
// the table has come.
func holding(room *tables.Budget, told func() string) func(bytes int64) error {
	held := int64(0)
	return func(bytes int64) error {
		if err := room.Hold(bytes - held); err != nil {
			return fmt.Errorf("%s: %w", told(), err)
		}
		held = bytes
		return nil
	}
}

// named is the memory of the vertices' names and the columns of their table, of the ids of sets,
// and of the graphs' names in statistics.
func (in *intake) named(of *names) int64 {
	return of.held() + of.listed() + in.kept.held(of.IDs.Len()) + in.rows.held(nil) + in.sets
}

// named is that of intake, with the update.
func (p *planner) named(of *names) int64 { return p.in.named(of) + p.update.held() }

// graphBytes is the memory of a graph's arrays.
func graphBytes(g *csr.Graph) int64 {
	if g == nil {
		return 0
	}
	return 8*int64(len(g.Offsets)+len(g.Lengths)) + 4*int64(len(g.Targets)) + graphBytes(g.In)
}
