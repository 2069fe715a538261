// Package gpu computes batches of a preprocess.Plan on OpenCL devices.
//
// Flow:
//
//	driver.Platform  lists devices: what can be used, and why not
//	On.Start         a session: devices chosen, kernels built and probed; it needs no
//	                 graph, so it runs beside the reading of edges
//	session.Engines  one engine per device, or two, one of them for distances: strategy chosen per block
//	runner.Run       takes batches in waves, many at once, and hands results on
//
// A wave is as many batches of one block as fit a device well. All of them
// advance together, one level of the breadth-first search per launch, so that
// even a small graph or a thin frontier fills the device. Two waves are in
// flight, each with a queue of its own, so that one computes while the host
// reads the other's scores.
//
// A strategy is a method: a Go file of internal/methods with the kernels in the file of the
// same name.
//
//	levels, frontier  count paths
//	bitlanes          searches for distances alone
//	chains            blocks that have chains
//	lengths           blocks whose arcs have lengths; nothing advances level by level, and
//	                  each work-group finishes its own search
//	ragged            undirected blocks that are searched from all sources
//	solo              of these, blocks of thin frontiers and few edges, or with drawn
//	                  sources; a work-group has one source
//
// All share kernels/common.cl, kernels/sums.cl and internal/wave, whose launch.go shows how
// kernels are called. These packages know no method: internal/survey (properties of a block),
// internal/seating (which source has which lane), internal/resident (a block in device memory)
// and internal/driver (the interface of a device). This package decides who gets which batches.
//
// Package searches does searches from one source at a time; single.go opens a device for them.
//
// A driver.Platform lists the devices, and package opencl has one. This package is linked with no
// binding; its tests use a stand-in.
//
// Units and formulas: see preprocess.Block. Ownership: the plan is read only; a
// Result's slices belong to the engine. Numbers are float64 or float32 on the
// device; scores and self-check sums are added up in float64 either way.
//
// Stability: programs may import it, since package pipeline is made of it, but any
// version may change it; docs/release.md says what is stable.
package gpu
