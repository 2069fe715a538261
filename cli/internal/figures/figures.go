// Package figures formats numbers for people, in one style for terminals and pages.
package figures

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Grouped returns a number in groups of three digits, with blanks between them.
func Grouped(n int64) string { return group(fmt.Sprint(n)) }

// GroupedFloat returns a number with so many decimals, in groups of three digits before the point.
func GroupedFloat(x float64, decimals int) string {
	whole, fraction, found := strings.Cut(fmt.Sprintf("%.*f", decimals, x), ".")
	if found {
		return group(whole) + "." + fraction
	}
	return group(whole)
}

func group(digits string) string {
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	return digits
}

// Seconds formats a time: 0.08 ms, 0.004 s, 1.23 s, 12m5s.
func Seconds(s float64) string {
	switch {
	case s > 0 && s < 0.001:
		return fmt.Sprintf("%.2g ms", 1000*s)
	case s < 1:
		return fmt.Sprintf("%.2g s", s)
	case s < 100:
		return fmt.Sprintf("%.3g s", s)
	}
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}

// Decimals is the number of decimals under a common decimal point: the highest score has eight
// digits or more, and sums of thirds and the like can be recognised.
func Decimals(highest float64) int {
	if highest <= 0 {
		return 0
	}
	return min(max(7-int(math.Floor(math.Log10(highest))), 2), 15)
}
