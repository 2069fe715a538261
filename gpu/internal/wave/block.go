package wave

import (
	"sync"

	"bcstage/preprocess"
)

// Block is a block that a device searches, with the findings of its waves so far.
type Block struct {
	*preprocess.Block
	Number int     // of the block
	Weight float64 // mass of all targets

	mu    sync.Mutex
	Depth int // largest level seen so far
}

// NewBlock makes a block; searches of it had `depth` levels so far.
func NewBlock(number int, b *preprocess.Block, depth int) *Block {
	s := &Block{Block: b, Number: number, Depth: depth}
	for _, mass := range b.To {
		s.Weight += mass
	}
	return s
}

// Deeper notes a distance and returns the largest so far.
func (s *Block) Deeper(depth int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Depth = max(s.Depth, depth)
	return s.Depth
}
