package gpu

import (
	"slices"
	"sync"

	"bcstage/preprocess"
)

// graph is a block in device memory, in compressed rows with 32-bit offsets, and its vertices of
// many edges. A directed one is there both ways round.
type graph struct {
	memory   map[string]buffer // by the names that kernels have for them; rows of the way in have In before their names
	out, in  splits            // of an undirected block the same
	numbered bool              // the arcs of edges are known: see stream.numberEdges; under the task's lock
}

// splits are the vertices of more than most edges.
type splits struct{ hubs, most int }

// graphBytes is about how much device memory a block takes, and no less: Hub may
// have all vertices.
func graphBytes(b *preprocess.Block) int64 {
	ways := int64(1)
	if b.Directed() {
		ways = 2
	}
	bytes := ways*(int64(len(b.Targets))*4+int64(b.Vertices())*(4+4+4)) + int64(b.Vertices())*(8+8)
	if b.HasLengths() {
		bytes += ways * int64(len(b.Targets)) * 8
	}
	if c := b.Chains; c != nil {
		bytes += int64(len(c.Junctions))*4 + int64(len(c.Ends))*(4+4*2*4) + int64(len(c.Inner))*(16+8) + int64(b.Vertices())*8
	}
	if b.Vertices() <= soloVertices {
		bytes += int64(nearRow(meanDegree(b))+2) * 2 * int64(b.Vertices())
	}
	if b.HasFlows() {
		bytes += 3*4*int64(b.Flows.Count()) + 4*int64(len(b.Targets))
	}
	return bytes
}

// upload copies a block to the device, for waves of a shape. Lengths are wide if distances are.
func upload(d driver, q queue, b *preprocess.Block, mdeg int, of shape) (*graph, error) {
	var parts []part
	if !b.Kind().Reach() {
		multiplicity := b.Multiplicity
		if multiplicity == nil {
			multiplicity = slices.Repeat([]float64{1}, b.Vertices())
		}
		parts = append(parts, part{"TargetMass", bytesOf(b.To)}, part{"Multiplicity", bytesOf(multiplicity)})
	}
	g := &graph{memory: make(map[string]buffer)}
	parts, g.out = rowsOf(parts, "", b, mdeg, of.wide)
	g.in = g.out
	if b.Directed() {
		parts, g.in = rowsOf(parts, "In", &preprocess.Block{Graph: *b.In, Reaches: preprocess.Reaches{Distances: b.Distances}}, mdeg, of.wide)
	}
	if b.Kind().Chained() {
		parts = append(parts, chainParts(b)...)
	}
	if of.near > 0 {
		parts = append(parts, nearParts(b)...)
	}
	var rooms map[string]int // what the device fills itself, in bytes
	switch {
	case of.arcs > 0:
		parts = append(parts, part{"ArcEdge", bytesOf(b.Flows.Of)})
		rooms = map[string]int{"EdgeAt": 4 * b.Flows.Count(), "EdgeBack": 4 * b.Flows.Count()}
	case b.HasFlows():
		parts = append(parts, edgeParts(b)...)
	}
	for name, bytes := range rooms {
		var err error
		if g.memory[name], err = d.allocate(max(bytes, 8)); err != nil {
			delete(g.memory, name)
			g.release()
			return nil, err
		}
	}
	for _, part := range parts {
		buffer, err := d.allocate(max(len(part.data), 8))
		if err == nil {
			g.memory[part.name] = buffer
			err = q.write(buffer, 0, part.data)
		}
		if err != nil {
			g.release()
			return nil, err
		}
	}
	return g, nil
}

// part is an array of a graph, by the name that kernels have for it.
type part struct {
	name string
	data []byte
}

// rowsOf adds a block's rows, with a word before their names.
func rowsOf(to []part, before string, b *preprocess.Block, mdeg int, wide bool) ([]part, splits) {
	ptr := make([]uint32, len(b.Offsets))
	onAllCores(len(ptr), func(first, end int) {
		for v := first; v < end; v++ {
			ptr[v] = uint32(b.Offsets[v])
		}
	})
	var hubs []uint32
	for v := range b.Vertices() {
		if ptr[v+1]-ptr[v] > uint32(mdeg) {
			hubs = append(hubs, uint32(v))
		}
	}
	to = append(to, part{before + "Ptr", bytesOf(ptr)}, part{before + "Adj", bytesOf(b.Targets)}, part{before + "Hub", bytesOf(hubs)})
	if b.HasLengths() && !b.Kind().Reach() {
		data := bytesOf(b.Lengths)
		if !wide {
			length := make([]uint32, len(b.Lengths))
			for e, l := range b.Lengths {
				length[e] = uint32(l)
			}
			data = bytesOf(length)
		}
		to = append(to, part{before + "Length", data})
	}
	return to, splits{len(hubs), mdeg}
}

// grain is how many vertices, or numbers, a goroutine gets at a time.
const grain = 1 << 14

// onAllCores runs body for all numbers below count, so many in a row: a device waits for that.
func onAllCores(count int, body func(first, end int)) { inGrains(count, grain, body) }

// inGrains is onAllCores by so many at a time.
func inGrains(count, grain int, body func(first, end int)) {
	var group sync.WaitGroup
	for first := 0; first < count; first += grain {
		group.Go(func() { body(first, min(first+grain, count)) })
	}
	group.Wait()
}

// rowsGrain is how many vertices a goroutine goes through the edges of at a time: some 2^14 edges.
func rowsGrain(b *preprocess.Block) int {
	return max(grain*b.Vertices()/max(len(b.Targets), 1), 1)
}

// way is the buffer of the way in, which an undirected block does not tell from the
// way out.
func (g *graph) way(name string) buffer {
	if b := g.memory["In"+name]; b != nil {
		return b
	}
	return g.memory[name]
}

func (g *graph) release() {
	for _, b := range g.memory {
		b.release()
	}
}
