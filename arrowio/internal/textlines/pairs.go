package textlines

// ParsePairs reads lines of exactly two canonical integers of at most 18
// digits with one delimiter between them and LF or CRLF after them: nearly
// every line of nearly every edge list. It stops before any other line, and
// when src is full. data ends with a newline.
func ParsePairs(data []byte, delimiter byte, src, dst []uint64) (rows, end int) {
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
		if data[i] == '\r' {
			i++
		}
		if data[i] != '\n' {
			break
		}
		src[rows], dst[rows] = a, b
		rows++
		end = i + 1
	}
	return rows, end
}
