package ledger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// formatRanges writes the set as "0-41,97,100-120".
func formatRanges(set []bool) string {
	var text strings.Builder
	for first := 0; first < len(set); first++ {
		if !set[first] {
			continue
		}
		last := first
		for last+1 < len(set) && set[last+1] {
			last++
		}
		if text.Len() > 0 {
			text.WriteByte(',')
		}
		text.WriteString(strconv.Itoa(first))
		if last > first {
			text.WriteString("-" + strconv.Itoa(last))
		}
		first = last
	}
	return text.String()
}

// parseRanges reads the text of formatRanges, for a set of n members.
func parseRanges(text string, n int) ([]bool, error) {
	if n < 0 {
		return nil, fmt.Errorf("pipeline: %w: %d batches", ErrPartial, n)
	}
	set := make([]bool, n)
	if text == "" {
		return set, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		firstText, lastText, isRange := strings.Cut(part, "-")
		if !isRange {
			lastText = firstText
		}
		first, errFirst := strconv.Atoi(firstText)
		last, errLast := strconv.Atoi(lastText)
		if errFirst != nil || errLast != nil || first < 0 || last < first || last >= n {
			return nil, fmt.Errorf("pipeline: %w: batches %q of %d", ErrPartial, part, n)
		}
		if slices.Contains(set[first:last+1], true) {
			return nil, fmt.Errorf("pipeline: %w: batches %s of %d are counted twice", ErrPartial, part, n)
		}
		for i := first; i <= last; i++ {
			set[i] = true
		}
	}
	return set, nil
}
