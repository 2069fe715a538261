package resident

import (
	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/survey"
	"bcstage/preprocess"
)

// FewNear is the length of the rows of neighbours in kernels/solo.cl; rows have twice as many
// where vertices have more on average. SoloVertices is how many vertices it can tell apart.
const (
	FewNear      = 4
	SoloVertices = 1 << 16
)

// NearRow is the length of these rows for a block of some mean degree. Sources that are drawn on
// delaunay_n16 take an H200 10 us with eight, and 13 with four.
func NearRow(degree float64) int {
	if degree > FewNear {
		return 2 * FewNear
	}
	return FewNear
}

// nearParts are the arrays of a block for kernels/solo.cl. Vertices are numbered by cluster, so
// that near ones are reached soon after each other; place has the number of each vertex.
func nearParts(b *preprocess.Block) []Part {
	n := b.Vertices()
	order, place := Clusters(b), make([]uint16, n)
	for i, v := range order {
		place[v] = uint16(i)
	}
	length := NearRow(survey.MeanDegree(b))
	near := make([]uint16, length*n)
	for i, v := range order {
		row := near[length*i : length*(i+1)]
		for k := range row {
			row[k] = uint16(i)
		}
		if neighbours := b.Neighbours(uint32(v)); len(neighbours) <= length {
			for k, u := range neighbours {
				row[k] = place[u]
			}
		}
	}
	return []Part{{"Near", driver.Bytes(near)}, {"Order", driver.Bytes(order)}, {"Place", driver.Bytes(place)}}
}

// ClusterSize is the number of vertices of a cluster.
const ClusterSize = 64

// Clusters orders vertices by clusters, each grown breadth first.
func Clusters(b *preprocess.Block) []uint16 {
	n := b.Vertices()
	order, taken := make([]uint16, 0, n), make([]bool, n)
	for s := range n {
		if taken[s] {
			continue
		}
		taken[s] = true
		first := len(order)
		order = append(order, uint16(s))
		for at := first; at < len(order) && len(order) < first+ClusterSize; at++ {
			for _, u := range b.Neighbours(uint32(order[at])) {
				if !taken[u] && len(order) < first+ClusterSize {
					taken[u] = true
					order = append(order, uint16(u))
				}
			}
		}
	}
	return order
}
