package cpu

import (
	"bcstage/cpu/internal/balls"
	"bcstage/cpu/internal/distances"
	"bcstage/cpu/internal/meshes"
	"bcstage/preprocess"
)

// Bytes is the memory that a Worker for the plan comes to hold: of each walk, what the
// block that needs most takes, as walks keep their memory from block to block. With mostLanes above 0, Bytes is the memory if the
// plan had been made for no more sources at once.
//
// Of a walk that batches may not fit, as much is counted as the one takes that has them instead, if that is more, and
// that as well where there are several such blocks.
// Rounding by the allocator, and to large pages, is left out.
func Bytes(plan *preprocess.Plan, opts Options, mostLanes int) (sum int64) {
	c := opts.chooser()
	bytes, blocks, aside := make(map[string]int64), make(map[string]int), make(map[string]int64)
	for i := range plan.Blocks {
		b := &plan.Blocks[i]
		if mostLanes > 0 && mostLanes < b.Lanes {
			fewer := *b // as if the plan had been made for so many: which walk has it goes by that, too
			fewer.Lanes = mostLanes
			b = &fewer
		}
		on := c.core.of(b)
		w, _ := c.choose(b, on)
		bytes[w.name] = max(bytes[w.name], w.bytes(b, on))
		if blocks[w.name]++; w.unfit != nil {
			other, _ := c.named(w.aside)
			aside[w.name] = max(aside[w.name], other.bytes(b, on))
		}
	}
	for i := range c.walks {
		w := &c.walks[i]
		if blocks[w.name] > 1 { // one that does not fit goes to the other walk, beside what another has left
			bytes[w.aside] = max(bytes[w.aside], aside[w.name])
		} else {
			bytes[w.name] = max(bytes[w.name], aside[w.name])
		}
	}
	for _, most := range bytes {
		sum += most
	}
	return sum
}

func meshBytes(b *preprocess.Block, _ core) int64 {
	bytes := meshes.Bytes(b)
	if b.HasFlows() {
		bytes += 4 * int64(b.Flows.Count()) // meshFlows.at
	}
	return bytes
}

// ballBytes is for the largest part that a sample of batches reaches, and half as much again: see pages.Grown.
func ballBytes(b *preprocess.Block, on core) int64 {
	largest, _ := balls.Sizes(b)
	most := int64(0)
	for _, w := range partWalks() {
		if w.suits(b, on) == "" {
			most = max(most, w.bytes(b, on))
		}
	}
	return balls.Bytes(b) + int64(1.5*float64(most)*float64(largest)/float64(b.Vertices()))
}

// laneBytes is for rows of so many bytes: one number per vertex and lane; per vertex 44 bytes of masks, lists
// and scores; 12 bytes per frontier entry, of which Block.Entries are expected: a search
// that finds more makes more room; 36 bytes per vertex and 12 per edge where what goes over
// edges is added up.
func laneBytes(b *preprocess.Block, row, lanes int) int64 {
	n := int64(b.Vertices())
	masks := int64(3 * 8)     // seen, here, next
	lists := int64(4 + 8 + 8) // list, listMask, scores
	entries := int64(4+8) * int64(entryRoom(b, lanes))
	if b.HasFlows() {
		entries += n*(4+4*8) + (8+4)*int64(b.Flows.Count()) // listSlot and listFlow; flows and flowsAt
	}
	if b.HasDraws() {
		entries += n * 2 * 8 // sums and squares
	}
	return n*(int64(row)+masks+lists) + entries
}

// byEntriesBytes is the memory that byEntries takes of a block: beside that of rows, two bytes per entry and lane.
func byEntriesBytes(b *preprocess.Block, lanes int) int64 {
	lists := 8*int64(entryRoom(b, lanes)) + (4+8)*countRows // parts; what list and listMask have more
	return laneBytes(b, rowBytes[float64](lanes), lanes) + countBytes(b, lanes) + lists
}

// byLinesBytes is the memory that byLines takes of a block, for rows of so many bytes.
func byLinesBytes(b *preprocess.Block, row, lanes int, on core) int64 {
	rows, entries := roomOfLists(b, enoughListed(b, listRoom, row/8))
	lists := 4*int64(rows) + 4*4*int64(entries) + 2*(4+8+4+4)*spanEntries // see lineFrame; linked and last
	lists += (4 + 8 + 4) * int64(roomOfSpan(b))                           // list, listMask, before
	lists += cacheLine * int64(2*b.Vertices()+spanEntries)                // levelOf, rowSums
	parts := 8 * int64(entryRoom(b, lanes))
	if keepsSums(b) {
		parts += 8 * lineLanes * int64(min(b.Entries+b.Entries/3, b.Vertices()*lanes)) // keptSums
	}
	ends := deadEndBytes(b, row)
	if ends == 0 && on.set.linesOut != nil && isCountedByEntry(b) {
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
