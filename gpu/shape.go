package gpu

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"sort"

	"bcstage/internal/engine"
)

// shape says how large a wave is on a device, and with that its buffers; which
// sources are in it is its seating.
type shape struct {
	method   method
	vertices int
	words    int // mask words per row
	packs    int // rows of lanes searched at once
	levels   int // levels that have room: the largest distance and two more
	number   int // bytes of a path count
	groups   int // work-groups that a device can hold at once
	group    int // work-items of a work-group that the method would like; 0: as many as others
	local    int // bytes of local memory that a work-item takes, where they are many; else 0

	searched
	wishes
}

// searched is what the block of a wave is like.
type searched struct {
	drawn     bool        // the block has Draws
	waived    int         // waivers of the block, and so of a wave at most
	edges     int         // of a block that has Flows; else 0
	arcs      int         // likewise, where the method adds up by arc: kernels/over.cl; else 0
	ways      bool        // its edges have directions
	whole     bool        // see survey.whole
	distances bool        // the block is searched for distances: there are no masses and no scores
	small     int         // of such a block: vertices of a frontier that is followed along its edges
	span      int         // likewise: vertices that 32 work-items look after, if these run as one
	chains    chainSizes  // of a block that has chains
	lengths   lengthSizes // of a block whose arcs have lengths
}

// wishes are what the method asks for, in fit.
type wishes struct {
	directed bool // not every neighbour of a vertex that was reached is at most a level from it: arcs have directions, or searches end early
	late     bool // sources of a pack start by preprocess.Block.Farness; else all at once
	narrow   bool // path counts have 32 bits, other numbers more
	patched  bool // see kernels/patches.cl
	mixed    bool // waves mix the sources of their batches: see engine.Choice.Mixed
	wide     bool // distances have more than 32 bits
	marked   int  // words of marks that a work-group keeps in local memory, for each of its lists; 0: none
	together bool // sums of the self-check are those of packs, not of lanes
	ragged   bool // numbers of a list lie together, wherever their rows are
	near     int  // neighbours of a vertex that lie in rows of equal length; 0: there are none
	perRow   int  // entries of the method's lists per vertex and pack, at most the lanes; 0: it has none
	perLevel int  // vertices of a pack that a level has to look at, typically, if not all; 0: all
}

// newShape is the shape of waves without packs yet. The error is the method's.
func newShape(m method, words int, precision engine.Precision, found survey) (shape, error) {
	return m.fit(shape{method: m, vertices: found.vertices, words: words, levels: found.bound + 2, number: precision.Bytes()}, found)
}

func (s shape) lanes() int { return s.words * team }

// capacity of the list of frontiers, in entries.
func (s shape) capacity() int { return s.perRow * s.packs * s.vertices }

func (s shape) chunks() int { return (s.vertices + chunk - 1) / chunk }

// errListFull says that a wave's lists need more entries per row: see perRow.
var errListFull = errors.New("list of frontiers is full")

// errTooDeep says that a search of a directed block goes past the levels that have
// room: what a few sources reach bounds no distances from others there.
var errTooDeep = errors.New("more levels than there is room for")

// sizes is the memory of each buffer of a wave in bytes, by the name that kernels
// have for it. See the kernels for what they hold.
func (s shape) sizes() map[string]int64 {
	packs, n, lanes := int64(s.packs), int64(s.vertices), int64(s.lanes())
	words := packs * int64(s.words)
	size := s.method.buffers(s)
	size["Source"] = packs * lanes * 4
	size["Used"] = packs * 4
	if s.distances || s.chains.junctions > 0 {
		return size
	}
	size["SourceMass"] = packs * lanes * 8
	size["Rows"] = words * n * 8
	size["Parts"] = words * int64(s.chunks()) * 2 * team * 8
	size["Sums"] = 2 * words * team * 8
	size["Scores"] = n * 8
	if s.drawn {
		size["Draws"] = size["SourceMass"]
		size["DrawnRows"], size["SquareRows"] = size["Rows"], size["Rows"]
	}
	maps.Copy(size, waiverSizes(s.waived))
	maps.Copy(size, s.flowSizes())
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
// its list even when one level more than fits has been counted; and the numbers that a
// list has, where they lie together, of every lane of every row.
func (s shape) countable() bool {
	most := s.perRow + 1
	if s.ragged {
		most = max(most, s.lanes())
	}
	return int64(s.packs)*int64(s.vertices)*int64(most) <= math.MaxUint32
}

// room is one stream's part of a device's memory, in bytes.
type room struct{ all, largest int64 }

// A wave fills a device when every compute unit has this much to look after:
// rows (vertices of packs), or of those that a level looks at. Where vertices are
// many, one pack does. But every wave ends with as many scores to read and to add
// up on the host, so that fewestPacks share that: with two packs a wave and sums
// on one core, an R-MAT graph of scale 22 ran at 0.68 of the speed on one H200,
// and at 0.31 on two.
const (
	unitRows    = 32768
	unitBits    = 65536 // of rows of bits, which take less of a level; the same graph of scale 17 is 1.1 times as fast so
	unitEntries = 1024
	fewestPacks = 8
	flowPacks   = 32 // where numbers of edges, too, are read: these are many times as many
)

// fewWaves is into how many waves at least a device's share is cut if each ends with much to do for the host.
const fewWaves = 4

// fewestWaves is into how many waves a device's share is cut if there are others
// beside it, so that none waits long for the last.
const fewestWaves = 16

// full is how many packs fill a device that searches `wanted` packs in all, with
// or without others beside it.
func (s shape) full(units, wanted int, shared bool) int {
	packs := max(units*unitRows/s.vertices, fewestPacks)
	if s.distances {
		packs = max(units*unitBits/s.vertices, fewestPacks)
	}
	if s.edges > 0 {
		packs = max(packs, flowPacks)
	}
	if s.chains.junctions > 0 {
		packs = max(mostTurns*s.groups/max(s.chains.mean, 1), 1)
	}
	if s.lengths.arcs > 0 {
		packs = max(units*unitPacks, 1)
	}
	if s.near > 0 {
		packs = max(units*unitSources/s.lanes(), 1)
	}
	if s.perLevel > 0 {
		entries := unitEntries
		if s.ragged {
			entries *= 2 // so that fewer launches end with few work-groups: 0.94 of the time of delaunay_n16 on an H200
		}
		packs = max(packs, units*entries/s.perLevel)
	}
	if s.arcs > 0 && s.near == 0 {
		// Every wave ends with a number for each edge, but there should be some waves, so that others are searched meanwhile.
		packs = max(2*packs, min(4*packs, wanted/fewWaves))
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
