package pipeline

import (
	"math"
	"strconv"
	"strings"
	"time"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// When a device is worthwhile. Its start and release take half a second together, so the cores must need at least that
// for the rest. With so many pairs of vertex and edge per thread they do on any graph; with so many edges the device
// starts while they are read.
const (
	worthLeft   = 500 * time.Millisecond
	lookEvery   = 10 * time.Millisecond
	worthEdges  = 1_000_000
	worthPairs  = 5e8
	lengthPairs = 4   // a pair by lengths takes a core as long as so many by hops: 6 on p2p-Gnutella31, 5 on ca-CondMat, 2 on wiki-Vote
	flowPairs   = 2.5 // likewise with scores of edges: 2.2 on musae_facebook, where devices take 1.1
	deepPairs   = 2   // likewise in meshes: 2 on t60k, 1.3 on delaunay_n16
)

// shape is what the rows read so far tell of a graph whose ids are whole numbers.
type shape struct {
	up, down int64  // rows that lead to a larger id, and to a smaller one
	near     int64  // rows whose ids differ by less than a 64th of the largest id so far
	largest  uint64 // id
}

// add counts the rows of a batch.
func (s *shape) add(src, dst []uint64) {
	for i := range min(len(src), len(dst)) {
		low, high := min(src[i], dst[i]), max(src[i], dst[i])
		s.largest = max(s.largest, high)
		if low < high && high-low < s.largest/64 {
			s.near++
		}
		switch {
		case src[i] < dst[i]:
			s.up++
		case src[i] > dst[i]:
			s.down++
		}
	}
}

// against is the share of rows that lead against the order of most, doubled: 0 where arcs make no cycle, and 1 where ids
// tell nothing.
func (s *shape) against() float64 {
	if s.up+s.down == 0 {
		return 1
	}
	return 2 * float64(min(s.up, s.down)) / float64(s.up+s.down)
}

// deep reports whether the graph is likely to be a mesh or a road network. More than half of their rows join ids near each
// other (.62 of delaunay_n16, .91 to 1.0 of t60k, luxembourg and road networks), fewer than a third of social and random
// graphs.
func (s *shape) deep() bool { return 2*s.near > s.up+s.down }

// worthReading reports whether the edges read so far justify a device, whatever the cores will show. Rows of a directed graph do
// not tell whether the reverse of each follows. If so, the search is that of an undirected graph with half of the edges, so a
// device must be worthwhile for that, too.
func worthReading(q question.Question, vertices int, edges int64, rows *shape, threads int) bool {
	return worthSearching(q, vertices, edges, rows, threads) && (!q.Directed || worthSearching(undirected(q), vertices, edges/2, rows, threads))
}

func undirected(q question.Question) question.Question {
	q.Directed = false
	return q
}

// worthSearching reports whether so many edges justify a device. A cutoff, masses,
// some ends alone or an estimate leave few vertices to search. Distances cost cores little, but in meshes. In undirected
// road networks, cores alone find them from junctions, and paths by lengths, too. Shares end searches early if they have a
// floor, a table or lengths. Cores alone sum flows by lengths, and repeated edges. Arcs that make no cycle take cores two
// sweeps for many sources, so pairs count as far as rows lead against the order of ids.
func worthSearching(q question.Question, vertices int, edges int64, rows *shape, threads int) bool {
	lengths, paths := q.Lengths.Column != "", q.Searches(measures.Paths)
	early := q.Shares() && (q.Decay.Floor > 0 || strings.HasPrefix(q.Decay.Share, "table") || lengths)
	alone := q.Edges && lengths || q.Lengths.Repeats == question.RepeatsKeep // see gpu.Leaves
	if q.Sample.Way != "" || q.Cutoff != "" || early || alone || q.HasMasses() || q.Sources != (question.Set{}) || q.Targets != (question.Set{}) {
		return false
	}
	pairs, deep := float64(vertices)*float64(edges), rows.deep()
	roads := deep && !q.Directed && 4*edges < 5*int64(vertices)
	switch {
	case paths && lengths && roads, !paths && (lengths || roads || !deep || !q.Searches(measures.Distances)):
		return false
	case paths && deep:
		pairs *= deepPairs
	}
	if lengths {
		pairs *= lengthPairs
	}
	if q.Edges {
		pairs *= flowPairs
	}
	if q.Directed {
		pairs *= rows.against()
	}
	return paths && edges >= worthEdges || pairs >= worthPairs*float64(threads)
}

// worthBuilt is worthReading with masses, a cutoff in edges, and directions that the graph has, when it is there. With d arcs a vertex, and x arcs a
// vertex at the end of an arc, a source reaches some d x^(k-1) vertices over k arcs.
func worthBuilt(q question.Question, g *csr.Graph, masses [2][]int64, rows *shape, threads int) bool {
	arcs, vertices, part := float64(len(g.Targets)), float64(g.Vertices()), 1.0
	if arcs == 0 || q.Cutoff == "" && !q.HasMasses() && !q.Directed {
		return false
	}
	if q.Directed && !q.Edges && twoWay(g) { // see step "two-way"
		q = undirected(q)
	}
	for _, of := range masses {
		zeros := 0.0
		for _, mass := range of {
			if mass == 0 {
				zeros++
			}
		}
		part = min(part, 1-zeros/vertices)
	}
	if q.Cutoff != "" {
		cutoff, err := strconv.ParseFloat(q.Cutoff, 64)
		if err != nil || g.HasLengths() {
			return false
		}
		ends := 0.0
		for v := range g.Vertices() {
			degree := float64(g.Offsets[v+1] - g.Offsets[v])
			ends += degree * degree
		}
		part *= min(arcs/vertices*math.Pow(ends/arcs, math.Floor(cutoff)-1)/vertices, 1)
	}
	q.Cutoff, q.Origins, q.Destinations, q.Gravity = "", question.Masses{}, question.Masses{}, question.Gravity{}
	if !q.Directed {
		arcs /= 2
	}
	return worthSearching(q, g.Vertices(), int64(arcs*part), rows, threads)
}

// twoWay reports whether each arc of a directed graph has its reverse, as long.
func twoWay(g *csr.Graph) bool {
	for v := range uint32(g.Vertices()) {
		if !g.TwoWay(v) {
			return false
		}
	}
	return true
}
