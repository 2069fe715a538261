package preprocess

import (
	"encoding/binary"
	"unsafe"
)

// element is a type of array elements in sections.
type element interface {
	~uint8 | ~uint16 | ~uint32 | ~int64 | ~uint64 | ~float64
}

// converted returns the same whole numbers in another type; nil for nil.
func converted[To, From int64 | float64](x []From) []To {
	if x == nil {
		return nil
	}
	out := make([]To, len(x))
	for i, value := range x {
		out[i] = To(value)
	}
	return out
}

// littleEndian returns the bytes of x. It shares them where the processor has
// this byte order.
func littleEndian[T element](x []T) []byte {
	if nativeIsLittle() {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
	}
	return encode(x)
}

func encode[T element](x []T) []byte {
	data, err := binary.Append(nil, binary.LittleEndian, x)
	if err != nil {
		panic(err) // elements are numbers of fixed size
	}
	return data
}

// elements is the inverse of littleEndian. data begins at a multiple of 8 and
// holds whole elements.
func elements[T element](data []byte) []T {
	if nativeIsLittle() {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(data))), len(data)/int(unsafe.Sizeof(*new(T))))
	}
	return decode[T](data)
}

func decode[T element](data []byte) []T {
	x := make([]T, len(data)/int(unsafe.Sizeof(*new(T))))
	if _, err := binary.Decode(data, binary.LittleEndian, x); err != nil {
		panic(err)
	}
	return x
}

func nativeIsLittle() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// flat and pairwise are two views of the ends of chains.
func flat(ends [][2]uint32) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(ends))), 2*len(ends))
}

func pairwise(ends []uint32) [][2]uint32 {
	return unsafe.Slice((*[2]uint32)(unsafe.Pointer(unsafe.SliceData(ends))), len(ends)/2)
}
