package faults

// ExpansionFree is how many bytes may come out of any input, however few went
// in: below that, a high ratio is no danger.
const ExpansionFree = 64 << 20

// MayExpand is how many bytes so many compressed ones may become, where one may
// become expansion (tables.Options.MaxExpansion).
func MayExpand(bytes int64, expansion int) int64 { return ExpansionFree + int64(expansion)*bytes }

// DefaultExpansion is how many bytes one compressed byte may become unless the options say
// otherwise.
const DefaultExpansion = 1000
