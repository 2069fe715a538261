package arrowio

import (
	"bytes"
	"regexp"

	"bcstage/arrowio/internal/faults"
	"bcstage/internal/expression"
)

// foreign lists text formats that are not read, and texts that are not tables: how each
// begins, and how NetworkX or another tool converts it.
var foreign = []struct {
	name   string
	has    string // a part of every such text: most expressions need not be compiled
	begins func() *regexp.Regexp
	remedy string
}{
	{"GML", "graph", expression.Lazy(`^(?:\s+|#[^\n]*\n|(?:Creator|Version|comment)\s[^\n]*\n)*graph\s*\[`), byNetworkX("read_gml")},
	{"Pajek", "*", expression.Lazy(`(?i)^(?:\s+|%[^\n]*\n)*\*(?:network|vertices|arcs|edges|arcslist|edgeslist|matrix)\b`), byNetworkX("read_pajek")},
	{"GraphViz DOT", "graph", expression.Lazy(`^(?:\s+|//[^\n]*\n|#[^\n]*\n)*(?:strict\s+)?(?:di)?graph\b[^\n\[]*\{`), byNetworkX("nx_agraph.read_dot")},
	{"GDF", "nodedef", expression.Lazy(`^nodedef\s*>`), "write its edges as CSV"},
	{"a Git LFS pointer", "version https", expression.Lazy(`^version https://git-lfs\.github\.com/`), "have Git fetch the file that it stands for: git lfs pull"},
	{"GraphML", "<graphml", expression.Lazy(`^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)*<graphml\b`), byNetworkX("read_graphml")},
	{"GEXF", "<gexf", expression.Lazy(`^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)*<gexf\b`), byNetworkX("read_gexf")},
	{"GraphAr's description of a table", "version:", expression.Lazy(`version:\s*gar/v`), "name the folder adj_list of its edges"},
	{"UCINET DL", "=", expression.Lazy(`(?i)^\s*dl\s+n\s*=`), "write its edges as CSV"},
}

func byNetworkX(read string) string {
	return "convert it to an edge list, for example with NetworkX: write_edgelist(" + read + "(FILE), OUT, data=False)"
}

// refuseForeign rejects a text format that is not read.
func refuseForeign(head []byte) error {
	text := bytes.TrimPrefix(head, utf8Mark)
	if beginsWithNumber(text) {
		return nil
	}
	for _, format := range foreign {
		if bytes.Contains(text, []byte(format.has)) && format.begins().Match(text) {
			return faults.Advise(faults.Rejected("looks like %s, which is not read", format.name), "%s", format.remedy)
		}
	}
	return nil
}

// beginsWithNumber says whether the first row of a text, without blank lines and comments,
// begins with a digit. None of the foreign formats does.
func beginsWithNumber(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && line[0] != '%' {
			return '0' <= line[0] && line[0] <= '9'
		}
	}
	return false
}
