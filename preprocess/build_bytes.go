package preprocess

// Bytes is the most memory that the Builder will have held when Build returns, if
// vertices more ids, all of them new, and rows more edges are all that is still
// added. The growth of its tables is part of it, garbage is not.
func (b *Builder) Bytes(vertices, rows int) int64 {
	edges := int64(0)
	for _, chunk := range b.edges {
		edges += held(chunk.src) + held(chunk.dst)
	}
	room := max(int64(rows), b.rows/8)
	reading := edges + 2*4*room
	ids := int64(0)
	if b.table != nil {
		var numbering int64
		numbering, ids = b.table.bytes(vertices)
		reading += numbering
	}
	building := rowsBytes(b.Vertices()+vertices, b.rows+int64(rows), b.Directed)
	if len(b.weights) > 0 {
		weights := held(b.weights) + 10*room
		for _, of := range b.weights {
			weights += held(of.Digits) + held(of.Exponents)
		}
		reading += weights
		// The edges stay, and both arcs of each get a length.
		building += weights + edges + 8*room + 2*8*(b.rows+int64(rows))
	}
	if b.KeepEdges { // as they were given, and the numbers that they get
		building += edges + 8*room + 2*8*(b.rows+int64(rows))
	}
	return max(reading, ids+building)
}

// rowsBytes is the most memory that makeRows holds, the edges that it is given
// included: them and their keys first, then both orders of the keys and the
// graph, which has two arrays of offsets if it is directed.
func rowsBytes(n int, edges int64, directed bool) int64 {
	key := int64(4)
	if bucketsFor(n, int(edges)).keyBits() > 32 {
		key = 8
	}
	given, graph := 8*edges, 8*int64(n+1)+8*edges
	if directed {
		graph += 8 * int64(n+1)
	}
	return max(given+key*edges, 2*key*edges+graph)
}
