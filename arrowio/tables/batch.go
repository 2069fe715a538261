package tables

import (
	"encoding/json"

	"bcstage/arrowio/internal/lengths"
)

// Batch is some consecutive edges: row i joins Src[i] and Dst[i]. Vertices, if any,
// are ids that exist with or without an edge (METIS rows, a vertex table); they count
// as seen before the batch's edges. Declared, if not 0, is the number of such ids in
// this batch and later ones, from a header, so that a receiver can refuse early.
//
// By, if there are several graphs, has the columns that name the graph: a row per edge
// or, in a batch without edges, per vertex. Side, if the graph is bipartite, has a
// value per vertex of Vertices. Batches may share columns of By, which must not be
// written to. A batch with By or Side has edges or vertices, not both.
type Batch struct {
	Src, Dst Keys
	Vertices Keys
	Declared int64
	By       []Keys
	BothWays bool    // every edge is two arcs, where directions count: the format has edges or mirror images
	Side     []uint8 // 0: the vertex is a source of edges; 1: a destination

	// Kept has the columns of Options.Keep, in a batch of a vertex table: a row per
	// vertex, with the types of Summary.Kept. Beside edges it has those of
	// Options.EdgeKeep, a row per edge, with the types of Summary.EdgeKept. Release
	// takes them back.
	Kept []KeptValues

	// Ways says how each edge runs, if Options.OneWay is set: 1 from Src to Dst, -1
	// from Dst to Src, 0 both ways.
	Ways []int8

	// Weights are the lengths of the edges, if Options.Weight is set.
	Weights Weights

	release func()
}

// OnRelease makes Release call this first, for sources that use buffers again.
func (b *Batch) OnRelease(this func()) {
	before := b.release
	b.release = func() {
		this()
		if before != nil {
			before()
		}
	}
}

// Release gives the batch's buffers back. Call it once.
func (b *Batch) Release() {
	if b.release != nil {
		b.release()
		b.release = nil
	}
}

// Summary describes the input that was read.
type Summary struct {
	IDs          IDType
	By           []GroupColumn // the columns of Batch.By
	Kept         []GroupColumn // the columns of Batch.Kept
	EdgeKept     []GroupColumn // the columns of Batch.Kept beside edges
	Geo          Geo           // GeoParquet's descriptions of the geometries among Kept
	EdgeGeo      Geo           // the same of EdgeKept
	Unused       []string      // columns of edges that were not read: their names, or numbers in text without a header
	Files        int
	Rows         int64    // edges sent, before symmetrising
	NullsDropped int64    // rows dropped by the null policy
	Notes        []string // facts that a user may like to know, one line each
	Warnings     []string // facts that may change the answer from the one the user expects, one line each
}

// GroupColumn is the name and type of a column of Options.By, Keep or EdgeKeep, as
// found in the inputs.
type GroupColumn struct {
	Name string
	Type IDType
}

// Geo is GeoParquet's description of columns, by name: a JSON object, whose members
// hold for any rows of the column.
type Geo map[string]json.RawMessage

// Weights is the column of lengths of a batch, as decimal numbers: people and most
// tables write them so. Row i is Digits[i] * 10^Exponents[i], Digits at least 1.
// Exponents is nil if all are 0. A float64 becomes the shortest decimal number that
// reads as the same.
//
// High is nil if all Digits fit. Otherwise the digits of row i are High[i] * 2^64 +
// uint64(Digits[i]), a number of up to 38 digits. Longer input is rounded.
type Weights = lengths.Weights
