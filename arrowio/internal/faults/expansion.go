package faults

// ExpansionFree is how many bytes any input may expand to, however short it is: up to there
// a high ratio is no danger.
const ExpansionFree = 64 << 20

// MayExpand is how many bytes compressed bytes may become, if one may become `expansion`
// (tables.Options.MaxExpansion).
func MayExpand(bytes int64, expansion int) int64 { return ExpansionFree + int64(expansion)*bytes }

// DefaultExpansion is how many bytes one compressed byte may become by default.
const DefaultExpansion = 1000
