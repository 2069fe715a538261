package edgetable

import (
	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
)

// Options is the part of tables.Options that readers use, with defaults filled in.
type Options struct {
	Format                            tables.Format
	Header                            tables.Header
	Src, Dst, Weight, OneWay          string
	By, Keep, EdgeKeep                []string
	Bipartite, Directed, IgnoreWeight bool
	Nulls                             tables.Nulls
	IDs                               tables.IDs
	List                              bool // a vertex table is a list of ids: see ReadIDs
	Numbers                           bool // a list has numbers in place of ids, all columns of which are kept: see ReadNumbers
	Threads, MaxLine                  int
	MaxVertices                       int64
	Budget                            *budget.Budget
}
