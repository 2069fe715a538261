// Package arrowio reads edge tables and writes score tables. It knows every file
// format, compression and Arrow type of the project. It is the only importer of Arrow:
// moving to a later Arrow major edits this folder alone.
//
// Flow:
//
//	Read          paths, globs, folders, stdin -> bytes -> format -> batches of two key
//	              columns, and of the columns that name each row's graph
//	FromRecords   <-chan Record -> the same batches
//	Write         columns that name a vertex + columns of numbers -> stream, file, Parquet,
//	              CSV, JSON lines
//	ToRecords     the same columns -> chan<- Record
//	ReadTable     Arrow or Parquet that Write wrote -> the same columns
//	WriteRows     rows of a generator -> the same formats; WriteEdges: edges, also as an edge list
//
// Damaged input ends in tables.ErrCorrupt, in memory bounded by the input's size and
// tables.Options.MaxExpansion. Arrow's decoders do not guarantee that. So their input
// is checked before (ipccheck) and after (columnar), and Parquet pages are decoded
// here (parquetpages).
//
// Package tables has the types that this package shares with the computing packages,
// without Arrow. Packages under internal, from the ground up:
//
//	faults        the classes of errors, panics turned into them, how far bytes may expand
//	thrift        structures of Parquet's footer and page headers
//	ids           ids of vertices: in batches, and in a column on its way there
//	idtypes       their types, merged over all inputs, and their text
//	keeping       columns of the vertex table that go through to the output
//	lengths       lengths and masses as decimal numbers
//	ipccheck      messages of Arrow streams and files, framed and checked before Arrow decodes
//	parquetpages  pages of Parquet columns -> ids
//	sources       paths, patterns, folders, file systems, compressions -> bytes
//	edgetable     shared by readers: options, choice of columns, the funnel of batches
//	textlines     text -> chunks, parsed side by side, in order
//	delimited     edge lists and CSV
//	numbered      MatrixMarket, METIS, DIMACS
//	columnar      Arrow streams, files and records
//	parquetfile   Parquet
//
// Units: a batch holds some ten thousand rows; a row is one edge as given,
// nothing is symmetrised or deduplicated here.
//
// Ownership: a Batch belongs to its receiver, who calls Release once and must not
// touch the columns after that. Records are retained before they are sent; the
// receiver releases them.
//
// Complexity: one pass over the input, memory O(batches in flight), except
// Parquet and Arrow files on a pipe, which are spooled to a temporary file.
package arrowio
