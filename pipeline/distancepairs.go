package pipeline

import (
	"context"
	"fmt"
	"slices"

	"bcstage/internal/cpu/searches"
)

// distancePairs are the pairs of vertices whose rows are wanted, of a table: its origins are searched from. In an
// undirected graph the destinations are, where they are fewer.
type distancePairs struct {
	keys    []uint64 // vertex searched from<<32 | the other one, ascending
	wanted  []bool   // by vertex: the other one of the rows at hand
	swapped bool     // destinations are searched from
}

// readPairs finds the vertices of Options.Trips in the graph, and returns those to search from, ascending.
func (d *distances) readPairs(ctx context.Context) (sources []uint32, err error) {
	if err := d.in.needTrips(&d.names, 8+2*4); err != nil { // a key, and both lists
		return nil, err
	}
	ends, err := d.opts.Trips.ends(ctx, &d.names)
	if err != nil {
		return nil, fmt.Errorf("Options.Trips: %w", err)
	}
	p := &distancePairs{wanted: make([]bool, d.stats.Vertices)}
	var lists [2][]uint32 // distinct origins, and destinations
	for end := range lists {
		for _, row := range ends {
			lists[end] = append(lists[end], row[end])
		}
		slices.Sort(lists[end])
		lists[end] = slices.Compact(lists[end])
	}
	from := 0
	if p.swapped = !d.opts.Question.Directed && len(lists[1]) < len(lists[0]); p.swapped {
		from = 1
	}
	for _, row := range ends {
		p.keys = append(p.keys, uint64(row[from])<<32|uint64(row[1-from]))
	}
	slices.Sort(p.keys)
	p.keys = slices.Compact(p.keys)
	d.pairs = p
	for end, of := range []**Ends{&d.stats.Sources, &d.stats.Targets} {
		*of = &Ends{IDs: len(ends), Repeats: len(ends) - len(lists[end]), Vertices: len(lists[end]), NullsDropped: d.opts.Trips.dropped}
	}
	d.stats.noteNulls(d.opts.Trips.dropped)
	return lists[from], nil
}

// of keeps the rows of a source's pairs, in the same memory.
func (p *distancePairs) of(source uint32, rows searches.Rows) searches.Rows {
	first, _ := slices.BinarySearch(p.keys, uint64(source)<<32)
	end := first
	for ; end < len(p.keys) && uint32(p.keys[end]>>32) == source; end++ {
		p.wanted[uint32(p.keys[end])] = true
	}
	rows = wanted(rows, p.wanted)
	for _, key := range p.keys[first:end] {
		p.wanted[uint32(key)] = false
	}
	return rows
}
