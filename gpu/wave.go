package gpu

import (
	"math"
	"slices"

	"bcstage/pipeline/engine"
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

// layout is what a device needs to know of the packs of a wave.
type layout struct {
	packs  int
	source []uint32  // by lane: vertex, or noLane
	mass   []float64 // by lane: source mass
	counts []uint32  // by pack: lanes in use
	starts []uint32  // by lane: level at which the source starts
	seed   []uint32  // lanes in use, by start
	begin  []int     // by level, and one more: where its seeds begin in seed
	place  []int     // by source of the units: its lane, if they are mixed; else nil
}

// fill lays the packs of units out. Sources start as b.Farness says if late,
// and else all at level 0.
func (l *layout) fill(b *preprocess.Block, units []unit, lanes int, late bool) {
	*l = layout{source: l.source[:0], mass: l.mass[:0], counts: l.counts[:0], starts: l.starts[:0]}
	for _, u := range units {
		for _, p := range u.packs {
			l.counts = append(l.counts, uint32(p.count))
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
				l.source = append(l.source, s)
				l.mass = append(l.mass, b.From[s])
				l.starts = append(l.starts, start)
			}
			for range lanes - p.count {
				l.source = append(l.source, noLane)
				l.mass = append(l.mass, 0)
				l.starts = append(l.starts, 0)
			}
		}
	}
	l.packs = len(l.counts)
	l.sort()
}

// mix lays all sources of units that follow each other out in vertex order, not
// unit by unit. Vertices are numbered breadth first: see engine.Choice.Mixed.
func (l *layout) mix(b *preprocess.Block, units []unit, lanes int) {
	first, end := units[0].batches[0], last(units[len(units)-1].batches)
	sources := b.Sources[first.First : end.First+end.Count]
	*l = layout{source: l.source[:0], mass: l.mass[:0], counts: l.counts[:0], starts: l.starts[:0]}
	const none = -1
	position := slices.Repeat([]int{none}, b.Vertices()) // of a vertex among the sources
	for i, s := range sources {
		position[s] = i
	}
	l.place = make([]int, len(sources))
	for v, i := range position {
		if i != none {
			l.place[i] = len(l.source)
			l.source = append(l.source, uint32(v))
			l.mass = append(l.mass, b.From[v])
		}
	}
	for left := len(sources); left > 0; left -= lanes {
		l.counts = append(l.counts, uint32(min(left, lanes)))
	}
	l.packs = len(l.counts)
	for len(l.source) < l.packs*lanes {
		l.source = append(l.source, noLane)
		l.mass = append(l.mass, 0)
	}
	l.starts = append(l.starts, make([]uint32, len(l.source))...)
	l.sort()
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
func (l *layout) sort() {
	l.begin = make([]int, int(slices.Max(l.starts))+2)
	for i, start := range l.starts {
		if l.source[i] != noLane {
			l.begin[start+1]++
		}
	}
	for level := 1; level < len(l.begin); level++ {
		l.begin[level] += l.begin[level-1]
	}
	l.seed = make([]uint32, l.begin[len(l.begin)-1])
	next := slices.Clone(l.begin)
	for i, start := range l.starts {
		if l.source[i] != noLane {
			l.seed[next[start]] = uint32(i)
			next[start]++
		}
	}
}

// seeds of a level: seed[first:last].
func (l *layout) seeds(level int) (first, last uint32) {
	if level+1 >= len(l.begin) {
		return 0, 0
	}
	return uint32(l.begin[level]), uint32(l.begin[level+1])
}

// lastStart is the level at which the last source starts.
func (l *layout) lastStart() int { return len(l.begin) - 2 }

// doubtful says whether a lane's self-check sums lie so far apart, or are so
// far from being numbers, that its batch should be handed on by itself.
func doubtful(got, want float64, p engine.Precision) bool {
	return !(math.Abs(got-want) <= p.DeviceTolerance()*math.Abs(want))
}
