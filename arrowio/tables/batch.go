package tables

import (
	"encoding/json"

	"bcstage/arrowio/internal/lengths"
)

// Batch is some consecutive edges: row i joins Src[i] and Dst[i]. Vertices, if
// any, are ids that exist with or without an edge (METIS rows, a vertex table);
// they count as seen before the batch's edges. Declared, if not 0, is how many
// such ids this batch and those that follow it will bring, as a header says, so
// that a receiver can refuse before they come.
//
// By, if edges are of several graphs, are columns that name the graph: a row per
// edge or, in a batch without edges, per vertex. Side, if the graph is bipartite,
// has a value per vertex of Vertices. Columns of By may be shared by batches, and
// are not to be written to. A batch with By or Side has edges or
// vertices, not both.
type Batch struct {
	Src, Dst Keys
	Vertices Keys
	Declared int64
	By       []Keys
	BothWays bool    // every edge is two arcs, if directions count: the format has edges or mirror images
	Side     []uint8 // 0: the vertex is one that edges call their source; 1: destination

	// Kept are the columns of Options.Keep, in a batch of a vertex table: a row per
	// vertex, of the types of Summary.Kept; or those of Options.EdgeKeep, a row per edge,
	// of Summary.EdgeKept. Release takes them back.
	Kept []KeptValues

	// Ways says how each edge runs, if Options.OneWay asks for it: 1 from Src to Dst, -1 from Dst to Src, 0 both ways.
	Ways []int8

	// Weights are the lengths of the edges, if Options.Weight asks for them.
	Weights Weights

	release func()
}

// OnRelease has release do this, before what it does already.
func OnRelease(b *Batch, this func()) {
	before := b.release
	b.release = func() {
		this()
		if before != nil {
			before()
		}
	}
}

// Release gives the batch's buffers back. Call once.
func (b *Batch) Release() {
	if b.release != nil {
		b.release()
		b.release = nil
	}
}

// Summary is what was read.
type Summary struct {
	IDs          IDType
	By           []GroupColumn // what the columns of Batch.By are
	Kept         []GroupColumn // what the columns of Batch.Kept are
	EdgeKept     []GroupColumn // what the columns of Batch.Kept beside edges are
	Geo          Geo           // what Parquet files say of the geometries among Kept
	EdgeGeo      Geo           // the same of EdgeKept
	Unused       []string      // columns of edges that were not read: their names, or numbers in text without a header
	Files        int
	Rows         int64    // edges sent, before symmetrising
	NullsDropped int64    // rows dropped by the null policy
	Notes        []string // what a user may like to know, one line each
	Warnings     []string // what may make the answer another than the user expects, one line each
}

// GroupColumn is the name and type of a column of Options.By, Keep or EdgeKeep, as it was
// found in the inputs.
type GroupColumn struct {
	Name string
	Type IDType
}

// Geo is what GeoParquet says of columns, by name: an object of JSON, whose members speak
// of any rows of the column.
type Geo map[string]json.RawMessage

// Weights is the column of lengths of a batch, as decimal numbers, which is how
// people and most tables write them: row i is Digits[i] * 10^Exponents[i], Digits
// at least 1. Exponents is nil if all are 0. A float64 is the shortest decimal number
// that reads as the same.
//
// High is nil if all Digits fit; else row i has (High[i] * 2^64 + uint64(Digits[i]))
// in their place, a number of up to 38 digits. One that was written with more is rounded.
type Weights = lengths.Weights
