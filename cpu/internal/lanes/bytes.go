package lanes

import "bcstage/preprocess"

// RowsBytes returns the memory that a search of NewRows needs for a block.
func RowsBytes(b *preprocess.Block, narrow bool) int64 {
	row := RowBytes[float64](b.Lanes)
	if narrow {
		row = RowBytes[float32](b.Lanes)
	}
	bytes := laneBytes(b, row, b.Lanes) + (4+8)*backRows
	if b.HasFlows() || b.Weighs() {
		bytes += partBytes(b)
	}
	return bytes
}

// partBytes returns the bytes of parts.
func partBytes(b *preprocess.Block) int64 { return 8 * int64(entryRoom(b, b.Lanes)) }

// laneBytes returns the memory for rows of so many bytes: one number per vertex and lane; per vertex 44 bytes of masks,
// lists and scores; 12 bytes per frontier entry; 40 bytes per waiver; with Flows 36 bytes per vertex and 12 per edge.
// Block.Entries entries are expected; a search that finds more makes more room.
func laneBytes(b *preprocess.Block, row, lanes int) int64 {
	n, room := int64(b.Vertices()), int64(b.Room())
	masks := int64(3 * 8) // seen, here, next
	const score = 8
	entries := int64(4+8)*int64(entryRoom(b, lanes)) + room*(4+8) // list, listMask
	if b.HasFlows() {
		entries += room*(4+4*8) + (8+4)*int64(b.Flows.Count()) // listSlot and listFlow; flows and flowsAt
	}
	entries += 40 * int64(b.MostWaived(lanes))
	if b.HasDraws() {
		entries += n * 2 * 8 // sums and squares
	}
	return n*(int64(row)+masks+score) + entries
}

// EntriesBytes returns the memory that a search of NewEntries needs for a block: beside the rows, two bytes per entry and lane.
func EntriesBytes(b *preprocess.Block) int64 {
	lanes := b.Lanes
	return laneBytes(b, RowBytes[float64](lanes), lanes) + countBytes(b, lanes) + partBytes(b) + (4+8)*countRows
}

// LinesBytes returns the memory that a search of NewLines needs for a block.
func LinesBytes(b *preprocess.Block, set Set) int64 {
	lanes, row := b.Lanes, RowBytes[float64](b.Lanes)
	rows, entries := roomOfLists(b, enoughListed(b, listRoom, row/8))
	lists := 4*int64(rows) + 4*4*int64(entries) + 2*(4+8+4+4)*spanEntries // see lineFrame; linked and last
	lists += (4 + 8 + 4) * int64(roomOfSpan(b))                           // list, listMask, before
	lists += cacheLine * int64(2*b.Vertices()+spanEntries)                // levelOf, rowSums
	parts := 8 * int64(entryRoom(b, lanes))
	if KeepsSums(b) {
		parts += 8 * lineLanes * int64(min(b.Entries+b.Entries/3, b.Vertices()*lanes)) // keptSums
	}
	if set.linesOut != nil && CountsByEntry(b) {
		parts += countBytes(b, lanes)
	}
	return laneBytes(b, row, lanes) - int64(4+8)*int64(b.Room()) + lists + parts
}

// countBytes returns the memory of path counts by entry.
func countBytes(b *preprocess.Block, lanes int) int64 {
	return int64(2*lanes)*int64(entryRoom(b, lanes)) + 2*4*int64(b.Vertices()) // counts; entryHere, entryNext
}

// entryRoom returns the number of frontier entries that a batch makes room for at first. It is a third
// more than the landmarks saw, since they are a sample, and at most the possible number, plus one
// entry per vertex for candidates.
func entryRoom(b *preprocess.Block, lanes int) int {
	n := b.Vertices()
	return min(b.Entries+b.Entries/3, n*lanes) + n + 1
}
