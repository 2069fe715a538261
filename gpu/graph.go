package gpu

import (
	"slices"

	"bcstage/preprocess"
)

// graph is a block in device memory.
type graph struct {
	ptr, adj, hub, owner buffer
	weight, multiplicity buffer
	hubs, most           int // vertices of more than most edges
}

// graphBytes is the device memory of a block, more or less.
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
	g := &graph{hubs: len(hubs), most: stride.Most}
	for _, part := range []struct {
		to   *buffer
		data []byte
	}{
		{&g.ptr, bytesOf(stride.Ptr)},
		{&g.adj, bytesOf(stride.Adj)},
		{&g.hub, bytesOf(hubs)},
		{&g.owner, owner},
		{&g.weight, bytesOf(b.Weight)},
		{&g.multiplicity, bytesOf(multiplicity)},
	} {
		if *part.to, err = d.allocate(max(len(part.data), 8)); err == nil {
			err = q.write(*part.to, 0, part.data)
		}
		if err != nil {
			g.release()
			return nil, err
		}
	}
	return g, nil
}

func (g *graph) release() {
	for _, b := range []buffer{g.ptr, g.adj, g.hub, g.owner, g.weight, g.multiplicity} {
		if b != nil {
			b.release()
		}
	}
}
