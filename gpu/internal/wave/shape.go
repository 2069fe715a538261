package wave

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"sort"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/survey"
	"bcstage/internal/engine"
)

// Shape is the size of a wave on a device, and so of its buffers; Seating has the
// sources.
type Shape struct {
	Method   Method
	Vertices int
	Words    int // mask words per row
	Packs    int // rows of lanes searched at once
	Levels   int // levels that have room: the largest distance and two more
	Number   int // bytes of a path count
	Groups   int // work-groups that a device can hold at once
	Group    int // work-items of a work-group that the method prefers; 0: as others
	Local    int // bytes of local memory per work-item, where these are many; else 0

	BlockShape
	Wishes
}

// BlockShape has the properties of a wave's block.
type BlockShape struct {
	Drawn     bool               // the block has Draws
	Shares    int                // of a block that has Decay: where its table is split, see common.cl; else 0
	Sees      bool               // of such a block: what sources see is needed
	Hung      bool               // likewise: what arrives at vertices is
	Waived    int                // waivers of the block, and so of a wave at most
	Edges     int                // of a block that has Flows; else 0
	Arcs      int                // likewise, if the method adds up flows by arc: kernels/over.cl; else 0
	Ways      bool               // its edges have directions
	Whole     bool               // see Findings.Whole
	Distances bool               // the block is searched for distances: there are no masses and no scores
	Small     int                // of such a block: a frontier of fewer vertices is followed along its edges
	Span      int                // likewise: vertices that 32 work-items take, if these run as one
	Chains    survey.ChainSizes  // of a block that has chains
	Lengths   survey.LengthSizes // of a block whose arcs have lengths
}

// Wishes are the method's demands, set by Fit.
type Wishes struct {
	Directed bool // a neighbour of a reached vertex may be more than a level from it, or not reached: arcs have directions, or searches end early
	Late     bool // sources of a pack start by preprocess.Block.Farness; else all at once
	Narrow   bool // path counts have 32 bits, other numbers more
	Patched  bool // see kernels/patches.cl
	Mixed    bool // waves mix the sources of their batches: see engine.Choice.Mixed
	Wide     bool // distances have more than 32 bits
	Marked   int  // words of marks that a work-group keeps in local memory, for each of its lists; 0: none
	Together bool // sums of the self-check are those of packs, not of lanes
	Ragged   bool // numbers of a list lie together, wherever their rows are
	Near     int  // neighbours of a vertex that lie in rows of equal length; 0: there are none
	PerRow   int  // entries of the method's lists per vertex and pack, at most the lanes; 0: it has none
	PerLevel int  // vertices of a pack that a level looks at, as a rule; 0: all
}

// NewShape is the shape of waves without packs yet. The error is the method's.
func NewShape(m Method, words int, precision engine.Precision, found survey.Findings) (Shape, error) {
	return m.Fit(Shape{Method: m, Vertices: found.Vertices, Words: words, Levels: found.Bound + 2, Number: precision.Bytes()}, found)
}

func (s Shape) Lanes() int { return s.Words * driver.Team }

// Capacity is the number of entries of the list of frontiers.
func (s Shape) Capacity() int { return s.PerRow * s.Packs * s.Vertices }

func (s Shape) Chunks() int { return (s.Vertices + Chunk - 1) / Chunk }

// ErrListFull says that a wave's lists need more entries per row: see PerRow.
var ErrListFull = errors.New("list of frontiers is full")

// ErrNarrow says that a path count does not fit in 32 bits.
var ErrNarrow = errors.New("path counts pass 32 bits")

// ErrTooDeep says that a search of a directed block needs more levels than there is
// room for. In directed blocks, searches from a few sources do not bound the
// distances from others.
var ErrTooDeep = errors.New("more levels than there is room for")

// Sizes are the bytes of each buffer of a wave, by its name in kernels. The kernels
// say what each holds.
func (s Shape) Sizes() map[string]int64 {
	packs, n, lanes := int64(s.Packs), int64(s.Vertices), int64(s.Lanes())
	words := packs * int64(s.Words)
	size := s.Method.Buffers(s)
	size["Source"] = packs * lanes * 4
	size["Used"] = packs * 4
	if s.Distances || s.Chains.Junctions > 0 {
		return size
	}
	size["SourceMass"] = packs * lanes * 8
	size["Rows"] = words * n * 8
	size["Parts"] = words * int64(s.Chunks()) * 2 * driver.Team * 8
	size["Sums"] = 2 * words * driver.Team * 8
	size["Scores"] = n * 8
	if s.Drawn {
		size["Draws"] = size["SourceMass"]
		size["DrawnRows"], size["SquareRows"] = size["Rows"], size["Rows"]
	}
	if s.Sees {
		size["Arrived"] = size["Sums"]
	}
	if s.Hung {
		size["HungRows"] = size["Rows"]
	}
	maps.Copy(size, waiverSizes(s.Waived))
	maps.Copy(size, s.flowSizes())
	return size
}

// Total is the sum of Sizes.
func (s Shape) Total() int64 {
	sum := int64(0)
	for _, bytes := range s.Sizes() {
		sum += bytes
	}
	return sum
}

// fits says whether there is room for the wave.
func (s Shape) fits(r Room) bool {
	for _, bytes := range s.Sizes() {
		if bytes > r.Largest {
			return false
		}
	}
	return s.Total() <= r.All && s.Countable()
}

// Countable says whether 32 bits can count the rows of a wave and the entries of
// its list, even after one level more than fits. With Ragged they must also count
// the list's numbers, one for every lane of every row.
func (s Shape) Countable() bool {
	most := s.PerRow + 1
	if s.Ragged {
		most = max(most, s.Lanes())
	}
	return int64(s.Packs)*int64(s.Vertices)*int64(most) <= math.MaxUint32
}

// Room is one stream's part of a device's memory, in bytes.
type Room struct{ All, Largest int64 }

// A wave fills a device if every compute unit has this much work: rows (vertices of
// packs), or rows that a level looks at. Where vertices are many, one pack
// suffices. But the host reads and adds up the scores once for each wave, so at
// least fewestPacks share that. With two packs a wave and sums on one core, an
// R-MAT graph of scale 22 ran at 0.68 of the speed on one H200, and at 0.31 on two.
const (
	unitRows    = 32768
	unitBits    = 65536 // for rows of bits, which take less of a level; the same graph of scale 17 is 1.1 times as fast so
	unitEntries = 1024
	fewestPacks = 8
	flowPacks   = 32 // where the flows of edges are read too: these are many times as many
	unitSources = 64 // sources, each a work-group; a compute unit searches from some six at a time
	unitPacks   = 8  // packs, each a work-group, of a block with lengths
	mostTurns   = 8  // roots that each work-group has in turn, in a block with chains
)

// fewWaves is the least number of waves of a device's share, if each leaves much to
// do for the host.
const fewWaves = 4

// fewestWaves is the least number of waves of a device's share beside other
// devices, so that none waits long for the last.
const fewestWaves = 16

// Full is the number of packs that fill a device with `units` compute units. The
// device searches `wanted` packs in all; shared, if there are other devices.
func (s Shape) Full(units, wanted int, shared bool) int {
	packs := max(units*unitRows/s.Vertices, fewestPacks)
	if s.Distances {
		packs = max(units*unitBits/s.Vertices, fewestPacks)
	}
	if s.Edges > 0 {
		packs = max(packs, flowPacks)
	}
	if s.Chains.Junctions > 0 {
		packs = max(mostTurns*s.Groups/max(s.Chains.Mean, 1), 1)
	}
	if s.Lengths.Arcs > 0 {
		packs = max(units*unitPacks, 1)
	}
	if s.Near > 0 {
		packs = max(units*unitSources/s.Lanes(), 1)
	}
	if s.PerLevel > 0 {
		entries := unitEntries
		if s.Ragged {
			entries *= 2 // so fewer launches end with few work-groups: 0.94 of the time of delaunay_n16 on an H200
		}
		packs = max(packs, units*entries/s.PerLevel)
	}
	if s.Arcs > 0 && s.Near == 0 {
		// Every wave ends with a number for each edge. But some waves are wanted,
		// so that another is searched meanwhile.
		packs = max(2*packs, min(4*packs, wanted/fewWaves))
	}
	if shared {
		packs = min(packs, max(wanted/fewestWaves, packs/4))
	}
	return max(packs, 1)
}

// Plan sets the packs of a wave, at most `most`, of `wanted` in all. Where memory
// is short it takes fewer; if there is room for none, the error is ErrMemory.
func (s Shape) Plan(r Room, wanted, most int) (Shape, error) {
	with := func(packs int) Shape {
		s.Packs = packs
		return s
	}
	found := sort.Search(min(wanted, most), func(i int) bool { return !with(i + 1).fits(r) })
	if found == 0 {
		return s, fmt.Errorf("gpu: %w: %w: %d lanes of %d vertices take %d bytes, there are %d, %d for one buffer",
			driver.ErrDevice, driver.ErrMemory, s.Lanes(), s.Vertices, with(1).Total(), r.All, r.Largest)
	}
	waves := (wanted + found - 1) / found // of equal size, so that the last is not small
	return with((wanted + waves - 1) / waves), nil
}
