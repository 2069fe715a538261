package cpu

import (
	"bcstage/cpu/internal/acyclic"
	"bcstage/cpu/internal/dial"
	"bcstage/cpu/internal/lanes"
	"bcstage/cpu/internal/meshes"
	"bcstage/cpu/internal/streets"
	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Conditions of walks: which blocks they suit, and where they pay (see walk). Figures: docs/engines.md, docs/decisions.

const (
	// meshDepth is the least number of levels of a mesh.
	meshDepth = 32
	// meshEntries is the least number of frontier entries per vertex of a mesh, in the batch that has most.
	// A vertex has an entry in every level in which some lane reaches it.
	meshEntries = 8
	// deepestMesh is the largest depth for which levels fit in 16 bits, wherever the sources are.
	deepestMesh = 1 << 12

	// linesFrom is the least size, in bytes of rows, of a directed block that is searched line by line. It also has
	// linesArcs arcs a vertex or more.
	linesFrom = 8 << 20
	linesArcs = 8
	// keptFrom is the least size of such an undirected block, which keeps more numbers. The block also has
	// fewer levels than keptDepth: levels of a deep block are small, and their whole rows stay in caches.
	keptFrom  = 16 << 20
	keptDepth = 16

	// wholeAcyclic is the largest number of vertices of an acyclic block without lengths that is searched whole within a
	// cutoff, too. The rows of larger ones have more than 48 MB.
	wholeAcyclic = 1 << 17

	// entryRowsFrom is the least size, in bytes of rows, of a block that is searched by entries.
	entryRowsFrom = 256 << 10
)

// Package preprocess groups drawn sources that are near one another, as many as a mesh search takes together.
var _ [engine.DrawnLanes]struct{} = [meshes.DrawnLanes]struct{}{}

const (
	// noCutoff says why a walk does not search whole blocks.
	noCutoff = "paths have no cutoff"
	// noDecay says why a walk does not search blocks with Decay.
	noDecay = "pairs count by their distance"
	// noFlows says why a walk does not search blocks with Flows.
	noFlows = "the walk has no scores of edges"
	// noWaivers says why a walk does not search blocks with waivers.
	noWaivers = "sources count some targets for less"
	// noTrips says why a walk does not search blocks with tables of trips.
	noTrips = "pairs count by a table of trips"
)

func suitsAcyclic(b *preprocess.Block, _ core) string {
	switch {
	case !acyclic.Suits(b):
		return "the walk searches directed blocks with few arcs on cycles"
	case b.Decay != nil:
		return noDecay
	}
	return ""
}

// paysAcyclic leaves blocks with drawn sources and without lengths to the walk rows, which has kernels for them.
func paysAcyclic(b *preprocess.Block, _ core) (bool, string) {
	_, why := paysAcyclicReach(b, core{})
	return b.HasLengths() || !b.HasDraws(), why
}

func paysAcyclicReach(b *preprocess.Block, _ core) (bool, string) {
	if b.Ascends() || b.In.Ascends() {
		return true, "no arcs are on cycles"
	}
	return true, "few arcs are on cycles"
}

func suitsAcyclicReach(b *preprocess.Block, _ core) string {
	switch {
	case b.Kind() == engine.KindReach && !b.Follow():
		return "without lengths, the walk searches blocks with vertices that follow others"
	case !acyclic.Suits(b):
		return "the walk searches directed blocks with few arcs on cycles"
	}
	return ""
}

// onlyScores says what a block needs beside scores of vertices from whole searches, for walks that have no more.
func onlyScores(b *preprocess.Block) string {
	switch {
	case b.HasDraws() || b.Linear:
		return "the sources are drawn"
	case b.HasFlows():
		return noFlows
	}
	return suitsAlone(b, core{})
}

func suitsAlone(b *preprocess.Block, _ core) string {
	switch {
	case b.HasFlows() && b.Linear:
		return noFlows
	case b.Decay != nil:
		return noDecay
	case b.Waived != nil:
		return noWaivers
	}
	return ""
}

func suitsAloneLengths(b *preprocess.Block, _ core) string {
	switch {
	case !dial.Fits(b):
		return "31 bits do not hold the distances, or arcs are 2 048 times as long as others"
	case b.Waived != nil:
		return noWaivers
	case b.Decay != nil && b.HasDraws():
		return noDecay
	}
	return ""
}

// paysAloneLengths finds distances alone with its kernel only: in Go it takes 1.5 to 3.5 of the time of rows.
func paysAloneLengths(b *preprocess.Block, on core) (bool, string) {
	return b.Ball.Alone && (!b.Distances || on.set.Name == "avx512"), "few sources share a shortest path"
}

func suitsStreets(b *preprocess.Block, on core) string {
	switch {
	case b.Cutoff == 0:
		return noCutoff
	case b.Directed():
		return "the walk searches undirected blocks"
	case !streets.Fits(b):
		return "32 bits do not hold the distances"
	}
	return onlyScores(b)
}

func paysAsStreets(b *preprocess.Block, _ core) (bool, string) {
	return b.Ball.Streets, "most vertices have two neighbours"
}

func paysAlone(b *preprocess.Block, _ core) (bool, string) {
	return b.Ball.Alone, "few sources share an arc"
}

func suitsBalls(b *preprocess.Block, on core) string {
	if b.Cutoff == 0 {
		return noCutoff
	}
	return ""
}

// paysByBalls holds also where batches reach most of an undirected block with lengths: vertices of a part are in order of
// their distance from the nearest source. Where most have one neighbour or two, package lengths has a better
// hierarchy of the whole block. Measured: docs/decisions/033-sources-within-a-cutoff.md.
func paysByBalls(b *preprocess.Block, _ core) (bool, string) {
	if b.Kind() == engine.KindHops && acyclic.Suits(b) && onlyScores(b) == "" && b.Vertices() <= wholeAcyclic {
		return false, ""
	}
	if b.Local() {
		return true, "what batches reach is a small part"
	}
	branches := 4*len(b.Targets) >= 11*b.Vertices()
	return b.Kind() == engine.KindLengths && !b.Directed() && branches && onlyScores(b) == "", "paths have a cutoff and lengths"
}

func suitsMeshes(b *preprocess.Block, on core) string {
	switch {
	case b.HasDraws() || b.Linear:
		return "the sources are drawn"
	case b.Directed() && b.Decay != nil:
		return noDecay
	case b.Lanes != lanes.MaxLanes:
		return "the walk searches from 64 sources at once"
	}
	return suitsAsMesh(b)
}

func suitsMeshDraws(b *preprocess.Block, on core) string {
	switch {
	case !b.HasDraws():
		return "the sources are not drawn"
	case b.Directed():
		return "the walk searches undirected blocks"
	case b.Decay != nil:
		return noDecay
	case b.HasFlows():
		return noFlows
	case on.precision == engine.Float32:
		return "the walk has numbers of float64 only"
	case b.Lanes < meshes.DrawnLanes:
		return "the walk searches from more sources at once"
	}
	return suitsAsMesh(b)
}

// suitsAsMesh is the condition of both searches of meshes.
func suitsAsMesh(b *preprocess.Block) string {
	switch {
	case b.HasTrips():
		return noTrips
	case b.Cutoff > 0:
		return "the walk goes to the end of every path"
	case !meshes.Fits(b):
		return "32 bits do not number the arcs"
	case b.Depth() > deepestMesh || b.Directed() && !meshes.Near(b):
		return "16 bits do not number the levels"
	}
	return ""
}

// paysAsMesh says whether a block is searched vertex by vertex, by package meshes, and not
// level by level. The scores are the same. The time is 1.2 to 3 times as long if vertices are in few
// levels anyway, as in a grid of 40 x 40. It is so, too, if lanes disagree about which of two neighbours
// is nearer, as in a power grid or a graph of small distances. The time is .8 times on a grid of
// 128 x 128, .64 on rome99 and .37 to .6 on meshes and geometric graphs (whole processes,
// docs/decisions/005-meshes-vertex-by-vertex.md). Drawn sources are searched likewise, in
// float64, with scores that differ in their last bits. Meshes with hubs were not measured.
func paysAsMesh(b *preprocess.Block, _ core) (bool, string) {
	pays := b.Farness != nil && b.Entries >= meshEntries*b.Vertices() && b.Depth() >= meshDepth && max(b.LargestDegree(), b.Reverse().LargestDegree()) <= lanes.PieceRows &&
		(!b.Directed() || meshes.Joined(b))
	return pays, "deep, and vertices come in many levels of a batch"
}

func suitsMeshReach(b *preprocess.Block, on core) string {
	if !meshes.Suits(b) {
		return "the walk searches undirected components without a cutoff, for what all their vertices reach"
	}
	return ""
}

func paysAsMeshReach(b *preprocess.Block, _ core) (bool, string) {
	return meshes.Wide(b), "sources that share a row are far from one another"
}

func suitsLines(b *preprocess.Block, on core) string {
	switch {
	case on.precision == engine.Float32:
		return "the walk has numbers of float64 only"
	case b.HasFlows():
		return noFlows
	case b.Decay != nil:
		return noDecay
	case b.HasTrips():
		return noTrips
	case b.Vertices() > 1<<32/pages.CacheLine:
		return "32 bits do not hold the offsets in a line"
	}
	return ""
}

// paysByLines depends on the plan alone where the choice changes the bits of scores. Elsewhere a processor with AVX-512
// keeps the walk entries: it adds up whole rows in fewer instructions, and has larger caches.
func paysByLines(b *preprocess.Block, on core) (bool, string) {
	const why = "more rows than caches hold"
	rows := b.Vertices() * lanes.RowBytes[float64](b.Lanes)
	if b.Directed() {
		return rows >= linesFrom && len(b.Targets) >= linesArcs*b.Vertices(), why
	}
	if rows < keptFrom || b.Depth() >= keptDepth {
		return false, ""
	}
	return !(on.set.WideEntries && lanes.KeepsSums(b) && suitsEntries(b, on) == ""), why
}

// suitsEntries says why the path counts of a block cannot be kept by entry: see lanes.CountsByEntry.
func suitsEntries(b *preprocess.Block, on core) string {
	switch {
	case on.precision == engine.Float32:
		return "the walk has numbers of float64 only"
	case !lanes.CountsByEntry(b):
		return "the walk searches from 64 sources at once, and vertices that come in few levels"
	}
	return ""
}

func paysByEntries(b *preprocess.Block, _ core) (bool, string) {
	return b.Vertices()*lanes.RowBytes[float64](lanes.MaxLanes) >= entryRowsFrom, "vertices come in few levels of a batch"
}
