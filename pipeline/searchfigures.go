package pipeline

import (
	"bcstage/internal/csr"
	"bcstage/internal/gpu/searches"
)

// SearchBench is what BenchSearches measures.
type SearchBench struct {
	Problems   []searches.Problem  // one after the other
	Strategies []searches.Strategy // of searches.Choices; each problem takes those that are for it
	Sources    int                 // at least 1
}

// SearchFigures are those of one strategy on one graph. Slices are by source.
type SearchFigures struct {
	Device          string
	Problem         searches.Problem
	Strategy        searches.Strategy // asked for
	Chosen          searches.Strategy // the one that ran
	Reason          string            // of a choice
	Vertices        int               // of the graph as read
	Edges           int64
	Component       int // vertices of its largest component
	Seconds         []float64
	TEPS            []float64 // edges reached, each once, by seconds
	Rounds          []int
	Bytes           int64 // of device memory
	Err             error // why it could not run; else nil
	LengthsInvented bool  // for SSSP, for the lack of others: see BenchSearches
}

// searchBench is the graph and what is expected of its searches.
type searchBench struct {
	SearchBench
	graph     *csr.Graph
	invented  bool
	component int
	workers   int // that search on cores at the same time
	sources   []uint32
	expected  []*searches.Expected
}
