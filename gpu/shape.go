package gpu

import (
	"fmt"
	"math"
	"sort"
)

// shape is the layout of a wave on a device.
type shape struct {
	strategy Strategy
	vertices int
	words    int // mask words per row
	packs    int // rows of lanes searched at once
	levels   int // levels that have room: the largest distance and two more
	depth    int // levels of a typical search, at least 1
	perRow   int // Frontier: entries of the list per vertex and pack, at most the lanes
	number   int // bytes of a path count
}

// newShape is a wave of no packs yet.
func newShape(strategy Strategy, vertices, words int, precision Precision, s survey) shape {
	shape := shape{strategy: strategy, vertices: vertices, words: words, levels: s.bound + 2, depth: max(s.median, 1), number: precision.bytes()}
	if strategy == Frontier {
		shape.perRow = 16       // seldom more; see errListFull
		shape.levels += s.bound // sources may start late
	}
	return shape
}

func (s shape) lanes() int { return s.words * team }

// capacity of the list of frontiers, in entries.
func (s shape) capacity() int { return s.perRow * s.packs * s.vertices }

func (s shape) chunks() int { return (s.vertices + chunk - 1) / chunk }

// A name for every buffer of a wave; see the kernels for what they hold.
const (
	bufPaths = iota
	bufShares
	bufFrontier
	bufSeen
	bufReached
	bufMarks
	bufPlanes
	bufLevels
	bufListRow
	bufListVertex
	bufListMask
	bufFound // Frontier: entries of each level
	bufEnds
	bufSource
	bufSeed
	bufStarts
	bufCounts
	bufSourceWeight
	bufRows
	bufParts
	bufSums
	bufScores
	buffers
)

// sizes is the memory of each buffer in bytes; 0 where the strategy has no use
// for it.
func (s shape) sizes() [buffers]int64 {
	packs, n, lanes := int64(s.packs), int64(s.vertices), int64(s.lanes())
	words := packs * int64(s.words)
	rows := packs * n
	size := [buffers]int64{
		bufPaths:        rows * lanes * int64(s.number),
		bufShares:       rows * lanes * int64(s.number),
		bufSource:       packs * lanes * 4,
		bufCounts:       packs * 4,
		bufSourceWeight: packs * lanes * 8,
		bufRows:         words * n * 8,
		bufParts:        words * int64(s.chunks()) * 2 * team * 8,
		bufSums:         2 * words * team * 8,
		bufScores:       n * 8,
	}
	if s.strategy == Levels {
		size[bufFrontier] = int64(s.levels) * words * n * 4
		size[bufSeen] = words * n * 4
		size[bufReached] = words * n * 4
		size[bufFound] = int64(s.levels) * (packs + 1) * 4
	} else {
		mask := int64(s.words) * 4
		size[bufMarks] = rows * 4 * mask
		size[bufPlanes] = rows * 2 * mask
		size[bufLevels] = rows * lanes * 2
		size[bufListRow] = int64(s.capacity()) * 4
		size[bufListVertex] = int64(s.capacity()) * 4
		size[bufListMask] = int64(s.capacity()) * mask
		size[bufFound] = int64(s.levels+2) * 4
		size[bufEnds] = int64(s.levels+2) * 4
		size[bufSeed] = packs * lanes * 4
		size[bufStarts] = packs * lanes * 4
	}
	return size
}

// total memory in bytes.
func (s shape) total() int64 {
	sum := int64(0)
	for _, bytes := range s.sizes() {
		sum += bytes
	}
	return sum
}

// fits says whether there is room for the wave.
func (s shape) fits(r room) bool {
	for _, bytes := range s.sizes() {
		if bytes > r.largest {
			return false
		}
	}
	return s.total() <= r.all && s.countable()
}

// countable says whether 32 bits count the rows of a wave, and the entries of
// its list even when one level more than fits has been counted.
func (s shape) countable() bool {
	return int64(s.packs)*int64(s.vertices)*int64(s.perRow+1) <= math.MaxUint32
}

// room is one stream's part of a device's memory, in bytes.
type room struct{ all, largest int64 }

// A wave fills a device when every compute unit has this much to look after:
// rows (vertices of packs), and for Frontier entries of a level.
const (
	unitRows    = 32768
	unitEntries = 1024
)

// usualEntries is how often a vertex of a pack is in a frontier, typically.
const usualEntries = 12

// fewestWaves is into how many waves a device's share is cut if there are others
// beside it, so that none waits long for the last.
const fewestWaves = 16

// full is how many packs fill a device that searches `wanted` packs in all, with
// or without others beside it.
func (s shape) full(units, wanted int, shared bool) int {
	packs := units * unitRows / s.vertices
	if s.strategy == Frontier {
		perLevel := max(usualEntries*s.vertices/s.depth, 1)
		packs = max(packs, units*unitEntries/perLevel)
	}
	if shared {
		packs = min(packs, max(wanted/fewestWaves, packs/4))
	}
	return max(packs, 1)
}

// plan fills in how many packs go together, at most `most`, of `wanted` in all.
// Where memory is short it takes fewer; with room for none the error is ErrMemory.
func (s shape) plan(r room, wanted, most int) (shape, error) {
	with := func(packs int) shape {
		s.packs = packs
		return s
	}
	found := sort.Search(min(wanted, most), func(i int) bool { return !with(i + 1).fits(r) })
	if found == 0 {
		return s, fmt.Errorf("gpu: %w: %w: %d lanes of %d vertices take %d bytes, there are %d, %d for one buffer",
			ErrDevice, ErrMemory, s.lanes(), s.vertices, with(1).total(), r.all, r.largest)
	}
	waves := (wanted + found - 1) / found // of equal size, so that the last is no small rest
	return with((wanted + waves - 1) / waves), nil
}
