package pipeline

import (
	"fmt"
	"strings"
	"time"

	"bcstage/arrowio"
	"bcstage/internal/engine"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
)

// Stats is what a run found and what it cost. It is written as one JSON object
// by the command's --stats; the field names below are its keys and stay.
type Stats struct {
	Vertices     int            `json:"n"`
	Edges        int64          `json:"m"`       // arcs of a directed graph
	IDs          arrowio.IDType `json:"id_type"` // "int64", "utf8", "int32 of utf8" for a dictionary
	EdgesRead    int64          `json:"edges_read"`
	Duplicates   int64          `json:"duplicates_dropped"`
	SelfLoops    int64          `json:"self_loops_dropped"`
	NullsDropped int64          `json:"nulls_dropped"`
	Unused       []string       `json:"ignored_columns,omitempty"` // columns of the edges that were not read; numbers of fields where they have no names
	Lengths      *Lengths       `json:"lengths,omitempty"`         // if paths are measured by them
	Files        int            `json:"files"`

	// Sources and Targets, where paths begin, or end, at some vertices only. A run of
	// a prepared graph does not count them again.
	Sources *Ends `json:"sources,omitempty"`
	Targets *Ends `json:"targets,omitempty"`

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
	Timeline    []TimelinePoint `json:"timeline,omitempty"`
	Threads     int             `json:"threads"`
	Precision   Precision       `json:"precision"`
	Fingerprint string          `json:"fingerprint"`

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

// left are the rows that were left out of the graph, in one line; none if there are none.
func (s *Stats) left() []string {
	var list []string
	for _, of := range []struct {
		rows      int64
		one, many string
	}{
		{s.NullsDropped, "row with a null", "rows with a null"},
		{s.Duplicates, "repeat of an edge", "repeats of edges"},
		{s.SelfLoops, "loop", "loops"},
	} {
		switch {
		case of.rows == 1:
			list = append(list, "1 "+of.one)
		case of.rows > 1:
			list = append(list, fmt.Sprintf("%d %s", of.rows, of.many))
		}
	}
	if list == nil {
		return nil
	}
	return []string{"left out: " + strings.Join(list, ", ")}
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

// Progress is one report of a run under way.
type Progress struct {
	Stage   string        // "read", "build", "reduce", "compute", "write"
	Ended   bool          // the stage's last report
	Edges   int64         // edges read so far
	Done    int           // batches finished
	Total   int           // batches in all; 0 until they are known
	Share   float64       // 0..1 of the estimated cost that is finished
	Elapsed time.Duration // since the run began
	Left    time.Duration // estimate for the compute stage; 0 when unknown
	GTEPS   float64       // effective rate of the compute stage so far
	Engines []EngineStat  // shares so far

	// Plan says what each way to estimate the scores is expected to take, where the
	// run chose one; "" before.
	Plan string

	// Estimate is what the last stage has come to, where scores are estimated; nil
	// before the first.
	Estimate *EstimateProgress
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
