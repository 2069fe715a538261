package report

//go:generate env UPDATE_SCHEMA=1 go test -count=1 -run TestStatsSchema .

import "bcstage/pipeline"

// Stats is the JSON of --stats, which a report reads: the pipeline's statistics, and under "run"
// the facts that only the command knows. The names of the fields are JSON keys and do not change.
type Stats struct {
	pipeline.Stats
	Run *Run `json:"run,omitempty"` // nil: not recorded
}

// Run says how, when and where a run was called. It contains no credentials.
type Run struct {
	Inputs  []string          `json:"inputs"`            // as given; "-" is stdin
	Command string            `json:"command"`           // for a shell
	Options map[string]string `json:"options,omitempty"` // by flag: set on the command line or in the environment
	Began   string            `json:"began"`             // RFC 3339, UTC
	Version string            `json:"version"`           // of the program
	Machine Machine           `json:"machine"`
}

// Machine describes a machine; unknown facts are absent.
type Machine struct {
	Processor string `json:"processor,omitempty"` // by its own name
	Cores     int    `json:"cores"`               // logical cores that the process may use
	Memory    int64  `json:"memory_bytes,omitempty"`
	OS        string `json:"os"`
}
