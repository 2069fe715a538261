package searches

import (
	"fmt"
	"reflect"
	"unsafe"

	"bcstage/internal/csr"
	"bcstage/internal/gpu/naming"
)

// simulator is a device that runs Go twins of the kernels, one work-item after
// another, in an order of the arcs that the seed determines.
type simulator struct {
	problem string
	did     map[string]int // by driven strategies (twin_driven_test.go)
}

func (*simulator) Name() string { return "simulator" }
func (*simulator) Group() int   { return 100 } // not a power of two
func (*simulator) Units() int   { return 1 }
func (*simulator) Local() int   { return 1 << 20 }
func (*simulator) Close()       {}

func (s *simulator) Build(_, options string) (Program, error) {
	var standard string
	_, err := fmt.Sscanf(options, "%s -D PROBLEM=%s", &standard, &s.problem)
	return simProgram{s.problem}, err
}

type simProgram struct{ problem string }

type simKernel struct{ problem, name string }

func (p simProgram) Kernel(name string) (Kernel, error) { return simKernel{p.problem, name}, nil }
func (simProgram) Release()                             {}

// Allocate fills new memory with a pattern that is absurd as a place or a count.
func (*simulator) Allocate(bytes int) (Buffer, error) {
	words := make([]uint64, (bytes+7)/8)
	for i := range words {
		words[i] = 0xfff7_f7f7_fff7_f7f7
	}
	return words, nil
}

func (*simulator) Free(Buffer) {}

func raw(b Buffer) []byte {
	words := b.([]uint64)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)
}

func (*simulator) Write(to Buffer, offset int, data []byte) error {
	if copy(raw(to)[offset:], data) != len(data) {
		return fmt.Errorf("write of %d bytes at %d of %d", len(data), offset, len(raw(to)))
	}
	return nil
}

func (*simulator) Read(from Buffer, offset int, data []byte) error {
	if copy(data, raw(from)[offset:]) != len(data) {
		return fmt.Errorf("read of %d bytes at %d of %d", len(data), offset, len(raw(from)))
	}
	return nil
}

func (s *simulator) Launch(k Kernel, groups, items int, call any) error {
	kernel := k.(simKernel)
	call = value(call)
	if name := naming.Kernel(reflect.TypeOf(call)); name != kernel.name {
		return fmt.Errorf("kernel %s is called as %s", kernel.name, name)
	}
	if s.did == nil {
		s.did = map[string]int{}
	}
	t := twin{problem: kernel.problem, groups: groups, group: items, did: s.did}
	t.take(call)
	for _, run := range []func(*twin, any) bool{commonTwins, topologyTwins, queueTwins, sharingTwins, directionTwins, nearTwins, lanesTwins} {
		if run(&t, call) {
			return nil
		}
	}
	return fmt.Errorf("no twin of kernel %s", kernel.name)
}

// value returns a call, or the struct that it points to.
func value(call any) any {
	if v := reflect.ValueOf(call); v.Kind() == reflect.Pointer {
		return v.Elem().Interface()
	}
	return call
}

func words(b Buffer) []uint32 {
	w := b.([]uint64)
	return unsafe.Slice((*uint32)(unsafe.Pointer(&w[0])), len(w)*2)
}

func floats(b Buffer) []float64 {
	w := b.([]uint64)
	return unsafe.Slice((*float64)(unsafe.Pointer(&w[0])), len(w))
}

// twin has the common state of kernels: the buffers and numbers of a call, by
// name.
type twin struct {
	problem       string
	groups, group int
	number        map[string]uint32
	buffer        map[string]Buffer
	did           map[string]int
}

func (t *twin) take(call any) {
	t.number, t.buffer = map[string]uint32{}, map[string]Buffer{}
	v := reflect.ValueOf(call)
	for _, of := range naming.Fields(v.Type()) {
		field := v.FieldByIndex(of.Index).Interface()
		if number, ok := field.(uint32); ok {
			t.number[of.Name] = number
		} else {
			t.buffer[of.Name] = field
		}
	}
}

func (t *twin) of(name string) []uint32      { return words(t.buffer[name]) }
func (t *twin) floats(name string) []float64 { return floats(t.buffer[name]) }
func (t *twin) sizes(name string) []uint64   { return t.buffer[name].([]uint64) }
func (t *twin) atHand(u uint32) bool {
	if t.problem == "SSSP" {
		return t.of("Active")[u] == t.number["Round"]
	}
	return t.of("Dist")[u] == t.number["Round"]
}

// along is along of common.cl.
func (t *twin) along(u, e uint32) bool {
	v, round := t.of("Adj")[e], t.number["Round"]
	dist, offers := t.of("Dist"), t.of("Offers")
	if t.problem == "SSSP" {
		length := t.of("Lengths")[e]
		if length >= none-dist[u] {
			t.of("Fault")[0] = 1
			return false
		}
		offer := dist[u] + length
		if offer >= dist[v] || offer >= offers[v] {
			return false
		}
		offers[v] = offer
		before := t.of("Marks")[v]
		t.of("Marks")[v] = round + 1
		return before != round+1
	}
	if dist[v] != none {
		return false
	}
	if t.problem == "BC" {
		t.floats("Paths")[v] += t.floats("Paths")[u]
	}
	first := offers[v] == none
	offers[v] = round + 1
	return first
}

func commonTwins(t *twin, call any) bool {
	switch c := call.(type) {
	case fill:
		for i := range c.Words {
			words(c.Out)[i] = c.Value
		}
	case begin:
		t.of("Offers")[c.Source] = 0
		if t.problem == "BC" {
			t.floats("Paths")[c.Source] = 1
		}
	default:
		return false
	}
	return true
}

func topologyTwins(t *twin, call any) bool {
	switch c := call.(type) {
	case settleAll:
		for v := range c.N {
			if offer := t.of("Offers")[v]; offer < t.of("Dist")[v] {
				t.of("Dist")[v] = offer
				if t.problem == "SSSP" {
					t.of("Active")[v] = c.Round
				}
			}
		}
	case vertexStep:
		for v := range c.N {
			if t.atHand(v) {
				for e := t.of("Ptr")[v]; e < t.of("Ptr")[v+1]; e++ {
					if t.along(v, e) {
						t.sizes("Sizes")[c.At+1] += 1 << 32
					}
				}
			}
		}
	case edgeStep:
		for e := range c.Arcs {
			if u := t.of("Tails")[e]; t.atHand(u) && t.along(u, e) {
				t.sizes("Sizes")[c.At+1] += 1 << 32
			}
		}
	case vertexBack:
		for v := range c.N {
			if t.of("Dist")[v] == c.Level {
				t.floats("Sums")[v] = 0
				for e := t.of("Ptr")[v]; e < t.of("Ptr")[v+1]; e++ {
					t.share(v, e, c.Level)
				}
			}
		}
	case edgeBack:
		for e := range c.Arcs {
			if u := t.of("Tails")[e]; t.of("Dist")[u] == c.Level {
				t.share(u, e, c.Level)
			}
		}
	case closeAll:
		for v := range c.N {
			if t.of("Dist")[v] == c.Level {
				t.close(v)
			}
		}
	default:
		return false
	}
	return true
}

// share adds the share that the end of arc e passes back to u.
func (t *twin) share(u, e, level uint32) {
	if v := t.of("Adj")[e]; t.of("Dist")[v] == level+1 {
		t.floats("Sums")[u] += t.floats("Shares")[v]
	}
}

func (t *twin) close(v uint32) {
	paths, sums := t.floats("Paths"), t.floats("Sums")
	sums[v] *= paths[v]
	t.floats("Shares")[v] = (1 + sums[v]) / paths[v]
}

// append is append of queue.cl.
func (t *twin) append(v, most uint32) uint32 {
	ptr, n, at := t.of("Ptr"), t.number["N"], t.number["At"]
	degree := ptr[v+1] - ptr[v]
	ways := waysOf(degree, most)
	size := &t.sizes("Sizes")[at+1]
	arc, to := uint32(*size), t.of("Bases")[at+1]+uint32(*size>>32)
	*size += uint64(ways)<<32 | uint64(degree)
	begin := arc
	for i := range ways {
		entry := v
		if ways > 1 {
			entry = n + t.of("Firsts")[v] + i
		}
		t.of("Queue")[to+i], t.of("Starts")[to+i] = entry, begin
		begin += (degree - i + ways - 1) / ways
	}
	return arc
}

func waysOf(degree, most uint32) uint32 {
	s := csr.Stride{Most: int(most)}
	return uint32(max(s.Ways(int(degree)), 1))
}

// row is row_of of queue.cl.
func (t *twin) row(entry, most uint32) (v uint32, arcs []uint32, whole bool) {
	n, ptr := t.number["N"], t.of("Ptr")
	if entry < n {
		for e := ptr[entry]; e < ptr[entry+1]; e++ {
			arcs = append(arcs, e)
		}
		return entry, arcs, true
	}
	v = t.of("Map")[entry-n]
	for e := t.of("Off")[entry-n]; e < ptr[v+1]; e += waysOf(ptr[v+1]-ptr[v], most) {
		arcs = append(arcs, e)
	}
	return v, arcs, false
}

// list returns the entries of the round's list.
func (t *twin) list() (entries []uint32, first uint32) {
	first = t.of("Bases")[t.number["At"]]
	return t.of("Queue")[first : first+uint32(t.sizes("Sizes")[t.number["At"]]>>32)], first
}

// firstPart reports whether an entry is a vertex or its first part, and returns
// the vertex.
func (t *twin) firstPart(entry uint32) (v uint32, first bool) {
	n := t.number["N"]
	if entry < n {
		return entry, true
	}
	part := entry - n
	v = t.of("Map")[part]
	return v, part == 0 || t.of("Map")[part-1] != v
}

func queueTwins(t *twin, call any) bool {
	switch c := call.(type) {
	case settle:
		entries, first := t.list()
		t.of("Bases")[c.At+1] = first + uint32(len(entries))
		if t.problem == "SSSP" {
			t.of("Bases")[c.At+1] = c.Other - first
		}
		for _, entry := range entries {
			if v, first := t.firstPart(entry); first {
				t.of("Dist")[v] = t.of("Offers")[v]
				if t.problem == "SSSP" {
					t.of("Active")[v] = c.Round
				}
			}
		}
	case expand:
		entries, first := t.list()
		for i, entry := range entries {
			_, arcs, _ := t.row(entry, c.Most)
			copy(t.of("List")[t.of("Starts")[int(first)+i]:], arcs)
		}
	case contract:
		for _, e := range t.of("List")[:uint32(t.sizes("Counts")[c.Which])] {
			if t.along(t.origin(e), e) {
				t.append(t.of("Adj")[e], c.Most)
			}
		}
	case queueBack:
		for _, entry := range t.of("Queue")[c.First : c.First+c.Count] {
			v, arcs, whole := t.row(entry, c.Most)
			if whole {
				t.floats("Sums")[v] = 0
			}
			for _, e := range arcs {
				t.share(v, e, c.Level)
			}
		}
	case listBack:
		for _, e := range t.of("List")[:uint32(t.sizes("Counts")[c.Which])] {
			t.share(t.of("Origins")[e], e, c.Level)
		}
	case closeList:
		for _, entry := range t.of("Queue")[c.First : c.First+c.Count] {
			if v, first := t.firstPart(entry); first {
				t.close(v)
			}
		}
	default:
		return false
	}
	return true
}
