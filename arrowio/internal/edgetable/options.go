package edgetable

import (
	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
)

// Options are what readers heed of tables.Options, defaults filled in.
type Options struct {
	Format                            tables.Format
	Header                            tables.Header
	Src, Dst, Weight, OneWay          string
	By, Keep, EdgeKeep                []string
	Bipartite, Directed, IgnoreWeight bool
	Nulls                             tables.Nulls
	IDs                               tables.IDs
	List                              bool // a vertex table is a list of ids: see ReadIDs
	Threads, MaxLine                  int
	MaxVertices                       int64
	Budget                            *budget.Budget
}
