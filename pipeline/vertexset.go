package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio"
	"bcstage/preprocess/question"
)

// VertexSet is ids of vertices where paths begin, or end: see Options.Sources. In
// a run of several graphs, or a bipartite one, an id stands for every vertex that
// is called so.
type VertexSet struct {
	ids     []string // as text, each once, in the order in which they are given
	repeats int
	set     question.Set
}

// ReadVertexSet reads the ids of a file's first column, which may have any format
// but those without columns: see arrowio.ReadIDs.
func ReadVertexSet(ctx context.Context, files arrowio.Options) (*VertexSet, error) {
	ids, err := arrowio.ReadIDs(ctx, files)
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	return newVertexSet(ids.Len(), func(i int) string { return string(ids.Bytes[ids.Offsets[i]:ids.Offsets[i+1]]) }), nil
}

// VertexSetOf is the set of some integers.
func VertexSetOf[K Integer](ids ...K) *VertexSet {
	return newVertexSet(len(ids), func(i int) string { return fmt.Sprint(ids[i]) })
}

// StringVertexSet is the set of some strings.
func StringVertexSet[K ~string](ids ...K) *VertexSet {
	return newVertexSet(len(ids), func(i int) string { return string(ids[i]) })
}

func newVertexSet(count int, id func(i int) string) *VertexSet {
	s := &VertexSet{}
	met := make(map[string]bool, count)
	for i := range count {
		text := id(i)
		if met[text] {
			s.repeats++
			continue
		}
		met[text] = true
		s.ids = append(s.ids, text)
	}
	s.set = question.SetOf(func(yield func([]byte) bool) {
		for _, text := range s.ids {
			if !yield([]byte(text)) {
				return
			}
		}
	})
	return s
}

// Ends is what statistics say of the vertices where paths begin, or end.
type Ends struct {
	IDs      int `json:"ids"`     // given
	Repeats  int `json:"repeats"` // of them, that were given before; each counts once
	Vertices int `json:"vertices"`
}

// find gives the vertices of the set, ascending. flag is for the error, which
// counts the ids that no vertex has.
func (s *VertexSet) find(ctx context.Context, n *names, flag string) ([]uint32, Ends, error) {
	found, list := make([]bool, len(s.ids)), make([]uint32, 0, len(s.ids))
	ends := Ends{IDs: len(s.ids) + s.repeats, Repeats: s.repeats}
	see := s.finder(n, func(i int) { // the number of an id before, written in another way
		found[i] = true
		ends.Repeats++
	})
	for v := range n.IDs.Len() {
		if v%(1<<16) == 0 && ctx.Err() != nil {
			return nil, Ends{}, ctx.Err()
		}
		if i, ok := see(v); ok {
			found[i] = true
			list = append(list, uint32(v))
		}
	}
	ends.Vertices = len(list)
	if first := slices.Index(found, false); first >= 0 {
		unknown := 0
		for _, ok := range found {
			if !ok {
				unknown++
			}
		}
		return nil, ends, fmt.Errorf("%s: %w: %d of %d ids are no vertex of the graph, the first of them %s", flag, arrowio.ErrInput, unknown, len(s.ids), strconv.Quote(s.ids[first]))
	}
	return list, ends, nil
}

// finder tells which of the ids a vertex has. Integers are compared as such, so
// that 007 is the vertex 7 of a graph of integers; and what a table of binary ids calls
// a vertex, a text does, too.
func (s *VertexSet) finder(n *names, again func(i int)) func(v int) (int, bool) {
	if n.IDs.Offsets != nil {
		places := make(map[string]int, len(s.ids))
		for i, id := range s.ids {
			places[id] = i
		}
		var text []byte
		return func(v int) (int, bool) {
			raw := n.IDs.Bytes[n.IDs.Offsets[v]:n.IDs.Offsets[v+1]]
			if n.Type.IsInteger() { // a caller's slice of strings
				i, ok := places[string(raw)]
				return i, ok
			}
			text = n.Type.AppendFormat(text[:0], n.IDs, v)
			i, ok := places[string(text)]
			if bytes.Equal(raw, text) || bytes.IndexByte(raw, '\\') >= 0 {
				return i, ok
			}
			// Bytes are as good a name as their form in text, which a table of text has only if it was
			// written here. With a backslash they may be the form of others.
			if j, met := places[string(raw)]; met && ok {
				again(j)
			} else if met {
				return j, true
			}
			return i, ok
		}
	}
	places := make(map[uint64]int, len(s.ids))
	for i, id := range s.ids {
		bits, err := strconv.ParseUint(id, 10, 64)
		if signed, signedErr := strconv.ParseInt(id, 10, 64); signedErr == nil {
			bits, err = uint64(signed), nil
		}
		if err != nil || !sameNumber(n.Type, bits, id) {
			continue
		}
		if _, met := places[bits]; met {
			again(i)
			continue
		}
		places[bits] = i
	}
	return func(v int) (int, bool) {
		i, ok := places[n.IDs.Ints[v]]
		return i, ok
	}
}

// sameNumber tells whether the 64 bits are the text's number in ids of the type,
// not one beyond its range.
func sameNumber(of arrowio.IDType, bits uint64, text string) bool {
	negative := strings.HasPrefix(text, "-")
	return (of.Format(arrowio.Keys{Ints: []uint64{bits}}, 0)[0] == '-') == negative
}
