package pipeline

import (
	"fmt"

	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/pipeline/internal/machine"
	"bcstage/preprocess"
)

// AvailableMemory is how many bytes this process may still take, by what the
// machine and its control groups have left; 0 when that is not known. It is the
// default of Options.Memory, which bounds what is alive: who wants garbage bounded
// too tells the runtime (debug.SetMemoryLimit), as the command does.
func AvailableMemory() int64 { return machine.Available() }

// need refuses what passes the limit, before it is taken. Who is refused may ask for less.
func (r *run) need(bytes int64, what string) error {
	if bytes += r.sets; bytes > r.memory {
		return fmt.Errorf("%w: %s are needed to %s, %s may be used", ErrMemory, bytesText(bytes), what, bytesText(r.memory))
	}
	r.reading.Store(max(r.reading.Load(), bytes))
	return nil
}

// checkBatch refuses a batch with which the input cannot fit: because of what
// numbering it takes and building the graph will, or because its vertices alone
// are too many to be reduced. expected is how many vertices it brings: those that
// a header has announced and that have not come yet, or as many as the batch
// before it has brought.
func (r *run) checkBatch(builder *building.Builder, batch tables.Batch, expected int) error {
	rows := batch.Src.Len()
	vertices := builder.Vertices() + max(expected, batch.Vertices.Len())
	bytes := max(builder.Bytes(vertices-builder.Vertices(), rows), preprocess.ReduceBytes(vertices, 0)) + r.keptWith(vertices, batch)
	if err := r.need(bytes, "read and reduce it"); err != nil {
		if batch.Declared > 0 {
			return fmt.Errorf("%d vertices that a header declares: %w", batch.Declared, err)
		}
		return r.afterSoMuch(builder, err)
	}
	return r.hold(builder, builder.Adding(vertices-builder.Vertices(), rows)+r.keptWith(vertices, batch))
}

// keptWith is the memory of columns that are kept once a batch has been added that makes it so many vertices.
func (r *run) keptWith(vertices int, batch tables.Batch) int64 {
	if batch.Src.Len() > 0 {
		return r.kept.held(vertices) + r.rows.held(batch.Kept)
	}
	return r.kept.heldWith(vertices, batch.Kept) + r.rows.held(nil)
}

func (r *run) afterSoMuch(builder *building.Builder, err error) error {
	return fmt.Errorf("after %d edges and %d vertices: %w", r.edgesRead.Load(), builder.Vertices(), err)
}

// hold tells readers what the tables of vertices and the edges hold now.
func (r *run) hold(builder *building.Builder, bytes int64) error {
	if err := r.opts.Files.Budget.Hold(bytes - r.tables); err != nil {
		return r.afterSoMuch(builder, err)
	}
	r.tables = bytes
	return nil
}

// named is the memory of what names the vertices, with the columns of their table, of the
// ids of sets, and of the names of graphs that statistics list.
func (r *run) named(of *names) int64 {
	return of.held() + of.listed() + r.kept.held(of.IDs.Len()) + r.rows.held(nil) + r.sets + r.update.held()
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
