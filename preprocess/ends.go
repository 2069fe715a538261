package preprocess

import (
	"context"
	"fmt"
	"slices"

	"bcstage/preprocess/question"
)

// checkEnds says whether the options name the ends that the question is about, in
// a graph of n vertices.
func (o *Options) checkEnds(n int) error {
	for _, ends := range []struct {
		name string
		set  question.Set
		list []uint32
	}{{"sources", o.Question.Sources, o.Sources}, {"targets", o.Question.Targets, o.Targets}} {
		if ends.set == (question.Set{}) && ends.list != nil {
			return fmt.Errorf("%w: %d %s, while the question is about all", ErrOptions, len(ends.list), ends.name)
		}
		for i, v := range ends.list {
			if int(v) >= n || i > 0 && v <= ends.list[i-1] {
				return fmt.Errorf("%w: %s: vertex %d of %d at place %d, want each once, ascending", ErrOptions, ends.name, v, n, i)
			}
		}
	}
	return nil
}

// chosenEnds tells whether paths begin, or end, at some vertices only.
func chosenEnds(q question.Question) bool {
	return q.Sources != (question.Set{}) || q.Targets != (question.Set{})
}

// chooseEnds gives the blocks two masses where the question is about some ends,
// and drops those in which no path begins, or ends. No vertex stands for another
// yet: folding and blocks are off for such a question.
func (r *reducer) chooseEnds(context.Context, []int64) error {
	q, n := r.plan.Question, r.plan.Vertices
	if !chosenEnds(q) {
		return nil
	}
	from, to := chosen(n, q.Sources, r.opts.Sources), chosen(n, q.Targets, r.opts.Targets)
	left := r.plan.Blocks[:0]
	for _, b := range r.plan.Blocks {
		if b.choose(from, to) {
			left = append(left, b)
		}
	}
	clear(r.plan.Blocks[len(left):])
	r.plan.Blocks = left
	return nil
}

// chosen is the mass of every vertex for one end of paths.
func chosen(n int, set question.Set, list []uint32) []float64 {
	if set == (question.Set{}) {
		return slices.Repeat([]float64{1}, n)
	}
	mass := make([]float64, n)
	for _, v := range list {
		mass[v] = 1
	}
	return mass
}

// choose gives the block the masses of its vertices, and says whether it has some
// of each.
func (b *Block) choose(from, to []float64) bool {
	b.From, b.To = make([]float64, b.Vertices()), make([]float64, b.Vertices())
	begin, end := 0.0, 0.0
	for local, v := range b.vertices {
		b.From[local], b.To[local] = from[v], to[v]
		begin, end = begin+from[v], end+to[v]
	}
	return begin > 0 && end > 0
}

// begins is how many vertices paths begin at: all, if what begins at each ends
// there, too.
func (b *Block) begins() (count int) {
	if b.OneMass() {
		return b.Vertices()
	}
	for _, mass := range b.From {
		if mass > 0 {
			count++
		}
	}
	return count
}

// beginners are the local vertices that paths begin at, of those listed.
func (b *Block) beginners(of []uint32) []uint32 {
	if b.OneMass() {
		return of
	}
	return slices.DeleteFunc(of, func(v uint32) bool { return b.From[v] == 0 })
}
