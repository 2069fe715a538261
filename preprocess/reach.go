package preprocess

import (
	"context"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

// spreadMasses gives the blocks their two masses, if there are two, and adds the pairs
// that pass between blocks to the closed forms. A path enters a block at one vertex and
// leaves it at one. So all that hangs on a vertex of a block outside it is a source of
// the mass that reaches the vertex there, and a target of the mass that the vertex
// reaches there. With, for a block B and v in it,
//
//	in(B,v)   source mass of the others of B that reach v inside B
//	out(B,v)  target mass of the others of B that v reaches inside B
//	From(B,v) = from(v) + sum over v's other blocks C of in(C,v)
//	To(B,v)   = to(v)   + sum over v's other blocks C of out(C,v)
//
// where from and to are those of masses, v has
//
//	(sum of in)(sum of out) - sum of in * out          over its blocks
//
// paths from one of its blocks to another. Masses are summed up the tree of blocks, each
// head receiving those of its block's members, and spread down again.
func (r *reducer) spreadMasses(ctx context.Context, closed wholes.Forms) (err error) {
	if r.masses == nil {
		return nil
	}
	k := r.copier
	if r.plan.Blocks, err = k.copyAll(ctx, r.outlines, r.opts.Threads); err != nil {
		return err
	}
	for i := range r.plan.Blocks {
		if b := &r.plan.Blocks[i]; b.OneMass() {
			b.To = make([]float64, len(b.From))
		}
	}
	s := newSpreading(r, closed)
	for number := len(s.place) - 1; number >= 0; number-- {
		if err := s.up(ctx, number); err != nil {
			return err
		}
	}
	for number := range s.place {
		if err := s.down(ctx, number, r.opts.Threads); err != nil {
			return err
		}
	}
	for v := range s.in {
		closed.Add(uint32(v), s.in[v], s.out[v])
	}
	r.masses.unfold(r.folds, s.in, s.out, closed)
	err = r.masses.edges(ctx, r.folds, s.in, s.out, r.edges, r.edgeForms())
	r.masses, r.folds = nil, nil
	return err
}

// spreading is the state of spreadMasses. A block's number is its place in the copier's
// blocks: blocks that hang on its members come after it.
type spreading struct {
	*masses
	closed wholes.Forms
	blocks []Block

	place   []int      // by number of a block: its place among blocks
	head    [][2]int64 // by number: in and out of its head
	in, out []int64    // by graph vertex: sums over its blocks met so far
	wanted  []bool     // by graph vertex: something hangs on it that needs in and out of its blocks

	components strongSearch
	around     reachSearch
}

func newSpreading(r *reducer, closed wholes.Forms) *spreading {
	k, n := r.copier, r.plan.Vertices
	s := &spreading{masses: r.masses, closed: closed, blocks: r.plan.Blocks, place: make([]int, k.count()), head: make([][2]int64, k.count()),
		in: make([]int64, n), out: make([]int64, n), wanted: make([]bool, n)}
	for i, e := range r.outlines {
		s.place[e.block] = i
	}
	for _, head := range k.head {
		s.wanted[k.vertex[head]] = true
	}
	for _, v := range r.folds.into {
		s.wanted[v] = true
	}
	return s
}

// up gives the head of a block the masses of the other vertices, and these their own.
func (s *spreading) up(ctx context.Context, number int) error {
	b := &s.blocks[s.place[number]]
	b.From[0] = 0 // down sets it; a sum with what stood there may not be exact
	for i, v := range b.vertices[1:] {
		if i%parallel.Interval == parallel.Interval-1 && ctx.Err() != nil {
			return ctx.Err()
		}
		b.From[i+1] = float64(s.from[v] + s.in[v])
		b.To[i+1] = float64(s.to[v] + s.out[v])
	}
	in, out, err := s.around.sums(ctx, b, 0)
	s.head[number] = [2]int64{in, out}
	s.meet(b.vertices[0], in, out)
	return err
}

// meet adds the masses of a vertex in a block.
func (s *spreading) meet(v uint32, in, out int64) {
	s.in[v] += in
	s.out[v] += out
	s.closed.Sub(v, in, out)
}

// fewVertices is the block size up to which searching from each wanted vertex takes less
// time than finding the components.
const fewVertices = 16

// down gives the head of a block its masses, and the other wanted vertices theirs in the
// block.
func (s *spreading) down(ctx context.Context, number, threads int) error {
	b := &s.blocks[s.place[number]]
	head := b.vertices[0]
	b.From[0] = float64(s.from[head] + s.in[head] - s.head[number][0])
	b.To[0] = float64(s.to[head] + s.out[head] - s.head[number][1])
	var wanted []uint32
	for i, v := range b.vertices[1:] {
		if s.wanted[v] {
			wanted = append(wanted, uint32(i+1))
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	if others := s.head[number]; !b.Directed() {
		for _, i := range wanted {
			s.meet(b.vertices[i], others[0]+int64(b.From[0]-b.From[i]), others[1]+int64(b.To[0]-b.To[i]))
		}
		return nil
	}
	if b.Vertices() <= fewVertices {
		for _, i := range wanted {
			in, out, err := s.around.sums(ctx, b, i)
			if err != nil {
				return err
			}
			s.meet(b.vertices[i], in, out)
		}
		return nil
	}
	components, err := s.components.find(ctx, &b.Graph)
	if err != nil {
		return err
	}
	place := make([]uint32, components.count) // of a component in about, plus one
	var about []uint32
	for _, i := range wanted {
		if of := components.of[i]; place[of] == 0 {
			about = append(about, of)
			place[of] = uint32(len(about))
		}
	}
	there, err := condense(ctx, &b.Graph, components, b.To)
	if err != nil {
		return err
	}
	out, err := there.reached(ctx, about, threads)
	if err != nil {
		return err
	}
	for i, of := range about {
		about[i] = uint32(components.count-1) - of
	}
	back, err := condense(ctx, b.Reverse(), components.reversed(), b.From)
	if err != nil {
		return err
	}
	in, err := back.reached(ctx, about, threads)
	for _, i := range wanted {
		at := place[components.of[i]] - 1
		s.meet(b.vertices[i], in[at]-int64(b.From[i]), out[at]-int64(b.To[i]))
	}
	return err
}

// reachSearch searches a block from one vertex, and reuses its memory.
type reachSearch struct {
	met   []bool
	queue []uint32
}

// sums returns the source mass of all other vertices of a block that reach v, and the
// target mass of all others that v reaches. The only error is the context's.
func (s *reachSearch) sums(ctx context.Context, b *Block, v uint32) (in, out int64, err error) {
	if !b.Directed() {
		from, to := b.Masses()
		return int64(from - b.From[v]), int64(to - b.To[v]), nil
	}
	if in, err = s.sum(ctx, b.Reverse(), v, b.From); err == nil {
		out, err = s.sum(ctx, &b.Graph, v, b.To)
	}
	return in, out, err
}

// sum returns the mass of all other vertices that v reaches.
func (s *reachSearch) sum(ctx context.Context, g *csr.Graph, v uint32, mass []float64) (int64, error) {
	s.met = resized(s.met, g.Vertices())
	clear(s.met)
	s.met[v] = true
	var err error
	if s.queue, err = g.BreadthFirst(ctx, append(s.queue[:0], v), s.met); err != nil {
		return 0, err
	}
	total := 0.0
	for _, u := range s.queue[1:] {
		total += mass[u]
	}
	return int64(total), nil
}
