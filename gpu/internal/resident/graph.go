// Package resident lays a block out in device memory.
package resident

import (
	"slices"
	"sync"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/survey"
	"bcstage/internal/csr"
	"bcstage/preprocess"
)

// Graph is a block in device memory, in compressed rows with 32-bit offsets, with its vertices of
// many edges. A directed one has rows of arcs out and of arcs in.
type Graph struct {
	Memory  map[string]driver.Buffer // by the names that kernels use; rows of arcs in have the prefix In
	Out, In splits                   // the same for an undirected block

	Numbering sync.Mutex
	Numbered  bool // the arcs of edges are known: see numberEdges
}

// splits are the vertices of more than most edges.
type splits struct{ Hubs, Most int }

// GraphBytes is about the device memory of a block, in bytes, and no less: Hub may have all
// vertices.
func GraphBytes(b *preprocess.Block) int64 {
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
	if b.Vertices() <= SoloVertices {
		bytes += int64(NearRow(survey.MeanDegree(b))+2) * 2 * int64(b.Vertices())
	}
	if b.Decay != nil {
		shares, _ := b.Decay.Numbers(survey.Beyond(b))
		bytes += 8 * shares
	}
	if b.HasFlows() {
		bytes += 3*4*int64(b.Flows.Count()) + 4*int64(len(b.Targets))
	}
	return bytes
}

// Layout says which parts of a block are on the device, beside its rows.
type Layout struct {
	Wide bool // lengths have more than 32 bits, as distances do
	Near int  // neighbours of a vertex that are in rows of equal length too; 0: none
	Arcs int  // arcs numbered by edge, of a block that has Flows; 0: the edges are listed
}

// Upload copies a block to the device.
func Upload(d driver.Driver, q driver.Queue, b *preprocess.Block, mdeg int, of Layout) (*Graph, error) {
	var parts []Part
	if b.To != nil { // paths are counted
		multiplicity := b.Multiplicity
		if multiplicity == nil {
			multiplicity = slices.Repeat([]float64{1}, b.Vertices())
		}
		mass := b.To
		if b.Decay != nil {
			mass = slices.Concat(mass, b.Decay.Table(survey.Beyond(b)))
		}
		parts = append(parts, Part{"TargetMass", driver.Bytes(mass)}, Part{"Multiplicity", driver.Bytes(multiplicity)})
	}
	g := &Graph{Memory: make(map[string]driver.Buffer)}
	parts, g.Out = rowsOf(parts, "", &b.Graph, mdeg, of.Wide)
	g.In = g.Out
	if b.Directed() {
		parts, g.In = rowsOf(parts, "In", b.In, mdeg, of.Wide)
	}
	if b.Chains != nil {
		parts = append(parts, chainParts(b)...)
	}
	if of.Near > 0 {
		parts = append(parts, nearParts(b)...)
	}
	var rooms map[string]int // filled by the device; in bytes
	switch {
	case of.Arcs > 0:
		parts = append(parts, Part{"ArcEdge", driver.Bytes(b.Flows.Of)})
		rooms = map[string]int{"EdgeAt": 4 * b.Flows.Count(), "EdgeBack": 4 * b.Flows.Count()}
	case b.HasFlows():
		parts = append(parts, EdgeParts(b)...)
	}
	for name, bytes := range rooms {
		var err error
		if g.Memory[name], err = d.Allocate(max(bytes, 8)); err != nil {
			delete(g.Memory, name)
			g.Release()
			return nil, err
		}
	}
	for _, part := range parts {
		buffer, err := d.Allocate(max(len(part.Data), 8))
		if err == nil {
			g.Memory[part.Name] = buffer
			err = q.Write(buffer, 0, part.Data)
		}
		if err != nil {
			g.Release()
			return nil, err
		}
	}
	return g, nil
}

// Part is an array of a graph, with its name in kernels.
type Part struct {
	Name string
	Data []byte
}

// rowsOf adds a graph's rows, with a prefix to their names.
func rowsOf(to []Part, before string, g *csr.Graph, mdeg int, wide bool) ([]Part, splits) {
	ptr := make([]uint32, len(g.Offsets))
	OnAllCores(len(ptr), func(first, end int) {
		for v := first; v < end; v++ {
			ptr[v] = uint32(g.Offsets[v])
		}
	})
	var hubs []uint32
	for v := range g.Vertices() {
		if ptr[v+1]-ptr[v] > uint32(mdeg) {
			hubs = append(hubs, uint32(v))
		}
	}
	to = append(to, Part{before + "Ptr", driver.Bytes(ptr)}, Part{before + "Adj", driver.Bytes(g.Targets)}, Part{before + "Hub", driver.Bytes(hubs)})
	if g.HasLengths() {
		data := driver.Bytes(g.Lengths)
		if !wide {
			length := make([]uint32, len(g.Lengths))
			for e, l := range g.Lengths {
				length[e] = uint32(l)
			}
			data = driver.Bytes(length)
		}
		to = append(to, Part{before + "Length", data})
	}
	return to, splits{len(hubs), mdeg}
}

// Way is the buffer of arcs in; an undirected block has only that of arcs out.
func (g *Graph) Way(name string) driver.Buffer {
	if b := g.Memory["In"+name]; b != nil {
		return b
	}
	return g.Memory[name]
}

func (g *Graph) Release() {
	for _, b := range g.Memory {
		b.Release()
	}
}
