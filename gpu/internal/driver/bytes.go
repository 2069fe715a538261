package driver

import "unsafe"

// Bytes is the memory of a slice of numbers, without a copy.
func Bytes[T uint16 | uint32 | uint64 | int64 | float32 | float64](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}
