package pipeline

import (
	"fmt"
	"slices"

	"bcstage/internal/building"
)

// idPairs are rows with two ids each: trips, changes, edges that are removed. An id of which a row has one alone is there twice.
type idPairs struct {
	ids  *VertexSet
	rows [][2]uint32 // numbers of both ids
}

func newIDPairs() idPairs { return idPairs{ids: &VertexSet{ids: building.NewDistinct()}} }

// idPairsOf returns rows of integers.
func idPairsOf[K Integer](first, second []K) idPairs {
	p := idPairs{ids: VertexSetOf(slices.Concat(first, second)...)}
	number := func(id K) uint32 {
		i, _ := p.ids.ids.Find(fmt.Append(nil, id))
		return uint32(i)
	}
	for i := range min(len(first), len(second)) {
		p.rows = append(p.rows, [2]uint32{number(first[i]), number(second[i])})
	}
	return p
}

// held is the memory after so many more rows with some ids.
func (p *idPairs) held(ids building.Keys, rows int) int64 {
	return p.ids.ids.Bytes(ids) + hashing(p.ids.count()+ids.Len()) + 2*8*int64(len(p.rows)+rows)
}

// add adds rows: the first ids of all, as text, and the second ones unless they are the same. hold is called before ids are
// added, with these and the number of rows.
func (p *idPairs) add(hold func(ids building.Keys, rows int) error, ends ...building.Keys) error {
	for _, ids := range ends {
		if err := hold(ids, ids.Len()); err != nil {
			return err
		}
		if err := p.ids.add(ids); err != nil {
			return err
		}
	}
	for i := range ends[0].Len() {
		var row [2]uint32
		for end := range row {
			ids := ends[min(end, len(ends)-1)]
			number, _ := p.ids.ids.Find(ids.Bytes[ids.Offsets[i]:ids.Offsets[i+1]])
			row[end] = uint32(number)
		}
		p.rows = append(p.rows, row)
	}
	return nil
}

// close computes the hash of all ids.
func (p *idPairs) close() { p.ids.close() }
