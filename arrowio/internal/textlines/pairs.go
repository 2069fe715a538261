package textlines

// ParsePairs reads lines that begin with two canonical integers of at most 18
// digits with one delimiter between them: nearly every line of nearly every edge list. So many more fields follow, which
// have no quotes, and then LF or CRLF. Those of the last line begin at rest. It stops before any other line, and
// when src is full. data ends with a newline.
func ParsePairs(data []byte, delimiter byte, more int, src, dst []uint64) (rows, rest, end int) {
	dst = dst[:len(src)]
	for rows < len(src) && end < len(data) {
		i := end
		digit := data[i] - '0'
		if digit > 9 {
			break
		}
		a := uint64(digit)
		for i++; ; i++ {
			if digit = data[i] - '0'; digit > 9 {
				break
			}
			a = a*10 + uint64(digit)
		}
		if data[i] != delimiter || i-end > 18 || i-end > 1 && data[end] == '0' {
			break
		}
		start := i + 1
		digit = data[start] - '0'
		if digit > 9 {
			break
		}
		b := uint64(digit)
		for i = start + 1; ; i++ {
			if digit = data[i] - '0'; digit > 9 {
				break
			}
			b = b*10 + uint64(digit)
		}
		if i-start > 18 || i-start > 1 && data[start] == '0' {
			break
		}
		next, left := i+1, more
		if more > 0 && data[i] == delimiter {
			for ; data[i] != '\n' && data[i] != '\r' && data[i] != '"'; i++ {
				if data[i] == delimiter {
					left--
				}
			}
		}
		if data[i] == '\r' {
			i++
		}
		if data[i] != '\n' || left != 0 {
			break
		}
		src[rows], dst[rows] = a, b
		rows++
		rest, end = next, i+1
	}
	return rows, rest, end
}
