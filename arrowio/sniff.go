package arrowio

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/delimited"
	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ipccheck"
	"bcstage/arrowio/internal/numbered"
	"bcstage/arrowio/internal/parquetfile"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"
	"bcstage/internal/expression"
)

// sniff chooses the reader of an input by the format option, else by its first
// bytes, else by its name; anything else is an edge list or CSV. empty is set for
// an input without a byte, unless its name or the option says that it is text,
// which may be empty. Otherwise it may be anything, cut short.
func sniff(in *sources.Input, out *edgetable.Funnel, neighbour string) (read reader, empty bool, err error) {
	head, err := in.Head()
	if err != nil {
		return nil, false, err
	}
	format := out.Format()
	if len(head) == 0 && (format == tables.FormatAuto || format == tables.FormatCSV || format == tables.FormatEdgeList) {
		text := format != tables.FormatAuto || slices.Contains(textEndings, strings.ToLower(sources.Ending(in.Name)))
		nothing := func(context.Context, *sources.Input, *edgetable.Funnel) error { return nil }
		return nothing, !text, nil // writers of partitioned tables leave such files
	}
	if format == tables.FormatAuto {
		if err := unsupported(head); err != nil {
			return nil, false, err
		}
		if err := refuseForeign(head); err != nil {
			return nil, false, err
		}
		format = guess(head, in.Name)
	}
	switch format {
	case tables.FormatArrow:
		return columnar.ReadArrow, false, nil
	case tables.FormatParquet:
		return parquetfile.Read, false, nil
	}
	if out.Format() == tables.FormatAuto {
		if err := in.CheckText(head, neighbour); err != nil {
			return nil, false, err
		}
	}
	if bytes.HasPrefix(head, utf8Mark) {
		in.Stream.Discard(len(utf8Mark))
	}
	switch format {
	case tables.FormatMTX:
		read = numbered.ReadMatrixMarket
	case tables.FormatMETIS:
		read = numbered.ReadMETIS
	case tables.FormatDIMACS:
		read = numbered.ReadDIMACS
	default:
		return delimited.Read, false, nil
	}
	switch {
	case out.Vertices:
		return nil, false, faults.Rejected("a vertex table cannot have format %s", format)
	case out.Opts.Src != "":
		return nil, false, faults.Usage("Options.Src and Options.Dst name columns, but format %s has none", format)
	case out.Opts.Bipartite && format != tables.FormatMTX:
		return nil, false, faults.Usage("format %s has one set of vertices; a bipartite graph has two", format)
	}
	return columnless(read), false, nil
}

// columnless reads a format without columns: there the path must name the graph.
func columnless(read reader) reader {
	return func(ctx context.Context, in *sources.Input, out *edgetable.Funnel) error {
		if _, err := out.FindGroups(nil); err != nil {
			return err
		}
		return read(ctx, in, out)
	}
}

var (
	utf8Mark     = []byte("\xef\xbb\xbf")
	dimacsHeader = expression.Lazy(`^p[ \t]+[a-z]+[ \t]+[0-9]+[ \t]+[0-9]+\s*$`)
)

// guess finds the format of an input with FormatAuto; the result FormatAuto means
// an edge list or CSV.
func guess(head []byte, name string) tables.Format {
	text := bytes.TrimPrefix(head, utf8Mark)
	switch {
	case binaryWith(head, ipccheck.Magic), arrowStream(head):
		return tables.FormatArrow
	case binaryWith(head, parquetfile.Magic):
		return tables.FormatParquet
	case len(text) >= len(numbered.Banner) && strings.EqualFold(string(text[:len(numbered.Banner)]), numbered.Banner):
		return tables.FormatMTX
	case dimacs(text):
		return tables.FormatDIMACS
	}
	if sources.Ending(name) == ".graph" {
		return tables.FormatMETIS
	}
	return tables.FormatAuto
}

// textEndings are the endings of tables that may be empty.
var textEndings = []string{".csv", ".tsv", ".tab", ".txt", ".edges", ".edgelist", ".el"}

// binaryWith says whether head begins with magic and is not text: genes and
// proteins are called PAR1 and ORC1.
func binaryWith(head []byte, magic string) bool {
	return bytes.HasPrefix(head, []byte(magic)) && (bytes.IndexByte(head, 0) >= 0 || !utf8.Valid(head))
}

// arrowStream says whether head begins an IPC stream: a continuation mark, then
// the length of a schema message.
func arrowStream(head []byte) bool {
	if len(head) < 8 || binary.LittleEndian.Uint32(head) != 0xffffffff {
		return false
	}
	length := int32(binary.LittleEndian.Uint32(head[4:]))
	return length > 0 && length%8 == 0 && length < 256<<20
}

// dimacs says whether the text begins with comment lines "c ...", if any, and then
// the problem line "p NAME n m". Comments that fill the whole head suffice.
func dimacs(head []byte) bool {
	for text := head; len(text) > 0; {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		line = bytes.TrimRight(line, " \t\r")
		comment := len(line) == 0 || line[0] == 'c' && (len(line) == 1 || line[1] == ' ' || line[1] == '\t')
		if !comment {
			return line[0] == 'p' && dimacsHeader().Match(line)
		}
		text = rest
	}
	return len(head) >= sources.HeadBytes-len(utf8Mark) && head[0] == 'c'
}

// unsupported refuses formats that are recognised by their first bytes but not
// read.
func unsupported(head []byte) error {
	known := []struct{ magic, what string }{
		{"\xff\xfe", "UTF-16 text: convert it to UTF-8"},
		{"\xfe\xff", "UTF-16 text: convert it to UTF-8"},
		{"\x89BCG", "a prepared graph: give it alone, as a file, or as an object whose name ends in .bcg"},
		{"BZh", "bzip2: decompress it first"},
		{"\xfd7zXZ\x00", "xz: decompress it first"},
		{"PK\x03\x04", "a zip archive: unpack it first"},
		{"PARE", "Parquet with an encrypted footer: write it again without encryption"},
		{"FEA1", "Feather version 1: write it again as Arrow IPC"},
		{"ORC", "ORC: write it again as Parquet or Arrow IPC"},
		{"Obj\x01", "Avro: write it again as Parquet or Arrow IPC"},
	}
	i := slices.IndexFunc(known, func(k struct{ magic, what string }) bool {
		return binaryWith(head, k.magic)
	})
	if i >= 0 {
		return faults.Rejected("input is %s", known[i].what)
	}
	return cutMagic(head)
}

// cutMagic refuses an input so short that it is only the beginning of a binary
// format's magic bytes.
func cutMagic(head []byte) error {
	for _, magic := range append(sources.Magics(), ipccheck.Magic, parquetfile.Magic, "\xff\xff\xff\xff") {
		if len(head) > 0 && len(head) <= len(magic) && strings.HasPrefix(magic, string(head)) {
			return faults.Corrupt("cut short after %d bytes", len(head))
		}
	}
	return nil
}
