package building

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/radix"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// ErrLengths says that the length of an edge is invalid: not above zero, too small beside the others, or one of two
// where repeats must agree.
var ErrLengths = errors.New("invalid lengths")

// Scale says what the whole numbers of Graph.Lengths stand for: each is Divisor units of the column that was read.
//
// Lengths are decimal fractions with at most k places. They become whole numbers of 10^-k divided by their common
// divisor, if the longest path has less than 2^62 of them. Sums and ties are then exact. Otherwise they are rounded to
// the smallest power of 2 with which it has less than 2^61. Then all are divided by their greatest common divisor.
type Scale struct {
	Unit    string // as in question.Lengths
	Divisor int64  // 0: the edges had no lengths

	Rounding float64 // largest difference from a written number; 0: none is rounded
	Rounded  int64   // rows that differ from the written number
	Merged   int64   // different numbers that rounding has made equal
	Differ   int64   // edges with repeats of another length
}

// weighing gives a graph the lengths of its edges.
type weighing struct {
	ctx     context.Context
	threads int
	graph   *csr.Graph
	edges   []pairs
	weights []Weights // parallel to edges, cut at other places
	repeats string    // question.Lengths.Repeats

	scale  Scale
	places int      // unit is 10^-places
	common *big.Int // lengths are divided by this; nil: by 1
	shift  int      // or unit is 2^-shift
	round  bool     // whether the unit is 2^-shift
	most   float64  // largest length
	differ []uint64
	longer []uint64 // by bit, the rows longer than their edge, if asked for

	exactly exactly
}

// weigh sets g.Lengths, and those of g.In, or leaves them nil if all are equal. With rows it also marks, by bit, the
// rows that are longer than their edge; nil: none can be.
func weigh(ctx context.Context, g *csr.Graph, edges []pairs, weights []Weights, repeats string, rows bool, threads int) (Scale, []uint64, error) {
	w := &weighing{ctx: ctx, threads: threads, graph: g, edges: edges, weights: weights, repeats: repeats}
	if err := w.choose(); err != nil {
		return Scale{}, nil, err
	}
	g.Lengths = make([]int64, len(g.Targets))
	w.differ = make([]uint64, (len(g.Targets)+63)/64)
	if err := w.fill(); err != nil {
		return Scale{}, nil, err
	}
	for _, word := range w.differ {
		w.scale.Differ += int64(bits.OnesCount64(word))
	}
	w.differ = nil
	if rows && (repeats == "" || repeats == question.RepeatsKeep) {
		if err := w.findLonger(); err != nil {
			return Scale{}, nil, err
		}
	}
	return w.scale, w.longer, w.finish()
}

// finish divides the lengths by their common divisor, and copies them to the arcs left out so far: those towards larger
// vertices, or the reverse ones.
func (w *weighing) finish() error {
	g := w.graph
	common, largest := int64(0), int64(0)
	for _, length := range g.Lengths { // 0 for arcs left out
		if largest = max(largest, length); common != 1 {
			common = wholes.Divisor(length, common)
		}
	}
	w.scale.Divisor = max(common, 1)
	if w.common != nil && common > 0 && !w.divided(common) {
		w.divided(1) // that did fit: lengths keep their common divisor
		common = 1
	}
	if largest == common {
		g.Lengths = nil
		return w.ctx.Err()
	}
	if common > 1 {
		for e := range g.Lengths {
			g.Lengths[e] /= common
		}
	}
	if g.Directed() {
		g.In.Lengths = make([]int64, len(g.In.Targets))
	}
	next := make([]int64, g.Vertices()) // by vertex: place of its next length from the other side
	if g.Directed() {
		copy(next, g.In.Offsets)
	}
	for v := range parallel.Until(w.ctx, len(next)) {
		if !g.Directed() {
			next[v] = g.Offsets[v]
		}
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			u := g.Targets[e]
			switch {
			case g.Directed():
				g.In.Lengths[next[u]] = g.Lengths[e]
				next[u]++
			case int(u) < v:
				g.Lengths[next[u]] = g.Lengths[e]
				next[u]++
				next[v]++
			}
		}
	}
	return w.ctx.Err()
}

// each calls f with the arc of every edge that is not a loop, in their order, and with the place of its length.
func (w *weighing) each(f func(row int, arc int64, of Weights, i int) error) error {
	chunk, used := 0, 0
	return eachRow(w.ctx, w.graph, w.edges, w.threads, func(row int, _, _ uint32, arc int64) error {
		for used == w.weights[chunk].Len() {
			chunk, used = chunk+1, 0
		}
		if used++; arc < 0 {
			return nil
		}
		return f(row, arc, w.weights[chunk], used-1)
	})
}

// given yields the lengths as given, and ends early with the context.
func (w *weighing) given() iter.Seq2[Weights, int] {
	return func(yield func(of Weights, i int) bool) {
		for _, of := range w.weights {
			for i := range parallel.Until(w.ctx, of.Len()) {
				if !yield(of, i) {
					return
				}
			}
		}
	}
}

// choose chooses the unit of the lengths.
func (w *weighing) choose() error {
	for of, i := range w.given() {
		w.places = max(w.places, -of.exponent(i))
	}
	if err := w.findMost(); err != nil {
		return err
	}
	edges := max(w.graph.Vertices()-1, 1)
	path := w.most * float64(edges)
	if math.IsInf(path, 1) {
		return fmt.Errorf("%w: up to %g, and a path of %d edges may be longer than the largest number, %g: divide them all by a power of ten", ErrLengths, w.most, edges, math.MaxFloat64)
	}
	if path*math.Pow10(w.places) < 1<<csr.LongestPath {
		if w.places > 0 {
			w.scale.Unit = fmt.Sprintf("10^-%d", w.places)
		}
		return w.countRounded()
	}
	if err := w.findCommon(path); err != nil || w.common != nil {
		return cmp.Or(err, w.countRounded())
	}
	_, exponent := math.Frexp(path)
	w.round, w.shift = true, csr.LongestPath-1-exponent
	if w.shift != 0 {
		w.scale.Unit = fmt.Sprintf("2^%d", -w.shift)
	}
	return w.findMerged()
}

// countRounded counts the numbers that reading has rounded.
func (w *weighing) countRounded() error {
	for _, of := range w.weights {
		w.scale.Rounded += of.Rounded
		w.scale.Rounding = max(w.scale.Rounding, of.Error)
	}
	return nil
}

// findMost finds the length of the longest edge, in the column's own unit.
func (w *weighing) findMost() error {
	if w.repeats != question.RepeatsSum {
		for of, i := range w.given() {
			w.most = max(w.most, of.float64(i))
		}
		return w.ctx.Err()
	}
	sums := make([]float64, len(w.graph.Targets))
	err := w.each(func(_ int, arc int64, of Weights, i int) error {
		sums[arc] += of.float64(i)
		w.most = max(w.most, sums[arc])
		return nil
	})
	w.most *= 1 + 1e-9 // above the rounding of the sums
	return err
}

// findMerged counts rounded numbers, and numbers that rounding makes equal to another.
func (w *weighing) findMerged() error {
	if err := w.countRounded(); err != nil {
		return err
	}
	rows := 0
	for _, of := range w.weights {
		rows += of.Len()
	}
	keys, spare := make([]uint64, 0, rows), make([]uint64, rows)
	different := func(key func(of Weights, i int) uint64) (int64, error) {
		keys = keys[:0]
		for of, i := range w.given() {
			keys = append(keys, key(of, i))
		}
		sorted := radix.Sort(w.ctx, keys, spare, 64)
		count := int64(0)
		for i, key := range sorted {
			if i == 0 || key != sorted[i-1] {
				count++
			}
		}
		return count, w.ctx.Err()
	}
	written, err := different(func(of Weights, i int) uint64 { return of.hash(i) })
	if err != nil {
		return err
	}
	left, err := different(func(of Weights, i int) uint64 {
		length, lost := w.exactly.rounded(of, i, w.shift)
		if lost > 0 {
			w.scale.Rounded++
			w.scale.Rounding = max(w.scale.Rounding, lost)
		}
		return uint64(length)
	})
	w.scale.Merged = written - left
	return err
}

// length returns the length of a row as a whole number of units; 0: it rounds to 0.
func (w *weighing) length(of Weights, i int) int64 {
	switch {
	case w.round:
		length, _ := w.exactly.rounded(of, i, w.shift)
		return length
	case w.common != nil:
		whole, _ := w.exactly.whole(of, i, w.places)
		return whole.Quo(whole, w.common).Int64()
	}
	length := of.Digits[i]
	for range w.places + of.exponent(i) {
		length *= 10
	}
	return length
}

// fill collects the lengths of all edges.
func (w *weighing) fill() error {
	lengths := w.graph.Lengths
	var smallest []int64 // of an edge's rows, where lengths has their sum
	if w.repeats == question.RepeatsSum {
		smallest = make([]int64, len(lengths))
	}
	var written []uint64 // by edge, where rounding may make different numbers equal
	if w.repeats == question.RepeatsError && w.round {
		written = make([]uint64, len(lengths))
	}
	return w.each(func(row int, arc int64, of Weights, i int) error {
		length := w.length(of, i)
		if length == 0 {
			return fmt.Errorf("%w: edge %d: %g is nothing beside the longest, %g, in whole numbers of %s", ErrLengths, row, of.float64(i), w.most, w.scale.Unit)
		}
		before := lengths[arc]
		if smallest != nil {
			before = smallest[arc]
		}
		other := before != 0 && before != length
		if written != nil {
			other = other || before != 0 && written[arc] != of.hash(i)
			written[arc] = of.hash(i)
		}
		if other {
			if w.repeats == question.RepeatsError {
				return fmt.Errorf("%w: edge %d: %s, and %s before between the same vertices", ErrLengths, row, of.Text(i), w.number(before))
			}
			w.differ[arc/64] |= 1 << (arc % 64)
		}
		if before == 0 {
			before = length
		}
		if smallest == nil {
			lengths[arc] = min(before, length)
		} else {
			smallest[arc] = min(before, length)
			lengths[arc] += length
		}
		return nil
	})
}

// number returns a length in the column's own unit.
func (w *weighing) number(length int64) string {
	if w.round {
		return "about " + strconv.FormatFloat(math.Ldexp(float64(length), -w.shift), 'g', -1, 64)
	}
	x := new(big.Int).SetInt64(length)
	if w.common != nil {
		x.Mul(x, w.common)
	}
	return decimalText(x, -w.places)
}
