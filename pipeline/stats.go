package pipeline

import (
	"time"

	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
)

// Stats is what a run found and what it cost. It is written as one JSON object
// by the command's --stats; the field names below are its keys and stay.
type Stats struct {
	Vertices     int           `json:"n"`
	Edges        int64         `json:"m"`       // arcs of a directed graph
	IDs          tables.IDType `json:"id_type"` // "int64", "utf8", "int32 of utf8" for a dictionary
	EdgesRead    int64         `json:"edges_read"`
	Duplicates   int64         `json:"duplicates_dropped"`
	SelfLoops    int64         `json:"self_loops_dropped"`
	NullsDropped int64         `json:"nulls_dropped"`
	Unused       []string      `json:"ignored_columns,omitempty"` // columns of the edges that were not read; numbers of fields where they have no names
	Lengths      *Lengths      `json:"lengths,omitempty"`         // if paths are measured by them
	Files        int           `json:"files"`

	// Sources and Targets, where paths begin, or end, at some vertices only. A run of
	// a prepared graph does not count them again.
	Sources *Ends `json:"sources,omitempty"`
	Targets *Ends `json:"targets,omitempty"`

	// Since, where the run has the scores of another to go on from: what differs between the graphs, and what that cost.
	Since *SinceStats `json:"since,omitempty"`

	// Demand, where vertices have masses.
	Demand *Demand `json:"demand,omitempty"`

	// Graphs, where the run is of several: n, m and all other figures are sums over
	// them.
	Graphs *Graphs `json:"graphs,omitempty"`

	// Reductions are all that there are; those that were off say why. After a
	// merge, which reduces nothing, there are none.
	Reductions   []preprocess.Reduction `json:"reductions,omitempty"`
	Components   int                    `json:"components"`
	Folded       int                    `json:"vertices_folded"`
	Blocks       int                    `json:"blocks"`
	LargestBlock int                    `json:"largest_block"`

	Batches int `json:"batches"`
	// Choices are how blocks are searched, and why: on cores, those that cores would get, and on devices,
	// those that devices take.
	Choices       []Choice       `json:"choices,omitempty"`
	Resumed       int            `json:"batches_resumed,omitempty"` // taken over from a checkpoint
	Engines       []EngineStat   `json:"engines"`
	DeviceChoices []DeviceChoice `json:"device_choices,omitempty"`
	// Timeline is how the engines got on; at most 65 points, however long the run.
	Timeline    []TimelinePoint  `json:"timeline,omitempty"`
	Threads     int              `json:"threads"`
	Precision   engine.Precision `json:"precision"`
	Fingerprint string           `json:"fingerprint"`

	// The two figures that explain what lanes cost; 2 row loads are ideal.
	FrontierEntriesPerVertexBatch float64 `json:"frontier_entries_per_vertex_batch"`
	RowLoadsPerEdgeBatch          float64 `json:"row_loads_per_edge_batch"` // of batches that were counted: not those of devices by strategies level and frontier

	// Estimate is how good the scores are where Question.Sample asks for estimates.
	Estimate *Estimate `json:"estimate,omitempty"`

	SelfCheck    SelfCheck     `json:"self_check"`
	Verification *Verification `json:"verification,omitempty"`
	Seconds      Seconds       `json:"seconds"`

	// GTEPS is n*m of the input graph, or its sum over several graphs, over compute
	// seconds, in 1e9: of that the share of the estimated cost that the run computed,
	// where that is a shard or the rest of a checkpoint. It is absent where nothing was
	// searched.
	GTEPS      float64 `json:"gteps,omitempty"`
	PeakMemory int64   `json:"peak_memory_bytes"`

	Notes    []string `json:"notes,omitempty"`    // what a user may like to know
	Warnings []string `json:"warnings,omitempty"` // what may make the answer another than the user expects, or the run dearer
}

// EngineStat is one engine's share of the work.
type EngineStat = sharing.Share

// TimelinePoint is what the engines had finished at a moment of the compute
// stage.
type TimelinePoint = sharing.TimelinePoint

// DeviceChoice is how a device deals with a block, and why.
type DeviceChoice = engine.Choice

// SelfCheck sums up the check of every source (see preprocess.Block).
type SelfCheck = ledger.SelfCheck

// Seconds is wall time by stage. Stages overlap, so they do not sum to Total.
type Seconds struct {
	Read       float64 `json:"read"`
	Build      float64 `json:"build"`
	Reduce     float64 `json:"reduce"`
	DeviceWait float64 `json:"device_wait"` // with EngineGPU: from Reduce until devices are up
	Compute    float64 `json:"compute"`     // with the plan's way to the devices and the scores' way back
	Restore    float64 `json:"restore"`
	Write      float64 `json:"write"` // of Distances, how long Compute, which does not count it, waited for parts to be taken
	Total      float64 `json:"total"`
}

// Info is what Inspect finds out without computing.
type Info struct {
	Stats
	EstimatedWork    float64 `json:"estimated_edge_visits"`
	EstimatedSeconds float64 `json:"estimated_seconds"` // on the CPU with Threads
	Plan             string  `json:"plan,omitempty"`    // what each way to estimate the scores would take, if Question.Sample asks for that
	EngineBytes      int64   `json:"engine_bytes"`      // state of all CPU workers
	GraphBytes       int64   `json:"graph_bytes"`       // while computing
	ReadingBytes     int64   `json:"reading_bytes"`     // most that reading and reducing hold; 0 of a prepared graph
	MemoryLimit      int64   `json:"memory_limit_bytes"`
}

// Lengths is what statistics say of edges with lengths.
type Lengths struct {
	Column  string `json:"column"`            // that they were read from
	Unit    string `json:"unit"`              // of the whole numbers that they became: "1", "10^-6", "2^-46", "2^3"
	Divisor int64  `json:"divisor,omitempty"` // so many units are 1 in searches: the greatest common divisor of all; 0: there are no edges
	Equal   bool   `json:"equal"`             // all are as long: paths are measured in edges
	Repeats string `json:"repeats"`           // rule for repeated edges: min, sum or error
	Differ  int64  `json:"repeats_differ"`    // edges that are repeated with another length
	Pruned  int64  `json:"edges_pruned"`      // edges found to be on no shortest path, and taken away first

	Rounding float64 `json:"largest_rounding_error"` // in the column's own numbers; 0: none is rounded
	Rounded  int64   `json:"rounded_values"`         // lengths that are not what was written
	Merged   int64   `json:"merged_values"`          // different numbers that rounding has made equal to another one
}

// Ends is what statistics say of the vertices where paths begin, or end.
type Ends struct {
	IDs      int `json:"ids"`     // given
	Repeats  int `json:"repeats"` // of them, that were given before; each counts once
	Vertices int `json:"vertices"`
}

// Demand is what statistics say of the masses of vertices, as decimal numbers: sums in the numbers of their columns,
// products in those of both. Of every two vertices, how much begins at one times how much ends at the other is
// Routed if a path leads there, of whatever length, and NoPath if none does; of a vertex itself it is Self. With
// question.Gravity all three are of what begins: Routed at the vertices that reach some mass, NoPath at the others, and Self is 0.
type Demand struct {
	Trips        *TripColumn `json:"trips,omitempty"`        // of a table of trips, of which all sums then are
	Origins      *MassColumn `json:"origins,omitempty"`      // absent: every vertex has 1
	Destinations *MassColumn `json:"destinations,omitempty"` // likewise
	Unit         string      `json:"unit"`                   // of flows: "people x jobs", 1 standing for masses of 1
	Routed       float64     `json:"routed"`
	NoPath       float64     `json:"no_path"`
	Self         float64     `json:"self"`
}

// MassColumn is what statistics say of one column of masses.
type MassColumn struct {
	Column  string  `json:"column"`
	Unit    string  `json:"unit"` // of the whole numbers that masses became: "1", "10^-2", "2^-46"
	Sum     float64 `json:"sum"`
	Missing int     `json:"vertices_missing"` // in the vertex table; their mass is 0
	Zero    int     `json:"vertices_of_zero"` // the missing ones left out

	Rounding float64 `json:"largest_rounding_error"`
	Rounded  int64   `json:"rounded_values"`
}

// TripColumn is what statistics say of a table of trips.
type TripColumn struct {
	Column   string  `json:"column"`
	Unit     string  `json:"unit"` // of the whole numbers that trips became: "1", "10^-2", "2^-46"
	Sum      float64 `json:"sum"`
	Rows     int     `json:"rows"`
	Pairs    int     `json:"pairs"`          // of two vertices with trips, those of a vertex with itself included
	Unrouted int     `json:"unrouted_pairs"` // of these, on no path

	Rounding float64 `json:"largest_rounding_error"`
	Rounded  int64   `json:"rounded_values"`
}

// MostGraphs is how many graphs statistics list.
const MostGraphs = 1000

// Graphs is what statistics say of several graphs in one run.
type Graphs struct {
	By    []string `json:"by"`    // columns that name a graph
	Count int      `json:"count"` // graphs in all
	// Largest are up to MostGraphs graphs, those of most edges first, then of most
	// vertices, then in first-seen order. That is all of them unless Count is more.
	Largest []GraphSize `json:"largest"`
	// Work is the sum of n·m over all graphs: what GTEPS counts.
	Work float64 `json:"work"`
}

// GraphSize is one of several graphs.
type GraphSize struct {
	Name     []string `json:"name"` // a value per column of Graphs.By, as text
	Vertices int      `json:"n"`
	Edges    int64    `json:"m"` // -1: not known, as after a merge
}

// Estimate says how far scores that are estimated may be trusted, and how they
// were made.
type Estimate struct {
	Way        string  `json:"way"`            // sources, sources-raw, pairs or exact
	Plan       string  `json:"plan,omitempty"` // what each way was expected to take, where the run chose one
	Seed       uint64  `json:"seed"`
	Confidence float64 `json:"confidence"` // probability that every interval of this and all earlier stages holds its score
	// Eps is the largest of upper - score and score - lower, over n(n-1)/2; of a directed graph over n(n-1).
	Eps float64 `json:"eps"`

	Vertices  int     `json:"vertices"`  // whose scores are not exact by the reductions and the small blocks
	Originals int     `json:"originals"` // that hang on those, or are those
	Draws     int     `json:"draws"`     // of originals, or of pairs of them
	Sources   int     `json:"sources"`   // that can be searched: originals hang on them
	Searches  int     `json:"searches"`  // of those, or of pairs
	Settled   float64 `json:"settled"`   // share of the originals whose sources have been searched
	Stages    int     `json:"stages"`

	// Of Certain.Of highest scores so many are certain to be among them.
	Certain *Certain `json:"certain,omitempty"`
}

// EstimateProgress is an estimate under way.
type EstimateProgress struct {
	Estimate
	Goal    float64       // Eps that is asked for; 0: none
	ToGoal  time.Duration // how long that may take yet; as long as ToExact, if not less
	ToExact time.Duration // how long it would take to search all sources
}

// Certain is what Question.Sample.Certain asks for.
type Certain struct {
	Places int `json:"places"`
	Of     int `json:"of"`
}

// Verification is what Options.Verify found out. Of each source that was drawn,
// the dependency of every vertex, and edge if those have scores, as a CPU core computes
// it is compared with the textbook's, and the sum of them that the run itself used, on
// whatever engine, with the textbook's sum.
type Verification struct {
	Sources         int     `json:"sources"`
	InRun           int     `json:"sources_of_this_run"` // the others came from a checkpoint, were computed in the extended range, or summed with their whole batch
	Extended        int     `json:"sources_of_extended_range"`
	LargestRelative float64 `json:"largest_relative_difference"`
}

// Choice is which walk searches blocks, on cores or on a device, and why.
type Choice struct {
	Processor string `json:"processor"` // "cpu", or a device's name
	cpu.WalkChoice
}
