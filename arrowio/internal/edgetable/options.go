package edgetable

import "bcstage/arrowio/tables"

// Options are those of a reader: tables.Options with defaults filled in, and the kind of table.
type Options struct {
	tables.Options
	List    bool // a vertex table is a list of ids: see ReadIDs
	Numbers bool // a list has numbers in place of ids, all columns of which are kept: see ReadNumbers
}
