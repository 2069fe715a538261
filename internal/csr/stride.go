package csr

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// ErrStride says that a graph has 2^32 directed edges or more, so that 32-bit
// offsets cannot hold it.
var ErrStride = errors.New("graph has too many edges for 32-bit offsets")

// Stride is a graph in the form of the buffer that a device reads: compressed rows with
// 32-bit offsets. Vertices of degree above Most are split into virtual vertices, each
// with at most Most of the edges. Virtual vertex i is part of Map[i] and takes every k-th
// edge from Off[i] to the end of the row, k being the number of virtual vertices of
// Map[i]: Ways(degree). So work-items that share a vertex read neighbouring words. The
// virtual vertices of a vertex are consecutive; their first edges are the first k of its
// row.
//
// The strategies of package gpu find in Map the vertices with many edges, and let a whole
// work-group share each. Searches from one source split them: package
// internal/gpu/searches.
//
// A.E. Sariyuce, K. Kaya, E. Saule, U.V. Catalyurek, "Betweenness centrality on
// GPUs and heterogeneous architectures", GPGPU-6, 2013: virtual vertices and
// stride-CSR.
type Stride struct {
	Ptr  []uint32 // n+1: the neighbours of v are Adj[Ptr[v]:Ptr[v+1]]
	Adj  []uint32 // the graph's own Targets, not a copy
	Map  []uint32 // vmap: real vertex of each virtual vertex, ascending
	Off  []uint32 // voff: its first edge, a position in Adj
	Most int      // mdeg: edges of a virtual vertex, at most; at least 1
}

// Ways returns the number of virtual vertices of a vertex of the given degree: 0 if it is
// not split.
func (s *Stride) Ways(degree int) int {
	if degree <= s.Most {
		return 0
	}
	return (degree + s.Most - 1) / s.Most
}

// Mdeg returns the largest number of edges of a virtual vertex of Stride(mdeg): mdeg or,
// for 0, a choice by the degrees: see splitAbove. The error is that of Stride.
func (g *Graph) Mdeg(mdeg int) (int, error) {
	switch {
	case mdeg < 0:
		return 0, fmt.Errorf("csr: mdeg %d: want 0 or more", mdeg)
	case int64(len(g.Targets)) > math.MaxUint32:
		return 0, fmt.Errorf("csr: %w: %d", ErrStride, len(g.Targets))
	case mdeg == 0:
		return splitAbove(g), nil
	}
	return mdeg, nil
}

// Stride lays the graph out with virtual vertices of at most mdeg edges. With
// mdeg 0 the degrees decide: see Mdeg. The error is ErrStride, or
// one of a negative mdeg.
func (g *Graph) Stride(mdeg int) (*Stride, error) {
	mdeg, err := g.Mdeg(mdeg)
	if err != nil {
		return nil, err
	}
	n := g.Vertices()
	s := &Stride{Ptr: make([]uint32, n+1), Adj: g.Targets, Most: mdeg}
	for v := range n {
		s.Ptr[v+1] = uint32(g.Offsets[v+1])
		for i := range s.Ways(int(g.Offsets[v+1] - g.Offsets[v])) {
			s.Map = append(s.Map, uint32(v))
			s.Off = append(s.Off, s.Ptr[v]+uint32(i))
		}
	}
	return s, nil
}

// splitAbove chooses mdeg: the smallest power of two, and not below 32, that leaves 15 of
// 16 vertices whole. Splitting is for the few vertices that would delay a whole level; a
// degree that many vertices have delays none.
//
// The threshold comes from a histogram of the degrees, as in A. Raval et al., "Dynamic
// load balancing strategies for graph applications on GPUs", 2017 (node splitting). Their
// bins are of equal width; here they double, because degrees range over orders of
// magnitude.
func splitAbove(g *Graph) int {
	var bins [65]int // bin i: degrees of 2^(i-1)+1 to 2^i, so none above 2^i
	for v := range g.Vertices() {
		bins[bits.Len64(uint64(max(g.Offsets[v+1]-g.Offsets[v], 1)-1))]++
	}
	split := g.Vertices()
	for i, count := range bins {
		split -= count
		if i >= 5 && split <= g.Vertices()/16 {
			return 1 << i
		}
	}
	panic("csr: no degree passes 2^64")
}
