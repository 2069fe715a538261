package engine

// Precision is the type of the numbers that a search keeps per vertex and
// source. Scores are added up in float64 either way. "" is Float64.
type Precision string

const (
	Float64 Precision = "float64"
	Float32 Precision = "float32" // half the memory traffic; scores good to 1e-5
)

// Precisions are all there are.
func Precisions() []Precision { return []Precision{Float64, Float32} }

// Bytes of one number.
func (p Precision) Bytes() int {
	if p == Float32 {
		return 4
	}
	return 8
}

// Accuracy is how good scores are, relative to what they should be.
func (p Precision) Accuracy() float64 {
	if p == Float32 {
		return 1e-5
	}
	return 1e-9
}

// Tolerance is how far the two sides of a source's self-check (see
// preprocess.Block) may lie apart, relative to the larger, for its batch to
// count: far below what one wrong path count does, and so close that scores are as
// good as Accuracy says. A float32 search goes 1e-6 apart at most on published
// graphs, through 200 levels, with hubs of 200 000 edges. Through 10 000 levels and
// more rounding may add up to 1e-5, and scores be five times as far off as the sums:
// then the batch is computed again in float64.
func (p Precision) Tolerance() float64 {
	if p == Float32 {
		return 2e-6
	}
	return 1e-9
}

// DeviceTolerance is how far they may lie apart for a device to hand a batch on
// in one result with others, whose sums cannot be taken apart. It is stricter
// than Tolerance, so that a doubtful batch is found by itself and not in a sum
// with good ones. Twice what was seen on graphs with hubs of 20 000 edges and
// searches of 220 levels.
func (p Precision) DeviceTolerance() float64 {
	if p == Float32 {
		return 1e-6
	}
	return 1e-10
}
