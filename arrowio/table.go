package arrowio

// Table is a table by vertex: scores, or a partial result.
type Table struct {
	IDs      Keys            // id of each vertex, in first-seen order
	Type     IDType          // of the id column
	Scores   []float64       // by vertex; nil: no score column
	Integers []IntegerColumn // written after the scores, non-null int64; partial results have some
	Order    []uint32        // rows to write, by vertex; nil: all in first-seen order
	Metadata []KeyValue      // written under "bcstage:" in the schema or the file
}

// IntegerColumn is a further column, by vertex.
type IntegerColumn struct {
	Name   string
	Values []int64
}

// KeyValue is one entry of metadata; Key comes without the "bcstage:" prefix.
type KeyValue struct{ Key, Value string }
