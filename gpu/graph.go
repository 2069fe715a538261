package gpu

import (
	"slices"

	"bcstage/preprocess"
)

// graph is a block in device memory, as stride-CSR: see preprocess.Block.Stride.
type graph struct {
	memory     map[string]buffer // by the names that kernels have for them
	hubs, most int               // vertices of more than most edges
}

// graphBytes is about how much device memory a block takes.
func graphBytes(b *preprocess.Block) int64 {
	return int64(len(b.Targets))*(4+1) + int64(b.Vertices())*(4+4+8+8)
}

// upload copies a block to the device.
func upload(d driver, q queue, b *preprocess.Block, mdeg int) (*graph, error) {
	stride, err := b.Stride(mdeg)
	if err != nil {
		return nil, err
	}
	hubs := slices.Compact(slices.Clone(stride.Map))
	multiplicity := b.Multiplicity
	if multiplicity == nil {
		multiplicity = slices.Repeat([]float64{1}, b.Vertices())
	}
	owner := make([]byte, len(b.Targets)) // the low bits of the vertex that each edge leaves
	for v := range b.Vertices() {
		for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
			owner[e] = byte(v % team)
		}
	}
	g := &graph{memory: make(map[string]buffer), hubs: len(hubs), most: stride.Most}
	for _, part := range []struct {
		name string
		data []byte
	}{
		{"Ptr", bytesOf(stride.Ptr)},
		{"Adj", bytesOf(stride.Adj)},
		{"Hub", bytesOf(hubs)},
		{"Owner", owner},
		{"TargetMass", bytesOf(b.To)},
		{"Multiplicity", bytesOf(multiplicity)},
	} {
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

func (g *graph) release() {
	for _, b := range g.memory {
		b.release()
	}
}
