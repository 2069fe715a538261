// Package gpu computes batches of a preprocess.Plan on OpenCL devices.
//
// Flow:
//
//	Platform  what there is, what could be used and why not
//	Open      a Session: devices chosen, kernels built and probed; it needs no
//	         graph, so it runs beside the reading of edges
//	Session.Engines  one Engine per device, or two, of which one searches for distances: strategy chosen per block
//	Engine.Run       takes batches in waves, many at once, and hands results on
//
// A wave is as many batches of one block as fit a device well. All of them
// advance together, one level of the breadth-first search per launch, so that
// even a small graph or a thin frontier fills the device. Two waves are in
// flight, each with a queue of its own, so that one computes while the host
// reads the other's scores.
//
// A strategy is a method (internal/methods): levels.go with kernels/levels.cl, and
// frontier.go with kernels/frontier.cl, which count paths; bitlanes.go with
// kernels/bitlanes.cl, where distances are all that is asked for;
// chains.go with kernels/chains.cl for blocks that have chains; lengths.go with
// kernels/lengths.cl for blocks whose arcs have lengths, where nothing advances level by
// level: each work-group goes through its own search; ragged.go with
// kernels/ragged.cl for undirected blocks that are searched from all sources, and solo.go
// with kernels/solo.cl for those of thin frontiers and few edges, or whose sources are drawn, where a work-group has one source.
// What all share is kernels/common.cl, kernels/sums.cl and internal/wave, whose launch.go shows
// how kernels are called. Below are rooms that know no method: internal/survey (what a block is
// like), internal/seating (which source has which lane), internal/resident (a block in device
// memory) and internal/driver (all that is asked of a device). Here is who gets which batches.
//
// Searches from one source at a time are package searches' affair; single.go opens a
// device for them.
//
// Where devices come from is a Platform, which package opencl has; this package is linked with
// no binding, and its tests stand in for one.
//
// Units and formulas: see preprocess.Block. Ownership: the plan is read only; a
// Result's slices belong to the engine. Numbers are float64 or float32 on the
// device; scores and self-check sums are added up in float64 either way.
//
// Stability: programs may import it, since package pipeline is made of it, but any
// version may change it; docs/release.md says what is stable.
package gpu
