package engine

// Precision is the type of the numbers that a search keeps per vertex and source.
// Scores are always added up in float64. "" is Float64.
type Precision string

const (
	Float64 Precision = "float64"
	Float32 Precision = "float32" // half the memory traffic; scores good to 1e-5
)

// Precisions lists all precisions.
func Precisions() []Precision { return []Precision{Float64, Float32} }

// Sets returns the instruction sets of all processors that cores have kernels for, the fastest first.
func Sets() []string { return []string{"avx512", "avx2", "go"} }

// Bytes returns the size of one number.
func (p Precision) Bytes() int {
	if p == Float32 {
		return 4
	}
	return 8
}

// Accuracy returns the largest relative error of scores.
func (p Precision) Accuracy() float64 {
	if p == Float32 {
		return 1e-5
	}
	return 1e-9
}

// Tolerance is the largest difference between the two sides of a source's self-check
// (see preprocess.Block), relative to the larger, for its batch to count. It is far
// below the effect of one wrong path count, and so small that scores have the
// promised Accuracy. In a float32 search the sides differ by at most 1e-6 on
// published graphs, through 200 levels, with hubs of 200 000 edges. Through 10 000
// levels and more, rounding may add up to 1e-5, and the errors of scores to five
// times that of the sums: then the batch is computed again in float64.
func (p Precision) Tolerance() float64 {
	if p == Float32 {
		return 2e-6
	}
	return 1e-9
}

// DeviceTolerance is the largest difference for a device to pass a batch on in one
// result with others, whose sums cannot be separated. It is stricter than Tolerance,
// so that a doubtful batch is found by itself and not in a sum with good ones. It is
// twice the difference seen on graphs with hubs of 20 000 edges and searches of 220
// levels.
func (p Precision) DeviceTolerance() float64 {
	if p == Float32 {
		return 1e-6
	}
	return 1e-10
}
