package report

//go:generate env UPDATE_SCHEMA=1 go test -count=1 -run TestStatsSchema .

import "bcstage/pipeline"

// Stats is what --stats of a command writes and its report reads: what the
// pipeline tells about a run, and under "run" what only the command knows. The
// names of the fields are JSON keys, and stay.
type Stats struct {
	pipeline.Stats
	Run *Run `json:"run,omitempty"` // nil: not recorded
}

// Run is how a run was called, when, and where. Nothing in it is a credential.
type Run struct {
	Inputs  []string          `json:"inputs"`            // as they were named; "-" is stdin
	Command string            `json:"command"`           // as a shell takes it
	Options map[string]string `json:"options,omitempty"` // that were set, by flag, whether on the command line or in the environment
	Began   string            `json:"began"`             // RFC 3339, UTC
	Version string            `json:"version"`           // of the program
	Machine Machine           `json:"machine"`
}

// Machine is where a run was. What is not known is left out.
type Machine struct {
	Processor string `json:"processor,omitempty"` // as it calls itself
	Cores     int    `json:"cores"`               // logical ones that the process may use
	Memory    int64  `json:"memory_bytes,omitempty"`
	OS        string `json:"os"`
}
