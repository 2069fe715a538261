package ids

import "math"

// Parse reads a canonical decimal integer: digits without leading zeros,
// optionally after "-", within int64 or uint64. The id is its 64-bit pattern.
func Parse(text []byte) (id uint64, negative, ok bool) {
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

// IsInteger says whether Parse reads the text.
func IsInteger(text string) bool {
	_, _, ok := Parse([]byte(text))
	return ok
}
