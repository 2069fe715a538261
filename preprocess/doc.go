// Package preprocess turns a graph (internal/csr, made by internal/building) into work that a
// compute engine can share, and says how to turn the engine's sums back into scores.
//
// Flow:
//
//	Reduce     Graph -> leaves folded -> components -> block-cut tree -> cliques
//	           and cycles settled -> chains found, twins merged -> sources
//	           ordered, in batches -> Plan; steps.go lists the steps. Measures
//	           of distances alone have blocks of their own: whole components,
//	           or laid out as roads. Edges whose scores are asked for
//	           have numbers (building.EdgeList)
//	Prepared   Plan, ids and degrees <-> a file that is mapped
//	Stride     one block -> the stride-CSR buffer that a device reads
//	Block.Each a block's sums -> graph vertices
//
// building.Scopes distinguishes several graphs, and the two sides of a bipartite one. From then on they are
// components of one Graph.
//
// The question about the graph is a question.Question; its package says which there are and which are answered.
//
// Units: every number that an engine returns, and Plan.ClosedForms, counts ordered pairs of original vertices. So
// does the score of a directed graph. The score of an undirected graph counts unordered pairs, half of them. So
// closed forms are whole numbers even where a pair's shortest paths divide in two: wholes.Forms.Restore.
//
// A directed Graph has its arcs both ways round, and Reduce works on two graphs. Connection (folding, components,
// blocks) is found in its shadow, the undirected graph under it; paths use the arcs.
//
// Ownership: a Graph, Plan and Block are never written after they are returned and may be read from any goroutine.
//
// Complexity: every step is O(n + m) time and memory, except the sort of m edges, which is a radix sort; the
// orders of sources, O((n + m) log n); and closed forms of edges, which are looked up in rows, O(m log n). Counts
// of the vertices reached along arcs or within a cutoff are searches for 64 vertices at once. No step recurses.
//
// Stability: programs may import it, since package pipeline is made of it, but any
// version may change it; docs/release.md says what is stable.
package preprocess
