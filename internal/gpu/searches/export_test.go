package searches

// For tests on devices, which package gpu opens.
var (
	Shapes      = shapes
	CheckAll    = checkAll
	CheckMany   = checkMany
	WithLengths = withLengths
)
