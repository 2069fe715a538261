package ledger

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/draws"
)

// A partial stores the drawn pairs in the columns
//
//	sampled     int64   1 and the place in the counts of the block of the vertex or edge, which twins share; 0: it is of another block
//	unseen      int64   what is known of pairs of twins that have it between them: the bits of a float64, in ordered pairs
//	inner:J     int64   of stage J, counted from 0: drawn paths that the vertex, or one of its twins, is inside of, or the edge on
//
// and in metadata: "pairs", the block and the stages as JSON, and "confidence". Partials of one plan have equal sampled
// and unseen, and their stages add up.

// pairsText is the metadata form of the block and its stages.
type pairsText struct {
	*draws.Paired
	Stages []*pairStage
}

// lay adds the columns and metadata to a table of n vertices, then of edges.
func (d *paired) lay(table *tables.Table, n int) {
	column := laySample(table, "pairs", pairsText{d.Paired, d.stages}, d.Confidence, rowsOf(d.vertices, d.edges, n))
	column("sampled", func(i int) int64 { return 1 + int64(d.local[i]) })
	column("unseen", func(i int) int64 { return int64(math.Float64bits(d.unseen[i])) })
	for number, s := range d.stages {
		if s.inner != nil {
			column("inner:"+strconv.Itoa(number), func(i int) int64 { return s.inner[d.local[i]] })
		}
	}
}

// fillPaired reads the columns that lay made, of n vertices and then of edges, for a plan of so many batches.
func fillPaired(fields map[string]string, table *tables.Table, n, batches int) (*paired, error) {
	text, there := fields["pairs"]
	if !there {
		return nil, nil
	}
	about := pairsText{Paired: &draws.Paired{}}
	if err := json.Unmarshal([]byte(text), &about); err != nil {
		return nil, fmt.Errorf("metadata: pairs: %w", err)
	}
	d := &paired{Paired: about.Paired, stages: about.Stages}
	if err := d.check(batches); err != nil {
		return nil, fmt.Errorf("metadata: pairs: %w", err)
	}
	var err error
	if d.Confidence, err = confidenceIn(fields); err != nil {
		return nil, err
	}
	rows := table.IDs.Len()
	sampled, unseen := table.Ints("sampled"), table.Ints("unseen")
	if len(sampled) != rows || len(unseen) != rows {
		return nil, fmt.Errorf("no columns sampled and unseen of %d rows", rows)
	}
	for row, number := range sampled {
		if number == 0 {
			continue
		}
		value := math.Float64frombits(uint64(unseen[row]))
		if number < 1 || number > int64(d.Counted()) || !(value >= 0 && value <= d.From*d.To) {
			return nil, fmt.Errorf("columns sampled and unseen: %d and %v at row %d", number, value, row)
		}
		if row < n {
			d.vertices = append(d.vertices, uint32(row))
		} else {
			d.edges = append(d.edges, uint32(row-n))
		}
		d.local, d.unseen = append(d.local, uint32(number-1)), append(d.unseen, value)
	}
	for number, s := range d.stages {
		if len(s.Done) == 0 {
			continue
		}
		values := table.Ints("inner:" + strconv.Itoa(number))
		if len(values) != rows {
			return nil, fmt.Errorf("no column inner:%d of %d rows", number, rows)
		}
		s.inner = make([]int64, d.Counted())
		for i, row := range rowsOf(d.vertices, d.edges, n) {
			if s.inner[d.local[i]] = values[row]; values[row] < 0 || values[row] > s.Draws {
				return nil, fmt.Errorf("column inner:%d: %d at row %d", number, values[row], row)
			}
		}
	}
	return d, nil
}

// check refuses values that no plan has.
func (d *paired) check(batches int) error {
	if d.First < 0 || d.End < d.First || d.End > batches || d.Vertices < 1 || d.Vertices > csr.MaxVertices ||
		!(d.From >= 1 && d.From <= building.MostMass) || !(d.To > 0 && d.To <= building.MostMass) || d.Edges < 0 || d.Edges > math.MaxInt32 || d.Longest < 0 || d.Longest > 2*d.Vertices || !(d.All >= 0) {
		return fmt.Errorf("%+v", *d.Paired)
	}
	for i, s := range d.stages {
		if s == nil || s.Draws < 1 || s.Length < 0 || s.Squares < 0 {
			return fmt.Errorf("stage %d", i)
		}
		end := int64(-1)
		for _, x := range s.Done {
			if x.First <= end || x.First < 0 || x.End <= x.First || x.End > s.Draws {
				return fmt.Errorf("stage %d has %v of %d draws", i, s.Done, s.Draws)
			}
			end = x.End
		}
	}
	return nil
}
