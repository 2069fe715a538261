package delimited

import (
	"bytes"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/textlines"
)

// dialect is how a text separates fields. Blanks around a field do not belong
// to it.
type dialect struct {
	delimiter byte // ' ' stands for any run of blanks and tabs
	quotes    bool // a field may stand in double quotes (RFC 4180)
}

// blank says whether c is white space within a line, but not the delimiter.
func (d dialect) blank(c byte) bool {
	return c == ' ' || c == '\r' || c == '\t' && d.delimiter != '\t'
}

// skipBlanks is the index of the first byte from data[i] on that is not blank.
func (d dialect) skipBlanks(data []byte, i int) int {
	for d.blank(data[i]) {
		i++
	}
	return i
}

// ends says whether c ends an unquoted field.
func (d dialect) ends(c byte) bool {
	return c == d.delimiter || c == '\n' || c == '\t' && d.delimiter == ' '
}

// field reads the field at data[i], after blanks. It returns the value and the
// index of the delimiter or newline that ends it; data ends with a newline.
// Unescaping a value uses scratch.
func (d dialect) field(data []byte, i int, scratch *[]byte) (value []byte, end int, err error) {
	i = d.skipBlanks(data, i)
	if d.quotes && data[i] == '"' {
		return d.quoted(data, i+1, scratch)
	}
	end = i
	if d.delimiter == ' ' && data[i] == '{' { // NetworkX's edge attributes
		end += bytes.IndexByte(data[i:], '\n')
	}
	for !d.ends(data[end]) {
		end++
	}
	last := end
	for last > i && d.blank(data[last-1]) {
		last--
	}
	value = data[i:last]
	if d.delimiter == ' ' {
		end = d.skipBlanks(data, end)
		if data[end] != '\n' {
			end-- // the last of the run
		}
	}
	if bytes.IndexByte(value, '\r') >= 0 {
		return nil, 0, faults.Rejected("carriage return within a line; lines end with LF or CRLF")
	}
	return value, end, nil
}

// quoted reads the rest of a field after its opening quote.
func (d dialect) quoted(data []byte, i int, scratch *[]byte) (value []byte, end int, err error) {
	*scratch = (*scratch)[:0]
	for start := i; ; {
		n := bytes.IndexByte(data[i:], '"')
		if n < 0 {
			return nil, 0, faults.Corrupt("quote that is not closed")
		}
		i += n + 1
		if data[i] == '"' {
			*scratch = append(*scratch, data[start:i]...)
			i++
			start = i
			continue
		}
		value = data[start : i-1]
		break
	}
	if len(*scratch) > 0 {
		*scratch = append(*scratch, value...)
		value = *scratch
	}
	end = d.skipBlanks(data, i)
	if !d.ends(data[end]) {
		return nil, 0, faults.Rejected("text after a closing quote; a quote within quotes is written twice")
	}
	return value, end, nil
}

// firstRecord is the end of the first record of data, which begins with a
// record; 0 if data ends first.
func (d dialect) firstRecord(data []byte) int {
	if !d.quotes {
		return textlines.FirstLine(data)
	}
	for i, end := 0, 0; i >= 0; {
		if i >= end { // otherwise the line's end is known: searching again at every quote takes quadratic time
			line := textlines.FirstLine(data[i:])
			if line == 0 {
				break
			}
			end = i + line
		}
		quote := bytes.IndexByte(data[i:end], '"')
		if quote < 0 {
			return end
		}
		i = d.pastQuote(data, i+quote)
	}
	return 0
}

// lastRecord is the end of the last record that ends in data, or 0.
func (d dialect) lastRecord(data []byte) (end int) {
	if !d.quotes || bytes.IndexByte(data, '"') < 0 {
		return textlines.LastLine(data)
	}
	for i := 0; i >= 0; {
		stop := len(data)
		if n := bytes.IndexByte(data[i:], '"'); n >= 0 {
			stop = i + n
		}
		if n := textlines.LastLine(data[i:stop]); n > 0 {
			end = i + n
		}
		if stop == len(data) {
			break
		}
		i = d.pastQuote(data, stop)
	}
	return end
}

// pastQuote is the index after the quote at data[i]; if it opens a field, the
// index after the closing quote, or -1 if that is not in data.
func (d dialect) pastQuote(data []byte, i int) int {
	if !d.opens(data, i) {
		return i + 1
	}
	for i++; ; i++ {
		n := bytes.IndexByte(data[i:], '"')
		if n < 0 {
			return -1
		}
		i += n + 1
		if i == len(data) || data[i] != '"' {
			return i
		}
	}
}

// opens says whether the quote at data[i] begins a field.
func (d dialect) opens(data []byte, i int) bool {
	for i > 0 && d.blank(data[i-1]) {
		i--
	}
	return i == 0 || d.ends(data[i-1])
}
