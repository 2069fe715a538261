package gpu

import (
	"math"
	"slices"

	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// pack is up to 32 or 64 sources that share rows: Sources[first:first+count].
type pack struct{ first, count int }

// unit is the least that can be handed on by itself: batches that share their
// packs with no other batch. Either one batch of one or more packs, or several
// batches in one pack.
type unit struct {
	batches []preprocess.Batch
	packs   []pack
}

// cut lays batches of one block out in packs of up to `lanes` sources.
func cut(batches []preprocess.Batch, lanes int) []unit {
	var units []unit
	for len(batches) > 0 {
		first := batches[0]
		if first.Count > lanes {
			units = append(units, split(batches[:1], lanes))
			batches = batches[1:]
			continue
		}
		count, sources := 1, first.Count
		for count < len(batches) && follows(batches[count-1], batches[count]) && sources+batches[count].Count <= lanes {
			sources += batches[count].Count
			count++
		}
		units = append(units, unit{batches[:count], []pack{{first.First, sources}}})
		batches = batches[count:]
	}
	return units
}

// split spreads one batch evenly over several packs.
func split(batch []preprocess.Batch, lanes int) unit {
	u := unit{batches: batch}
	count := batch[0].Count
	parts := (count + lanes - 1) / lanes
	for i := range parts {
		begin, end := i*count/parts, (i+1)*count/parts
		u.packs = append(u.packs, pack{batch[0].First + begin, end - begin})
	}
	return u
}

// follows says whether b is next to a in the plan and in the block.
func follows(a, b preprocess.Batch) bool {
	return b.Index == a.Index+1 && b.Block == a.Block && b.First == a.First+a.Count
}

// together is how many units, from the first, make a wave of at most `most`
// packs; at least one.
func together(units []unit, most int) int {
	packs := 0
	for i, u := range units {
		if packs += len(u.packs); packs > most && i > 0 {
			return i
		}
	}
	return len(units)
}

// seating says which source of a wave has which lane, and from which level on.
type seating struct {
	packs  int
	source []uint32  // by lane: vertex, or noLane
	mass   []float64 // by lane: source mass
	draws  []float64 // by lane, of a block that has Draws
	counts []uint32  // by pack: lanes in use
	starts []uint32  // by lane: level at which the source starts
	seed   []uint32  // lanes in use, by start
	begin  []int     // by level, and one more: where its seeds begin in seed
	place  []int     // by source of the units: its lane, if they are mixed; else nil
}

// fill seats the packs of units one after the other. If late, sources start as
// b.Farness says, and else all at level 0.
func (seats *seating) fill(b *preprocess.Block, units []unit, lanes int, late bool) {
	*seats = seating{source: seats.source[:0], mass: seats.mass[:0], counts: seats.counts[:0], starts: seats.starts[:0]}
	for _, u := range units {
		for _, p := range u.packs {
			seats.counts = append(seats.counts, uint32(p.count))
			sources := b.Sources[p.first : p.first+p.count]
			farthest := uint16(0)
			if late = late && b.Farness != nil; late {
				for _, s := range sources {
					farthest = max(farthest, b.Farness[s])
				}
			}
			for _, s := range sources {
				start := uint32(0)
				if late {
					start = uint32(farthest - b.Farness[s])
				}
				seats.source = append(seats.source, s)
				seats.mass = append(seats.mass, b.From[s])
				seats.starts = append(seats.starts, start)
			}
			for range lanes - p.count {
				seats.source = append(seats.source, noLane)
				seats.mass = append(seats.mass, 0)
				seats.starts = append(seats.starts, 0)
			}
		}
	}
	seats.packs = len(seats.counts)
	seats.draw(b)
	seats.sort()
}

// draw fills in how often the sources were drawn.
func (seats *seating) draw(b *preprocess.Block) {
	if !b.HasDraws() {
		return
	}
	seats.draws = make([]float64, len(seats.source))
	for i, s := range seats.source {
		if s != noLane {
			seats.draws[i] = b.Draws[s]
		}
	}
}

// mix seats all sources of units that follow each other in the order of their
// vertices, not unit by unit. Vertices are numbered breadth first: see
// engine.Choice.Mixed.
func (seats *seating) mix(b *preprocess.Block, units []unit, lanes int) {
	first, end := units[0].batches[0], last(units[len(units)-1].batches)
	sources := b.Sources[first.First : end.First+end.Count]
	*seats = seating{source: seats.source[:0], mass: seats.mass[:0], counts: seats.counts[:0], starts: seats.starts[:0]}
	const none = -1
	position := slices.Repeat([]int{none}, b.Vertices()) // of a vertex among the sources
	for i, s := range sources {
		position[s] = i
	}
	seats.place = make([]int, len(sources))
	for v, i := range position {
		if i != none {
			seats.place[i] = len(seats.source)
			seats.source = append(seats.source, uint32(v))
			seats.mass = append(seats.mass, b.From[v])
		}
	}
	for left := len(sources); left > 0; left -= lanes {
		seats.counts = append(seats.counts, uint32(min(left, lanes)))
	}
	seats.packs = len(seats.counts)
	for len(seats.source) < seats.packs*lanes {
		seats.source = append(seats.source, noLane)
		seats.mass = append(seats.mass, 0)
	}
	seats.starts = append(seats.starts, make([]uint32, len(seats.source))...)
	seats.draw(b)
	seats.sort()
}

// mixable says whether the units can be handed on as one: their batches follow
// each other.
func mixable(units []unit) bool {
	for i := 1; i < len(units); i++ {
		if !follows(last(units[i-1].batches), units[i].batches[0]) {
			return false
		}
	}
	return len(units) > 1
}

// sort orders the seeds by start.
func (seats *seating) sort() {
	seats.begin = make([]int, int(slices.Max(seats.starts))+2)
	for i, start := range seats.starts {
		if seats.source[i] != noLane {
			seats.begin[start+1]++
		}
	}
	for level := 1; level < len(seats.begin); level++ {
		seats.begin[level] += seats.begin[level-1]
	}
	seats.seed = make([]uint32, seats.begin[len(seats.begin)-1])
	next := slices.Clone(seats.begin)
	for i, start := range seats.starts {
		if seats.source[i] != noLane {
			seats.seed[next[start]] = uint32(i)
			next[start]++
		}
	}
}

// seeds of a level: seed[first:last].
func (seats *seating) seeds(level int) (first, last uint32) {
	if level+1 >= len(seats.begin) {
		return 0, 0
	}
	return uint32(seats.begin[level]), uint32(seats.begin[level+1])
}

// lastStart is the level at which the last source starts.
func (seats *seating) lastStart() int { return len(seats.begin) - 2 }

// doubtful says whether a lane's self-check sums lie so far apart, or are so
// far from being numbers, that its batch should be handed on by itself.
func doubtful(got, want float64, p engine.Precision) bool {
	return !(math.Abs(got-want) <= p.DeviceTolerance()*math.Abs(want))
}
