package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/preprocess/question"
)

// VertexSet holds ids of vertices where paths begin, or end: see Options.Sources. In a run of several graphs, or a
// bipartite one, an id stands for every vertex with that id.
type VertexSet struct {
	ids     *building.Distinct // as text, in the order given
	repeats int
	dropped int // rows with a null
	set     question.Set
}

func newVertexIDs() *VertexSet { return &VertexSet{ids: building.NewDistinct()} }

// readIDs is arrowio.ReadIDs.
type readIDs = func(ctx context.Context, files tables.Options, take func(tables.Keys) error) (dropped int64, err error)

// ReadVertexSet reads ids from a file's first column with read, which is arrowio.ReadIDs. Every format with columns
// will do. Repeated ids are dropped while they are read. The memory counts in files.Budget.
func ReadVertexSet(ctx context.Context, read readIDs, files tables.Options) (*VertexSet, error) {
	s := newVertexIDs()
	hold := holding(files.Budget, func() string {
		return fmt.Sprintf("list of ids %s: after %d, %d of them distinct", strings.Join(files.Paths, " "), s.given(), s.count())
	})
	dropped, err := read(ctx, files, func(ids tables.Keys) error {
		for first := 0; first < ids.Len(); first += someIDs {
			some := building.Keys{Bytes: ids.Bytes, Offsets: ids.Offsets[first : min(first+someIDs, ids.Len())+1]}
			if err := hold(s.ids.Bytes(some) + hashing(s.count()+some.Len())); err != nil {
				return err
			}
			if err := s.add(some); err != nil {
				return err
			}
			if err := hold(s.ids.Bytes(building.Keys{}) + hashing(s.count())); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	s.close()
	s.dropped = int(dropped)
	return s, nil
}

// someIDs are added at once, after room was reserved as if all were new.
const someIDs = 1 << 12

// hashing is the memory to hash so many ids and to find their vertices, one after the other.
func hashing(count int) int64 { return 64 * int64(count) }

// VertexSetOf returns the set of some integers.
func VertexSetOf[K Integer](ids ...K) *VertexSet {
	return newVertexSet(len(ids), func(text []byte, i int) []byte { return fmt.Append(text, ids[i]) })
}

// StringVertexSet returns the set of some strings.
func StringVertexSet[K ~string](ids ...K) *VertexSet {
	return newVertexSet(len(ids), func(text []byte, i int) []byte { return append(text, ids[i]...) })
}

func newVertexSet(count int, appendID func(text []byte, i int) []byte) *VertexSet {
	s := newVertexIDs()
	for first := 0; first < count; first += someIDs {
		keys := building.Keys{Offsets: []int64{0}}
		for i := first; i < min(first+someIDs, count); i++ {
			keys.Bytes = appendID(keys.Bytes, i)
			keys.Offsets = append(keys.Offsets, int64(len(keys.Bytes)))
		}
		_ = s.add(keys) // strings are never refused
	}
	s.close()
	return s
}

// add adds ids.
func (s *VertexSet) add(ids building.Keys) error {
	before := s.count()
	err := s.ids.Add(ids)
	s.repeats += ids.Len() - (s.count() - before)
	return err
}

// number is the number of an id that was added.
func (s *VertexSet) number(id []byte) uint32 {
	i, _ := s.ids.Find(id)
	return uint32(i)
}

// count is the number of distinct ids, given the number of all.
func (s *VertexSet) count() int { return s.ids.Keys().Len() }
func (s *VertexSet) given() int { return s.count() + s.repeats }

// id returns an id by its number.
func (s *VertexSet) id(i int) []byte {
	ids := s.ids.Keys()
	return ids.Bytes[ids.Offsets[i]:ids.Offsets[i+1]]
}

// close computes the hash of all ids.
func (s *VertexSet) close() {
	s.set = question.SetOf(func(yield func([]byte) bool) {
		for i := range s.count() {
			if !yield(s.id(i)) {
				return
			}
		}
	})
}

// find returns the vertices of the set, ascending. flag is for the error, which counts the ids without a vertex.
func (s *VertexSet) find(ctx context.Context, n *names, flag string) ([]uint32, Ends, error) {
	found, list := make([]bool, s.count()), make([]uint32, 0, min(s.count(), n.IDs.Len()))
	ends := Ends{IDs: s.given(), Repeats: s.repeats, NullsDropped: s.dropped}
	same := func(i, _ int) { // an earlier id in another spelling
		found[i] = true
		ends.Repeats++
	}
	err := s.meet(ctx, n, same, func(i int, v uint32) {
		found[i] = true
		list = append(list, v)
	})
	if err != nil {
		return nil, Ends{}, err
	}
	ends.Vertices = len(list)
	if err := s.holdKnown(flag, func(i int) bool { return found[i] }); err != nil {
		return nil, ends, err
	}
	return list, ends, nil
}

// meet calls vertex with every vertex that has one of the ids, in order, and same as finder does. The error is the
// context's.
func (s *VertexSet) meet(ctx context.Context, n *names, same func(i, as int), vertex func(i int, v uint32)) error {
	see := s.finder(n, same)
	for v := range n.IDs.Len() {
		if v%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if i, ok := see(v); ok {
			vertex(i, uint32(v))
		}
	}
	return nil
}

// met returns the vertex of each id by number, or csr.None. It maps ids to earlier ids of another spelling in same.
// The error is the context's.
func (s *VertexSet) met(ctx context.Context, n *names) (of []uint32, same map[int]int, err error) {
	of, same = slices.Repeat([]uint32{csr.None}, s.count()), map[int]int{}
	if err := s.meet(ctx, n, func(i, as int) { same[i] = as }, func(i int, v uint32) { of[i] = v }); err != nil {
		return nil, nil, err
	}
	for i, as := range same {
		of[i] = of[as]
	}
	return of, same, nil
}

// holdKnown returns an error if some ids have no vertex, with their number.
func (s *VertexSet) holdKnown(flag string, known func(i int) bool) error {
	first, unknown := 0, 0
	for i := s.count() - 1; i >= 0; i-- {
		if !known(i) {
			first = i
			unknown++
		}
	}
	if unknown == 0 {
		return nil
	}
	return fmt.Errorf("%s: %w: %d of %d ids are not in the graph, the first is %s", flag, tables.ErrInput, unknown, s.count(), quoted(s.id(first)))
}

// finder returns a function from a vertex to its id in the set. Integers are compared as numbers, so 007 is the vertex
// 7 of a graph of integers. A binary id may be given as text. again gets an id that stands for the same vertices as
// another.
func (s *VertexSet) finder(n *names, again func(i, as int)) func(v int) (int, bool) {
	if n.texts() {
		var text []byte
		return func(v int) (int, bool) {
			raw := n.IDs.Bytes[n.IDs.Offsets[v]:n.IDs.Offsets[v+1]]
			if n.Type.IsInteger() { // a caller's slice of strings
				return s.ids.Find(raw)
			}
			text = n.Type.AppendFormat(text[:0], n.IDs, v)
			i, ok := s.ids.Find(text)
			if bytes.Equal(raw, text) || bytes.IndexByte(raw, '\\') >= 0 {
				return i, ok
			}
			// Bytes name a vertex as well as their form in text does; a table of text has that form only if this
			// program wrote it. With a backslash the bytes may be the form of other ids.
			if j, met := s.ids.Find(raw); met && ok {
				again(j, i)
			} else if met {
				return j, true
			}
			return i, ok
		}
	}
	places := make(map[uint64]int, s.count())
	for i := range s.count() {
		bits, ok := numberIn(n.Type, string(s.id(i)))
		if !ok {
			continue
		}
		if as, met := places[bits]; met {
			again(i, as)
			continue
		}
		places[bits] = i
	}
	return func(v int) (int, bool) {
		i, ok := places[n.IDs.Ints[v]]
		return i, ok
	}
}

// in returns the 64 bits of an id in a graph of integers; false: it is no such number.
func (s *VertexSet) in(n *names, id uint32) (bits uint64, ok bool) {
	if n.texts() {
		return 0, true
	}
	return numberIn(n.Type, string(s.id(int(id))))
}

// quoted formats an id for an error, cut to a readable length.
func quoted(id []byte) string {
	const most = 64
	if len(id) > most {
		return strconv.Quote(string(id[:most])) + "..."
	}
	return strconv.Quote(string(id))
}

// numberIn returns the 64 bits of a number in ids of the type; false: no id of the type is written so.
func numberIn(of tables.IDType, text string) (bits uint64, ok bool) {
	bits, err := strconv.ParseUint(text, 10, 64)
	if signed, signedErr := strconv.ParseInt(text, 10, 64); signedErr == nil {
		bits, err = uint64(signed), nil
	}
	negative := strings.HasPrefix(text, "-")
	return bits, err == nil && (of.Format(tables.Keys{Ints: []uint64{bits}}, 0)[0] == '-') == negative
}

// Integer is any integer type.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}
