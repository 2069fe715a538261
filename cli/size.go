package cli

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// bytesOf reads a number of bytes: digits, perhaps with a fraction, and perhaps a unit of K, M, G
// or T, also followed by iB or B, in any case. All units are binary. "" is 0.
func bytesOf(text string) (int64, error) {
	wrong := errors.New("want a size, as 500M, 1.5GiB or 2000000000")
	if text == "" {
		return 0, nil
	}
	digits := strings.TrimRight(text, "abgikmtABGIKMT")
	unit := strings.ToLower(strings.TrimSpace(text[len(digits):]))
	factor, known := map[string]float64{"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}[unit]
	if !known {
		factor, known = map[string]float64{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}[strings.TrimSuffix(strings.TrimSuffix(unit, "b"), "i")]
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || !known || !(value*factor >= 1 && value*factor < math.MaxInt64) {
		return 0, wrong
	}
	return int64(value * factor), nil
}
