// Package seating says which sources of which batches share a wave, and which lane each has there.
package seating

import (
	"slices"

	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// Pack is up to 32 or 64 sources that share rows: Sources[first:first+count].
type Pack struct{ First, Count int }

// Unit is the least that can be handed on by itself: batches that share their
// packs with no other batch. It is either one batch in one or more packs, or
// several batches in one pack.
type Unit struct {
	Batches []engine.Batch
	Packs   []Pack
}

// Cut lays batches of one block out in packs of up to `lanes` sources.
func Cut(batches []engine.Batch, lanes int) []Unit {
	var units []Unit
	for len(batches) > 0 {
		first := batches[0]
		if first.Count > lanes {
			units = append(units, split(batches[:1], lanes))
			batches = batches[1:]
			continue
		}
		count, sources := 1, first.Count
		for count < len(batches) && Follows(batches[count-1], batches[count]) && sources+batches[count].Count <= lanes {
			sources += batches[count].Count
			count++
		}
		units = append(units, Unit{batches[:count], []Pack{{first.First, sources}}})
		batches = batches[count:]
	}
	return units
}

// split spreads one batch evenly over several packs.
func split(batch []engine.Batch, lanes int) Unit {
	u := Unit{Batches: batch}
	count := batch[0].Count
	parts := (count + lanes - 1) / lanes
	for i := range parts {
		begin, end := i*count/parts, (i+1)*count/parts
		u.Packs = append(u.Packs, Pack{batch[0].First + begin, end - begin})
	}
	return u
}

// Follows says whether b is next to a in the plan and in the block.
func Follows(a, b engine.Batch) bool {
	return b.Index == a.Index+1 && b.Block == a.Block && b.First == a.First+a.Count
}

func Last(batches []engine.Batch) engine.Batch { return batches[len(batches)-1] }

// Together is the number of units, from the first, that make a wave of at most
// `most` packs; at least one.
func Together(units []Unit, most int) int {
	packs := 0
	for i, u := range units {
		if packs += len(u.Packs); packs > most && i > 0 {
			return i
		}
	}
	return len(units)
}

// Seating says which source of a wave has which lane, and at which level it
// starts.
type Seating struct {
	Packs  int
	Source []uint32  // by lane: vertex, or noLane
	Mass   []float64 // by lane: source mass
	Draws  []float64 // by lane, of a block that has Draws
	Counts []uint32  // by pack: lanes in use
	Starts []uint32  // by lane: level at which the source starts
	Seed   []uint32  // lanes in use, by start
	begin  []int     // by level, and one more: where its seeds begin in seed
	Place  []int     // by source of the units: its lane, if they are mixed; else nil
}

// Fill seats the packs of units one after the other. If late, sources start as
// b.Farness says, otherwise all at level 0.
func (seats *Seating) Fill(b *preprocess.Block, units []Unit, lanes int, late bool) {
	*seats = Seating{Source: seats.Source[:0], Mass: seats.Mass[:0], Counts: seats.Counts[:0], Starts: seats.Starts[:0]}
	for _, u := range units {
		for _, p := range u.Packs {
			seats.Counts = append(seats.Counts, uint32(p.Count))
			sources := b.Sources[p.First : p.First+p.Count]
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
				seats.Source = append(seats.Source, s)
				seats.Mass = append(seats.Mass, b.From[s])
				seats.Starts = append(seats.Starts, start)
			}
			for range lanes - p.Count {
				seats.Source = append(seats.Source, NoLane)
				seats.Mass = append(seats.Mass, 0)
				seats.Starts = append(seats.Starts, 0)
			}
		}
	}
	seats.Packs = len(seats.Counts)
	seats.draw(b)
	seats.sort()
}

// draw fills in how many times each source was drawn.
func (seats *Seating) draw(b *preprocess.Block) {
	if !b.HasDraws() {
		return
	}
	seats.Draws = make([]float64, len(seats.Source))
	for i, s := range seats.Source {
		if s != NoLane {
			seats.Draws[i] = b.Draws[s]
		}
	}
}

// Mix seats all sources of successive units in the order of their vertices, not
// unit by unit. Vertices are numbered breadth first: see engine.Choice.Mixed.
func (seats *Seating) Mix(b *preprocess.Block, units []Unit, lanes int) {
	first, end := units[0].Batches[0], Last(units[len(units)-1].Batches)
	sources := b.Sources[first.First : end.First+end.Count]
	*seats = Seating{Source: seats.Source[:0], Mass: seats.Mass[:0], Counts: seats.Counts[:0], Starts: seats.Starts[:0]}
	const none = -1
	position := slices.Repeat([]int{none}, b.Vertices()) // of a vertex among the sources
	for i, s := range sources {
		position[s] = i
	}
	seats.Place = make([]int, len(sources))
	for v, i := range position {
		if i != none {
			seats.Place[i] = len(seats.Source)
			seats.Source = append(seats.Source, uint32(v))
			seats.Mass = append(seats.Mass, b.From[v])
		}
	}
	for left := len(sources); left > 0; left -= lanes {
		seats.Counts = append(seats.Counts, uint32(min(left, lanes)))
	}
	seats.Packs = len(seats.Counts)
	for len(seats.Source) < seats.Packs*lanes {
		seats.Source = append(seats.Source, NoLane)
		seats.Mass = append(seats.Mass, 0)
	}
	seats.Starts = append(seats.Starts, make([]uint32, len(seats.Source))...)
	seats.draw(b)
	seats.sort()
}

// Mixable says whether the units can be handed on as one: their batches follow
// each other.
func Mixable(units []Unit) bool {
	for i := 1; i < len(units); i++ {
		if !Follows(Last(units[i-1].Batches), units[i].Batches[0]) {
			return false
		}
	}
	return len(units) > 1
}

// sort orders the seeds by start.
func (seats *Seating) sort() {
	seats.begin = make([]int, int(slices.Max(seats.Starts))+2)
	for i, start := range seats.Starts {
		if seats.Source[i] != NoLane {
			seats.begin[start+1]++
		}
	}
	for level := 1; level < len(seats.begin); level++ {
		seats.begin[level] += seats.begin[level-1]
	}
	seats.Seed = make([]uint32, seats.begin[len(seats.begin)-1])
	next := slices.Clone(seats.begin)
	for i, start := range seats.Starts {
		if seats.Source[i] != NoLane {
			seats.Seed[next[start]] = uint32(i)
			next[start]++
		}
	}
}

// Seeds of a level: seed[first:last].
func (seats *Seating) Seeds(level int) (first, last uint32) {
	if level+1 >= len(seats.begin) {
		return 0, 0
	}
	return uint32(seats.begin[level]), uint32(seats.begin[level+1])
}

// LastStart is the level at which the last source starts.
func (seats *Seating) LastStart() int { return len(seats.begin) - 2 }

// Line seats sources in their given order, all at level 0.
func (seats *Seating) Line(sources []uint32, lanes int) {
	*seats = Seating{Source: append(seats.Source[:0], sources...), Counts: seats.Counts[:0]}
	for left := len(sources); left > 0; left -= lanes {
		seats.Counts = append(seats.Counts, uint32(min(left, lanes)))
	}
	seats.Packs = len(seats.Counts)
	for len(seats.Source) < seats.Packs*lanes {
		seats.Source = append(seats.Source, NoLane)
	}
}
