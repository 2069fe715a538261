package gpu

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"bcstage/gpu/internal/driver"
	"bcstage/internal/gpu/naming"
)

// simulator is a driver that runs the Go twins of the kernels.
type simulator struct{}

func simulatedDevice() driver.Device {
	return driver.Device{Name: "simulator", Kind: driver.KindGPU, Memory: 1 << 30, MaxAlloc: 1 << 30, LocalMemory: 1 << 15, ComputeUnits: 1, MaxWorkGroup: 1024, Atomics64: true}
}

func (s *simulator) open(driver.Device) (driver.Driver, error) { return s, nil }

func (s *simulator) Build(source, options string) (driver.Program, error) {
	p := simProgram{float32: strings.Contains(options, "REAL=float "), linear: strings.Contains(options, "-D LINEAR"), directed: strings.Contains(options, "-D DIRECTED"), wide: strings.Contains(options, "-D WIDE"), narrow: strings.Contains(options, "-D COUNTS32"), flows: strings.Contains(options, "-D FLOWS")}
	for _, word := range strings.Fields(options) {
		if value, ok := strings.CutPrefix(word, "WORDS="); ok {
			p.words, _ = strconv.Atoi(value)
		}
		if value, ok := strings.CutPrefix(word, "SHARES="); ok {
			p.shares, _ = strconv.Atoi(value)
		}
		if value, ok := strings.CutPrefix(word, "ROW="); ok {
			p.near, _ = strconv.Atoi(value)
		}
		if value, ok := strings.CutPrefix(word, "GROUP="); ok {
			p.teams, _ = strconv.Atoi(value)
			p.teams /= driver.Team
		}
	}
	if strings.Contains(options, "-D WARP") {
		return nil, driver.ErrBuild
	}
	return p, nil
}

// Allocate fills new memory with a pattern: as floats it is NaN, as counts and
// positions absurd.
func (s *simulator) Allocate(bytes int) (driver.Buffer, error) {
	b := &simBuffer{words: make([]uint64, (bytes+7)/8)}
	for i := range b.words {
		b.words[i] = poison
	}
	return b, nil
}

const poison = 0xfff7_f7f7_fff7_f7f7

func (s *simulator) Queue() (driver.Queue, error) { return simQueue{}, nil }
func (s *simulator) Release()                     {}

// simProgram is the part of the variant that twins need.
type simProgram struct {
	float32      bool
	linear       bool
	shares       int // see wave.BlockShape
	directed     bool
	wide         bool
	narrow       bool
	flows        bool
	words, teams int
	near         int
}

func (simProgram) Release() {}

func (p simProgram) Kernel(name string) (driver.Kernel, error) { return simKernel{p, name}, nil }

type simKernel struct {
	program simProgram
	name    string
}

func (simKernel) Release() {}

// twins run a call, each the calls of its own kernels; the others return false.
func twins() []func(p simProgram, groups [2]int, call any) bool {
	return []func(simProgram, [2]int, any) bool{sumsTwins, flowsTwins, overTwins, levelsTwins, frontierTwins, raggedTwins, soloTwins, bitlanesTwins, chainsTwins, lengthsTwins}
}

type simBuffer struct{ words []uint64 }

func (*simBuffer) Release() {}

func (b *simBuffer) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&b.words[0])), len(b.words)*8)
}

type simQueue struct{}

func (simQueue) Write(to driver.Buffer, offset int, data []byte) error {
	copy(to.(*simBuffer).bytes()[offset:], data)
	return nil
}

func (simQueue) Read(from driver.Buffer, offset int, data []byte) error {
	copy(data, from.(*simBuffer).bytes()[offset:])
	return nil
}

func (simQueue) Launch(k driver.Kernel, groups, items [2]int, call any) error {
	kernel := k.(simKernel)
	if name := naming.Kernel(reflect.TypeOf(call)); name != kernel.name {
		return fmt.Errorf("kernel %s is called as %s", kernel.name, name)
	}
	for _, run := range twins() {
		if run(kernel.program, groups, call) {
			return nil
		}
	}
	return fmt.Errorf("no twin of kernel %s", kernel.name)
}

func (simQueue) Finish() error { return nil }
func (simQueue) Release()      {}

// memory is a buffer as numbers.
func memory[T byte | uint16 | uint32 | uint64 | float32 | float64](b driver.Buffer) []T {
	words := b.(*simBuffer).words
	return unsafe.Slice((*T)(unsafe.Pointer(&words[0])), len(words)*8/int(unsafe.Sizeof(T(0))))
}

// withBuffers is a call with other buffers.
func withBuffers(call any, other func(name string, b driver.Buffer) driver.Buffer) any {
	changed := reflect.New(reflect.TypeOf(call)).Elem()
	changed.Set(reflect.ValueOf(call))
	for i := range changed.NumField() {
		if b, ok := changed.Field(i).Interface().(driver.Buffer); ok {
			changed.Field(i).Set(reflect.ValueOf(other(changed.Type().Field(i).Name, b)))
		}
	}
	return changed.Interface()
}

type real interface{ float32 | float64 }
