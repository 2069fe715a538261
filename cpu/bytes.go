package cpu

import (
	"bcstage/cpu/internal/balls"
	"bcstage/cpu/internal/distances"
	"bcstage/cpu/internal/meshes"
	"bcstage/cpu/internal/streets"
	"bcstage/preprocess"
)

// Bytes returns the memory that a Worker for the plan needs. Walks keep their memory from block to block,
// so each walk counts with the block that needs most. With mostLanes above 0, Bytes returns the memory of the
// same plan made for at most so many sources at once.
//
// A walk whose batches may not fit counts with its own memory or that of the walk aside, whichever is more.
// If it has several such blocks, both count. Bytes leaves out rounding by the allocator and to large pages.
func Bytes(plan *preprocess.Plan, opts Options, mostLanes int) (sum int64) {
	c := opts.chooser()
	bytes, blocks, aside := make(map[string]int64), make(map[string]int), make(map[string]int64)
	for i := range plan.Blocks {
		b := &plan.Blocks[i]
		if mostLanes > 0 {
			fewer := *b // as if the plan had been made for so many lanes, on which the walk depends, too
			fewer.Lanes = b.LanesOf(mostLanes)
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
		if blocks[w.name] > 1 { // the walk aside takes a block that does not fit, and the other blocks keep this walk
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
	return meshes.Bytes(b) + flowSumsBytes(b)
}

// ballBytes allows for the largest part that a sample of batches reaches, and half as much again: see pages.Grown.
func ballBytes(b *preprocess.Block, on core) int64 {
	largest := b.Ball.Largest
	if largest == 0 { // no sample was taken
		largest = b.Vertices()
	}
	most := int64(0)
	for _, w := range partWalks() {
		if w.refuses(b, on) == "" {
			most = max(most, w.bytes(b, on))
		}
	}
	return balls.Bytes(b) + int64(1.5*float64(most)*float64(largest)/float64(b.Vertices()))
}

// streetBytes allows for a part as ballBytes does. Chains of the part take less memory than their vertices would.
func streetBytes(b *preprocess.Block, on core) int64 { return ballBytes(b, on) + streets.Bytes(b) }

// TouchedBytes returns the memory that Worker.Touch touches.
func TouchedBytes(vertices int) int64 { return distances.RoomBytes(vertices) }
