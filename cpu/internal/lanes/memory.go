package lanes

import (
	"context"
	"slices"
	"unsafe"

	"bcstage/internal/pages"
)

const cacheLine = pages.CacheLine

// rowLanes returns the number of lanes of a row for so many sources: a power of two,
// in whole cache lines.
func rowLanes[T float32 | float64](sources int) int {
	lanes := cacheLine / int(unsafe.Sizeof(T(0)))
	for lanes < sources {
		lanes *= 2
	}
	return lanes
}

// RowBytes returns the bytes of a row for so many sources.
func RowBytes[T float32 | float64](sources int) int {
	return rowLanes[T](sources) * int(unsafe.Sizeof(T(0)))
}

// clearEvery is how many bytes are cleared between two looks at the context.
const clearEvery = 16 << 20

// clearLooking clears a slice of up to gigabytes, and looks at the context meanwhile. The only error is the context's.
func clearLooking[E any](ctx context.Context, s []E) error {
	for part := range slices.Chunk(s, clearEvery/int(unsafe.Sizeof(*new(E)))) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		clear(part)
	}
	return nil
}
