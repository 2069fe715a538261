package pipeline

import (
	"bcstage/internal/csr"
	"bcstage/internal/gpu/searches"
)

// SearchBench selects the measurements of BenchSearches.
type SearchBench struct {
	Problems   []searches.Problem  // one after the other
	Strategies []searches.Strategy // of searches.Choices; each problem takes those that suit it
	Sources    int                 // at least 1
}

// SearchFigures are the figures of one strategy on one graph. Slices are by source.
type SearchFigures struct {
	Device          string
	Problem         searches.Problem
	Strategy        searches.Strategy // as asked for
	Chosen          searches.Strategy // the one that ran
	Reason          string            // of the choice
	Vertices        int               // of the graph as read
	Edges           int64
	Component       int // vertices of its largest component
	Seconds         []float64
	TEPS            []float64 // edges reached, each once, per second
	Rounds          []int
	Bytes           int64 // of device memory
	Err             error // why it could not run; otherwise nil
	LengthsInvented bool  // for SSSP, if the graph has none: see BenchSearches
}

// searchBench is the graph and the expected results of its searches.
type searchBench struct {
	SearchBench
	graph     *csr.Graph
	invented  bool
	component int
	workers   int // searches on cores at the same time
	sources   []uint32
	expected  []*searches.Expected
}
