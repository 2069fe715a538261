// Package preprocess turns a graph (internal/csr, made by internal/building) into work that a
// compute engine can share, and says how to turn the engine's sums back into scores.
//
// Flow:
//
//	Reduce     Graph -> leaves folded -> components -> block-cut tree -> cliques
//	           and cycles settled -> chains found, twins merged -> sources
//	           ordered, in batches -> Plan; steps.go lists them. What is made
//	           of distances alone has blocks of its own, of whole components
//	           or laid out as roads, and edges whose scores are asked for
//	           have numbers (building.EdgeList)
//	Prepared   Plan, ids and degrees <-> a file that is mapped
//	Stride     one block -> the stride-CSR buffer that a device reads
//	Block.Each a block's sums -> graph vertices
//
// Several graphs, and the two sides of a bipartite one, are told apart by building.Scopes,
// and from then on are components of one Graph.
//
// What is asked of the graph is a question.Question: the package of that name
// says which, and what is answered.
//
// Units: every number an engine returns, and Plan.ClosedForms, counts ordered pairs
// of original vertices, which the score of a directed graph counts, too; that of
// an undirected one counts unordered pairs, half of them. So the closed forms are
// whole numbers even where a pair's shortest paths divide in two: Restore.
//
// A directed Graph has its arcs both ways round, and Reduce works on two graphs:
// what is about connection (folding, components, blocks) is found in its shadow,
// the undirected graph under it, and what is about paths uses the arcs.
//
// Ownership: a Graph, Plan and Block are never written after they are returned and may be read from any goroutine.
//
// Complexity: every step is O(n + m) time and memory, except the sort of m
// edges, which is a radix sort; the orders of sources, O((n + m) log n); closed forms
// of edges, which are looked up in rows, O(m log n); and counts of what vertices reach
// along arcs or within a cutoff, searches for 64 vertices at once. No step recurses.
//
// Stability: programs may import it, since package pipeline is made of it, but any
// version may change it; docs/release.md says what is stable.
package preprocess
