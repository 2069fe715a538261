package arrowio

import "math"

// parseID reads a canonical decimal integer: digits without leading zeros,
// optionally after "-", within int64 or uint64. The id is its 64-bit pattern.
func parseID(text []byte) (id uint64, negative, ok bool) {
	if len(text) > 0 && text[0] == '-' {
		negative = true
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 20 || text[0] == '0' && (len(text) > 1 || negative) {
		return 0, false, false
	}
	for i, c := range text {
		digit := uint64(c - '0')
		if digit > 9 {
			return 0, false, false
		}
		if i == 19 && (id > math.MaxUint64/10 || id == math.MaxUint64/10 && digit > math.MaxUint64%10) {
			return 0, false, false
		}
		id = id*10 + digit
	}
	if negative {
		if id > 1<<63 {
			return 0, false, false
		}
		id = -id
	}
	return id, negative, true
}

// parsePairs reads lines of exactly two canonical integers of at most 18
// digits with one delimiter between them and LF or CRLF after them: nearly
// every line of nearly every edge list. It stops before any other line, and
// when src is full. data ends with a newline.
func parsePairs(data []byte, delimiter byte, src, dst []uint64) (rows, end int) {
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
