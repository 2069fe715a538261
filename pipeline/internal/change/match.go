package change

import (
	"context"
	"fmt"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// Match gives, by id of some, its number among others, or csr.None. Ids of both are unique, and of one type. The error is
// building.ErrKeys or the context's.
func Match(ctx context.Context, some, others building.Keys) ([]uint32, error) {
	of := make([]uint32, some.Len())
	var find func(i int) (uint32, bool)
	if some.Offsets == nil {
		numbers := make(map[uint64]uint32, others.Len())
		for i, id := range others.Ints {
			numbers[id] = uint32(i)
		}
		find = func(i int) (uint32, bool) { number, ok := numbers[some.Ints[i]]; return number, ok }
	} else {
		numbers := building.NewDistinct()
		if err := numbers.Add(others); err != nil {
			return nil, err
		}
		if numbers.Keys().Len() != others.Len() {
			return nil, fmt.Errorf("%d ids, %d of them distinct", others.Len(), numbers.Keys().Len())
		}
		find = func(i int) (uint32, bool) {
			number, ok := numbers.Find(some.Bytes[some.Offsets[i]:some.Offsets[i+1]])
			return uint32(number), ok
		}
	}
	for i := range of {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if number, ok := find(i); ok {
			of[i] = number
		} else {
			of[i] = csr.None
		}
	}
	return of, nil
}
