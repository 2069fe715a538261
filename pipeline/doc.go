// Package pipeline joins the stages: edges from a source, through reduction and
// computation, to a sink of scores. Run shows the whole way on one screen.
//
// Flow: read | build | reduce | compute | write, one goroutine or group of
// goroutines each, joined by channels; device start-up runs beside reading.
//
//	Run           any Source to any Sink
//	Records       a channel of Arrow records to a channel of Arrow records
//	Scores        slices to slices
//	Inspect       how long a run will take
//	Prepare       a file that takes the place of edges
//	Merge         partial results of shards to scores
//
// Where to look first: run.go shows the stages, stages.go what each does, and
// compute.go joins the three packages below this one:
//
//	engine    the contract between a plan and who computes its batches
//	sharing   who computes which batch; sees costs, never scores
//	ledger    what counts: exact sums, self-check, shards, partial results
//
// Units: scores count unordered pairs, of a directed graph ordered ones; inside,
// engines count ordered pairs.
//
// Ownership: what is sent on a channel belongs to the receiver. Nothing that
// Run starts is alive when it returns, and a cancelled context ends it within
// 100 ms of CPU work or one kernel launch.
//
// Complexity: O(n + m) around the compute stage, which costs the traversed
// blocks' n·m. Memory: the graph, 24 bytes per vertex, and the engines' state.
package pipeline
