package cpu

import (
	"bcstage/cpu/internal/chains"
	"bcstage/cpu/internal/distances"
	"bcstage/cpu/internal/lengths"
	"bcstage/cpu/internal/meshes"
	"bcstage/cpu/internal/roads"
	"bcstage/cpu/internal/streets"
	"bcstage/pipeline/engine"
	"bcstage/preprocess"
)

// Bytes is the memory that a Worker for the plan comes to hold: the state of the
// block that needs most, of those searched by lanes, as meshes, by chains, by lengths, by both,
// for distances alone, with bits and as meshes, and as roads. With mostLanes above 0, Bytes is the memory if the
// plan had been made for no more sources at once.
//
// By lanes, there is one number per vertex and lane; per vertex 44 bytes of masks, lists
// and scores; 12 bytes per frontier entry, of which Block.Entries are expected: a search
// that finds more makes more room; 36 bytes per vertex and 12 per edge where what goes over
// edges is added up; of blocks whose path counts are kept by entry, two bytes per entry and lane; and, of those searched
// line by line, lists of rows. Rounding by the allocator, and to large pages, is left out.
func Bytes(plan *preprocess.Plan, precision engine.Precision, mostLanes int) int64 {
	fastest := kernelSets()[0]
	var byLanes, byEntry, byVertex, byDrawn, lineByLine, byChains, byLengths, byStreets, byBits, byLevels, byRoads int64
	var entered, otherwise int64 // blocks by entries, and what one of them takes that does not fit
	for i := range plan.Blocks {
		b := &plan.Blocks[i]
		if mostLanes > 0 && mostLanes < b.Lanes {
			fewer := *b // as if the plan had been made for so many: which search has it goes by that, too
			fewer.Lanes = mostLanes
			b = &fewer
		}
		lanes := b.Lanes
		switch {
		case b.Roads != nil:
			byRoads = max(byRoads, roads.Bytes(b))
		case b.Distances && b.Lengths != nil:
			byLengths = max(byLengths, lengths.DistanceBytes(b))
		case b.Distances:
			byBits = max(byBits, distances.Bytes(b))
			if meshes.Wide(b) {
				byLevels = max(byLevels, meshes.DistanceBytes(b))
			}
		case b.Chains != nil && b.Lengths != nil:
			byStreets = max(byStreets, streets.Bytes(b, lanes))
		case b.Chains != nil:
			byChains = max(byChains, chains.Bytes(b, lanes))
		case b.Lengths != nil:
			byLengths = max(byLengths, lengths.Bytes(b))
		case isMesh(b):
			number := int64(8)
			if precision == engine.Float32 && b.Flows == nil {
				number = 4
			}
			bytes := meshes.Bytes(b, number)
			if b.Flows != nil {
				bytes += 4 * int64(b.Flows.Count()) // meshFlows.at
			}
			byVertex = max(byVertex, bytes)
		case isDrawnMesh(b) && precision != engine.Float32:
			byDrawn = max(byDrawn, meshes.DrawnBytes(b))
		case precision == engine.Float32 && b.Flows == nil:
			byLanes = max(byLanes, laneBytes(b, rowBytes[float32](lanes), lanes))
		case isByLines(b) && fastest.byLines(b):
			lineByLine = max(lineByLine, byLinesBytes(b, rowBytes[float64](lanes), lanes))
		case precision != engine.Float32 && isByEntries(b):
			byEntry = max(byEntry, byEntriesBytes(b, lanes))
			otherwise = max(otherwise, laneBytes(b, rowBytes[float64](lanes), lanes))
			entered++
		default:
			byLanes = max(byLanes, laneBytes(b, rowBytes[float64](lanes), lanes))
		}
	}
	if entered > 1 { // one that does not fit is searched otherwise, beside what another has left
		byLanes = max(byLanes, otherwise)
	}
	return byLanes + byEntry + byVertex + byDrawn + lineByLine + byChains + byLengths + byStreets + byBits + byLevels + byRoads
}

// laneBytes is for rows of so many bytes.
func laneBytes(b *preprocess.Block, row, lanes int) int64 {
	n := int64(b.Vertices())
	masks := int64(3 * 8)     // seen, here, next
	lists := int64(4 + 8 + 8) // list, listMask, scores
	entries := int64(4+8) * int64(entryRoom(b, lanes))
	if b.Flows != nil {
		entries += n*(4+4*8) + (8+4)*int64(b.Flows.Count()) // listSlot and listFlow; flows and flowsAt
	}
	if b.Draws != nil {
		entries += n * 2 * 8 // sums and squares
	}
	return n*(int64(row)+masks+lists) + entries
}

// byEntriesBytes is the memory that byEntries takes of a block.
func byEntriesBytes(b *preprocess.Block, lanes int) int64 {
	lists := 8*int64(entryRoom(b, lanes)) + (4+8)*countRows // parts; what list and listMask have more
	return laneBytes(b, rowBytes[float64](lanes), lanes) + countBytes(b, lanes) + lists
}

// byLinesBytes is the memory that byLines takes of a block, for rows of so many bytes.
func byLinesBytes(b *preprocess.Block, row, lanes int) int64 {
	rows, entries := roomOfLists(b, enoughListed(b, listRoom, row/8))
	lists := 4*int64(rows) + 4*4*int64(entries) + 2*(4+8+4+4)*spanEntries // see lineFrame; linked and last
	lists += (4 + 8 + 4) * int64(roomOfSpan(b))                           // list, listMask, before
	lists += cacheLine * int64(2*b.Vertices()+spanEntries)                // levelOf, rowSums
	parts := 8 * int64(entryRoom(b, lanes))
	if keepsSums(b) {
		parts += 8 * lineLanes * int64(min(b.Entries+b.Entries/3, b.Vertices()*lanes)) // keptSums
	}
	ends := deadEndBytes(b, row)
	if ends == 0 && kernelSets()[0].linesOut != nil && isCountedByEntry(b) {
		parts += countBytes(b, lanes)
	}
	return laneBytes(b, row, lanes) - int64(4+8)*int64(b.Vertices()) + lists + parts + ends
}

// countBytes is the memory that path counts by entry take.
func countBytes(b *preprocess.Block, lanes int) int64 {
	return int64(2*lanes)*int64(entryRoom(b, lanes)) + 2*4*int64(b.Vertices()) // counts; entryHere, entryNext
}

// entryRoom is how many frontier entries a batch makes room for at once: a third
// more than the landmarks saw, since they are a sample, no more than there can
// be, and one per vertex for candidates.
func entryRoom(b *preprocess.Block, lanes int) int {
	n := b.Vertices()
	return min(b.Entries+b.Entries/3, n*lanes) + n + 1
}

// TouchedBytes is the memory that Worker.Touch touches.
func TouchedBytes(vertices int) int64 { return distances.RoomBytes(vertices) }
