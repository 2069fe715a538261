// Package pipeline joins the stages: edges from a source, through reduction and
// computation, to a sink of scores. The shortest way in is one call:
//
//	vertices, scores, stats, err := pipeline.Scores(ctx, src, dst, pipeline.Options{})
//
// Options.Question says what is asked beyond undirected betweenness. The calls are:
//
//	Scores, StringScores   slices to slices
//	Run                    any Source to any Sink; files with Input.Read
//	Distances              how far vertices are from some sources
//	WhatIf                 what a graph has without some edges or vertices
//	Inspect                how long a run will take
//	Prepare                a file that takes the place of edges
//	Merge                  partial results of shards to scores
//
// Package stage has Records and Stream: the same for Arrow records and Arrow bytes. This package knows no file
// format and starts no device: callers pass Input.Read and Compute.Devices, and a program without them builds
// without their code.
//
// Flow: read | build | reduce | compute | write, one goroutine or group of goroutines each, joined by channels;
// device start-up runs beside reading. Run shows the whole way on one screen.
//
// Where to look first: run.go shows the stages, state.go their shared state and messages. Every call that reads a
// graph gets it from intake.go; plan.go, compute.go and write.go have the other stages. Files stand in layers, and
// none uses a name of a layer above it. Options and statistics are at the bottom, then come the state of a run, its stages, and the
// calls. File computation.go joins the three packages below this one:
//
//	engine    the contract between a plan and who computes its batches
//	sharing   who computes which batch; sees costs, never scores
//	ledger    what counts: exact sums, self-check, shards, partial results
//
// Units: scores count unordered pairs, of a directed graph ordered ones. Inside, engines count ordered pairs.
//
// Ownership: a value sent on a channel belongs to the receiver. Nothing that Run starts is alive when it returns,
// and a cancelled context ends it within 100 ms of CPU work or one kernel launch.
//
// Complexity: O(n + m) around the compute stage, which costs the sum of n·m over the searched blocks. Memory: the
// graph, 24 bytes per vertex, and the engines' state.
package pipeline
