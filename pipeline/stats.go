package pipeline

import (
	"time"

	"bcstage/arrowio/tables"
	"bcstage/internal/engine"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
)

// Stats are the findings and the cost of a run. The command's --stats writes them as one JSON object; the names of the
// keys do not change.
type Stats struct {
	Vertices     int           `json:"n"`
	Edges        int64         `json:"m"`       // arcs of a directed graph
	IDs          tables.IDType `json:"id_type"` // "int64", "utf8", "int32 of utf8" for a dictionary
	EdgesRead    int64         `json:"edges_read"`
	Duplicates   int64         `json:"duplicates_dropped"`
	SelfLoops    int64         `json:"self_loops_dropped"`
	NullsDropped int64         `json:"nulls_dropped"`
	Unused       []string      `json:"ignored_columns,omitempty"` // columns of the edges that were not read; numbers of fields without names
	Lengths      *Lengths      `json:"lengths,omitempty"`         // if paths are measured by lengths
	Files        int           `json:"files"`

	// Sources and Targets, where paths begin, or end, at some vertices only. A run of a prepared graph does not count
	// them again.
	Sources *Ends `json:"sources,omitempty"`
	Targets *Ends `json:"targets,omitempty"`

	// Since, where the run updates the scores of an earlier one: the differences of the graphs, and their cost.
	Since *SinceStats `json:"since,omitempty"`

	// WhatIf, of a table of what becomes of the graph without some of it.
	WhatIf *WhatIfStats `json:"what_if,omitempty"`

	// Demand, where vertices have masses.
	Demand *Demand `json:"demand,omitempty"`

	// Graphs, where the run has several: n, m and all other figures are sums over them.
	Graphs *Graphs `json:"graphs,omitempty"`

	// Reductions are all reductions; each that was off says why. A merge reduces nothing and has none.
	Reductions   []preprocess.Reduction `json:"reductions,omitempty"`
	Components   int                    `json:"components"`
	Folded       int                    `json:"vertices_folded"`
	Blocks       int                    `json:"blocks"`
	LargestBlock int                    `json:"largest_block"`

	Batches int `json:"batches"`
	// Choices say how blocks are searched, and why: on cores, for the blocks that cores would get, and on devices, for
	// the blocks that they accept.
	Choices       []Choice       `json:"choices,omitempty"`
	Resumed       int            `json:"batches_resumed,omitempty"` // from a checkpoint
	Engines       []EngineStat   `json:"engines"`
	DeviceChoices []DeviceChoice `json:"device_choices,omitempty"`
	// Timeline is the progress of the engines: at most 65 points, however long the run.
	Timeline    []TimelinePoint  `json:"timeline,omitempty"`
	Threads     int              `json:"threads"`
	Precision   engine.Precision `json:"precision"`
	Fingerprint string           `json:"fingerprint"`

	// Two figures for the cost of lanes; 2 row loads are ideal.
	FrontierEntriesPerVertexBatch float64 `json:"frontier_entries_per_vertex_batch"`
	RowLoadsPerEdgeBatch          float64 `json:"row_loads_per_edge_batch"` // of counted batches: not those of devices by strategies level and frontier

	// Estimate is the accuracy of the scores where Question.Sample asks for estimates.
	Estimate *Estimate `json:"estimate,omitempty"`

	SelfCheck    SelfCheck     `json:"self_check"`
	Verification *Verification `json:"verification,omitempty"`
	Seconds      Seconds       `json:"seconds"`

	// GTEPS is n*m of the input graph, or its sum over several graphs, per second of computing, in 1e9. For a shard or
	// the rest of a checkpoint, n*m counts by the share of the estimated cost that the run computed. It is absent where
	// nothing was searched.
	GTEPS      float64 `json:"gteps,omitempty"`
	PeakMemory int64   `json:"peak_memory_bytes"`
	InFiles    int64   `json:"bytes_in_files,omitempty"` // edges that did not fit Options.Memory: what went through a file in TMPDIR

	Notes    []string `json:"notes,omitempty"`    // facts that a user may like to know
	Warnings []string `json:"warnings,omitempty"` // reasons why the answer may differ from what the user expects, or the run may cost more
}

// EngineStat is one engine's share of the work.
type EngineStat = sharing.Share

// TimelinePoint is the work that the engines had finished at a moment of the compute stage.
type TimelinePoint = sharing.TimelinePoint

// DeviceChoice is a device's way to search a block, and why.
type DeviceChoice = engine.Choice

// SelfCheck sums up the check of every source (see preprocess.Block).
type SelfCheck = ledger.SelfCheck

// Seconds is wall time by stage. Stages overlap, so they do not sum to Total.
type Seconds struct {
	Read       float64 `json:"read"`
	Build      float64 `json:"build"`
	Reduce     float64 `json:"reduce"`
	DeviceWait float64 `json:"device_wait"` // with EngineGPU: from Reduce until devices are ready
	Compute    float64 `json:"compute"`     // with the transfers of the plan to devices and of scores back
	Restore    float64 `json:"restore"`
	Write      float64 `json:"write"` // for Distances: the time that Compute waited for tables to be taken, and does not count
	Total      float64 `json:"total"`
}

// Info is the result of Inspect.
type Info struct {
	Stats
	EstimatedWork    float64     `json:"estimated_edge_visits"`
	EstimatedSeconds float64     `json:"estimated_seconds"` // on the CPU with Threads
	Device           *DeviceTime `json:"device,omitempty"`  // if devices are demanded
	Plan             string      `json:"plan,omitempty"`    // expected time of each way to estimate the scores, if Question.Sample asks for estimates
	EngineBytes      int64       `json:"engine_bytes"`      // state of all CPU workers
	GraphBytes       int64       `json:"graph_bytes"`       // while computing
	ReadingBytes     int64       `json:"reading_bytes"`     // the largest need of reading and reducing; 0 for a prepared graph that is not reduced again
	MemoryLimit      int64       `json:"memory_limit_bytes"`
}

// Lengths are the statistics of edge lengths.
type Lengths struct {
	Column  string `json:"column"`            // name of the column
	Unit    string `json:"unit"`              // of the whole numbers that lengths became: "1", "10^-6", "2^-46", "2^3"
	Divisor int64  `json:"divisor,omitempty"` // units that make 1 in searches: the greatest common divisor of all; 0: there are no edges
	Equal   bool   `json:"equal"`             // all lengths are equal: paths are measured in edges
	Repeats string `json:"repeats"`           // rule for repeated edges: min, sum, error or keep
	Differ  int64  `json:"repeats_differ"`    // edges that are repeated with another length
	Pruned  int64  `json:"edges_pruned"`      // edges on no shortest path, removed first

	Rounding float64 `json:"largest_rounding_error"` // in the column's own numbers; 0: none is rounded
	Rounded  int64   `json:"rounded_values"`         // lengths that differ from the written number
	Merged   int64   `json:"merged_values"`          // different numbers that rounding made equal
}

// Ends are the statistics of the vertices where paths begin, or end.
type Ends struct {
	IDs      int `json:"ids"`     // given
	Repeats  int `json:"repeats"` // ids given before; each counts once
	Vertices int `json:"vertices"`

	NullsDropped int `json:"nulls_dropped,omitempty"` // rows of the list without an id
}

// Demand are the statistics of masses, as decimal numbers: sums in the numbers of their columns, products in those of
// both. For every two vertices, the product of the mass at the first and the mass at the second counts as Routed if a
// path of any length leads there, otherwise as NoPath; for one vertex twice, as Self. With question.Gravity all three
// sum origins: Routed at the vertices that reach some mass, NoPath at the others, and Self is 0.
type Demand struct {
	Trips        *TripColumn `json:"trips,omitempty"`        // of a table of trips, which all sums then are of
	Origins      *MassColumn `json:"origins,omitempty"`      // absent: every vertex has 1
	Destinations *MassColumn `json:"destinations,omitempty"` // absent: every vertex has 1
	Unit         string      `json:"unit"`                   // of flows: "people x jobs"; 1 stands for masses of 1
	Routed       float64     `json:"routed"`
	NoPath       float64     `json:"no_path"`
	Self         float64     `json:"self"`
	Unknown      float64     `json:"unknown,omitempty"` // trips from or to ids that the graph lacks
}

// MassColumn are the statistics of one column of masses.
type MassColumn struct {
	Column  string  `json:"column"`
	Unit    string  `json:"unit"` // of the whole numbers that masses became: "1", "10^-2", "2^-46"
	Sum     float64 `json:"sum"`
	Missing int     `json:"vertices_missing"`           // in the vertex table; their mass is 0
	Zero    int     `json:"vertices_of_zero"`           // without the missing ones and nulls
	Nulls   int     `json:"vertices_of_null,omitempty"` // in the vertex table; their mass is 0

	Rounding float64 `json:"largest_rounding_error"`
	Rounded  int64   `json:"rounded_values"`
}

// TripColumn are the statistics of a table of trips.
type TripColumn struct {
	Column   string  `json:"column"`
	Unit     string  `json:"unit"` // of the whole numbers that trips became: "1", "10^-2", "2^-46"
	Sum      float64 `json:"sum"`
	Rows     int     `json:"rows"`
	Pairs    int     `json:"pairs"`          // of vertices with trips, also from a vertex to itself
	Unrouted int     `json:"unrouted_pairs"` // without a path
	Unknown  int     `json:"unknown_rows"`   // from or to ids that the graph lacks

	NullsDropped int `json:"nulls_dropped,omitempty"` // rows of the table with a null, which no other figure has

	Rounding float64 `json:"largest_rounding_error"`
	Rounded  int64   `json:"rounded_values"`
}

// mostGraphs is the number of graphs that statistics list.
const mostGraphs = 1000

// Graphs are the statistics of several graphs in one run.
type Graphs struct {
	By    []string `json:"by"`    // columns that name a graph
	Count int      `json:"count"` // graphs in all
	// Largest are up to 1 000 graphs, by most edges, then by most vertices, then in first-seen order: all of them
	// unless Count is more.
	Largest []GraphSize `json:"largest"`
	// Work is the sum of n·m over all graphs, for GTEPS.
	Work float64 `json:"work"`
}

// GraphSize is one of several graphs.
type GraphSize struct {
	Name     []string `json:"name"` // a value per column of Graphs.By, as text
	Vertices int      `json:"n"`
	Edges    int64    `json:"m"` // -1: unknown, as after a merge
}

// Estimate is the accuracy of estimated scores, and how they were made.
type Estimate struct {
	Way        string  `json:"way"`            // sources, sources-raw, pairs or exact; earlier: exact changes of earlier estimates
	Plan       string  `json:"plan,omitempty"` // expected time of each way, where the run chose one
	Seed       uint64  `json:"seed"`
	Confidence float64 `json:"confidence"` // probability that every interval of this and all earlier stages contains its score
	// Eps is the largest of upper - score and score - lower, divided by n(n-1)/2; of a directed graph by n(n-1). With
	// Options.Since it is at most that of the change and that of the earlier scores together.
	Eps float64 `json:"eps"`

	Vertices  int     `json:"vertices"`        // whose scores the reductions and the small blocks do not make exact
	Edges     int     `json:"edges,omitempty"` // likewise, where scores of edges are asked for
	Originals int     `json:"originals"`       // that are these vertices, or hang on them; with masses what these send at most, in units
	Draws     int     `json:"draws"`           // of originals, or of pairs of them
	Sources   int     `json:"sources"`         // that can be searched: originals hang on them
	Searches  int     `json:"searches"`        // from sources, or of pairs
	Settled   float64 `json:"settled"`         // share of the originals whose sources have been searched
	Stages    int     `json:"stages"`

	// Certain counts the vertices that are certain to be among the Certain.Of highest.
	Certain *Certain `json:"certain,omitempty"`
}

// EstimateProgress is an unfinished estimate.
type EstimateProgress struct {
	Estimate
	Goal    float64       // Eps that was asked for; 0: none
	ToGoal  time.Duration // expected time to the goal, at most ToExact
	ToExact time.Duration // expected time to search all sources
}

// Certain is the answer to Question.Sample.Certain.
type Certain struct {
	Places  int  `json:"places"`
	Of      int  `json:"of"`
	Changes bool `json:"changes,omitempty"` // of the largest changes of scores, up or down
}

// Verification is the result of Options.Verify. For each source drawn, a CPU core computes the dependency of every
// vertex, and of every edge if edges have scores; these are compared with the textbook's. The sum of dependencies that
// the run used, on whatever engine, is compared with the textbook's sum.
type Verification struct {
	Sources         int     `json:"sources"`
	InRun           int     `json:"sources_of_this_run"` // the others came from a checkpoint, were computed in the extended range, or summed with their whole batch
	Extended        int     `json:"sources_of_extended_range"`
	LargestRelative float64 `json:"largest_relative_difference"`
}

// Choice is the walk that searches some blocks, on cores or on a device, and why.
type Choice struct {
	Processor string `json:"processor"` // "cpu", or a device's name
	engine.WalkChoice
}
