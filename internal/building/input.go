package building

import "bcstage/internal/csr"

// Input is the result of a Builder for all edges.
type Input struct {
	Graph csr.Graph
	IDs   Keys // id of each vertex, in first-seen order; the index is the vertex number
	Scopes

	EdgesRead  int64 // rows given to AddEdges
	Duplicates int64 // rows whose undirected edge was there already and that are not kept
	SelfLoops  int64 // rows with equal ends
	Scale      Scale // of the lengths, if edges were given some

	Edges *EdgeList // if KeepEdges
	Rows  *EdgeRows // if KeepRows

	Copies *Copies // of repeated edges, if these are kept and there are some; else nil

	Overlap Overlap // of the columns, if it is small; zero for a bipartite graph
}
