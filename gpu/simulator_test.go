package gpu

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unsafe"
)

// simulator is a driver that runs the Go twins of the kernels.
type simulator struct{ memory int64 }

func simulatedDevice() Device {
	return Device{Name: "simulator", Kind: KindGPU, Memory: 1 << 30, MaxAlloc: 1 << 30, LocalMemory: 1 << 15, ComputeUnits: 1, MaxWorkGroup: 1024, atomics64: true}
}

func (s *simulator) open(Device) (driver, error) { return s, nil }

func (s *simulator) build(source, options string) (program, error) {
	p := simProgram{float32: strings.Contains(options, "REAL=float ")}
	for _, word := range strings.Fields(options) {
		if value, ok := strings.CutPrefix(word, "WORDS="); ok {
			p.words, _ = strconv.Atoi(value)
		}
		if value, ok := strings.CutPrefix(word, "GROUP="); ok {
			p.teams, _ = strconv.Atoi(value)
			p.teams /= team
		}
	}
	if strings.Contains(options, "-D WARP") {
		return nil, ErrBuild
	}
	return p, nil
}

// allocate fills new memory with a pattern: floats of it are NaN, and counts
// and positions absurd.
func (s *simulator) allocate(bytes int) (buffer, error) {
	b := &simBuffer{words: make([]uint64, (bytes+7)/8)}
	for i := range b.words {
		b.words[i] = poison
	}
	return b, nil
}

const poison = 0xfff7_f7f7_fff7_f7f7

func (s *simulator) queue() (queue, error) { return simQueue{}, nil }
func (s *simulator) release()              {}

type simProgram struct {
	float32      bool
	words, teams int
}

func (p simProgram) release() {}

func (p simProgram) kernel(name string) (kernel, error) {
	twins := twinsOf[float64]
	if p.float32 {
		twins = twinsOf[float32]
	}
	k, ok := twins(p)[name]
	if !ok {
		return nil, fmt.Errorf("no twin of kernel %s", name)
	}
	return simKernel{k}, nil
}

type twin func(groups [2]int, arguments *arguments)

type simKernel struct{ run twin }

func (simKernel) release() {}

type simBuffer struct{ words []uint64 }

func (*simBuffer) release() {}

func (b *simBuffer) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&b.words[0])), len(b.words)*8)
}

type simQueue struct{}

func (simQueue) write(to buffer, offset int, data []byte) error {
	copy(to.(*simBuffer).bytes()[offset:], data)
	return nil
}

func (simQueue) read(from buffer, offset int, data []byte) error {
	copy(data, from.(*simBuffer).bytes()[offset:])
	return nil
}

func (simQueue) launch(k kernel, groups, items [2]int, list ...any) error {
	a := &arguments{list}
	k.(simKernel).run(groups, a)
	if len(a.list) > 0 {
		return fmt.Errorf("%d arguments too many", len(a.list))
	}
	return nil
}

func (simQueue) finish() error { return nil }
func (simQueue) release()      {}

// arguments are taken from the front, as what they are.
type arguments struct{ list []any }

func (a *arguments) next() any {
	x := a.list[0]
	a.list = a.list[1:]
	return x
}

func (a *arguments) number() int { return int(a.next().(uint32)) }

// memory is a buffer seen as numbers.
func memory[T uint16 | uint32 | uint64 | float32 | float64](a *arguments) []T {
	b := a.next().(*simBuffer)
	return unsafe.Slice((*T)(unsafe.Pointer(&b.words[0])), len(b.words)*8/int(unsafe.Sizeof(T(0))))
}

type real interface{ float32 | float64 }

// twinsOf adapts the twins to launches.
func twinsOf[R real](p simProgram) map[string]twin {
	twins := map[string]twin{}
	if p.words == 1 {
		addFrontierTwins[R, uint32](twins)
	} else {
		addFrontierTwins[R, uint64](twins)
	}
	l := levelsTwin[R]{words: p.words, teams: p.teams}
	maps.Copy(twins, map[string]twin{
		"fill": func(_ [2]int, a *arguments) {
			words, value, out := a.number(), a.next().(uint32), memory[uint32](a)
			for i := range words {
				out[i] = value
			}
		},
		"levels_clear": func(_ [2]int, a *arguments) {
			l.clear(a.number(), a.number(), memory[uint32](a), memory[uint32](a), memory[uint32](a))
		},
		"levels_seed": func(_ [2]int, a *arguments) {
			l.seed(a.number(), a.number(), memory[uint32](a), memory[uint32](a), memory[uint32](a), memory[R](a), memory[uint32](a))
		},
		"levels_forward": func(_ [2]int, a *arguments) {
			l.forward(a.number(), a.number(), a.number(), a.number(), a.number(), a.number(), memory[uint32](a), memory[uint32](a), memory[uint32](a),
				a.next().(*simBuffer).bytes(), memory[float64](a), memory[uint32](a), memory[uint32](a), memory[uint32](a), memory[R](a), memory[uint32](a))
		},
		"levels_backward": func(_ [2]int, a *arguments) {
			l.backward(a.number(), a.number(), a.number(), a.number(), a.number(), a.number(), a.number(), memory[uint32](a), memory[uint32](a),
				memory[uint32](a), a.next().(*simBuffer).bytes(), memory[float64](a), memory[float64](a), memory[uint32](a), memory[R](a), memory[R](a), memory[uint32](a))
		},
		"levels_tally": func(groups [2]int, a *arguments) {
			levelsTally(p, a.number(), a.number(), a.number(), a.number(), memory[float64](a), memory[uint32](a), memory[uint32](a), memory[R](a),
				memory[float64](a), memory[float64](a), memory[float64](a))
		},
		"frontier_tally": func(groups [2]int, a *arguments) {
			frontierTally(p, groups[1], a.number(), a.number(), memory[float64](a), memory[uint16](a), memory[uint32](a), memory[R](a),
				memory[float64](a), memory[float64](a), memory[float64](a))
		},
		"fold_parts": func(_ [2]int, a *arguments) {
			foldParts(p, a.number(), a.number(), memory[float64](a), memory[float64](a))
		},
		"fold_rows": func(_ [2]int, a *arguments) {
			foldRows(a.number(), a.number(), a.number(), memory[float64](a), memory[float64](a), memory[float64](a))
		},
	})
	return twins
}

func addFrontierTwins[R real, M uint32 | uint64](twins map[string]twin) {
	var f frontierTwin[R, M]
	twins["frontier_clear"] = func(_ [2]int, a *arguments) {
		f.clear(a.number(), a.number(), a.number(), memory[M](a), memory[M](a), memory[uint16](a), memory[uint32](a))
	}
	twins["frontier_seed"] = func(_ [2]int, a *arguments) {
		f.seed(a.number(), a.number(), memory[uint32](a), memory[uint32](a), memory[M](a), memory[uint32](a), memory[uint32](a),
			memory[uint32](a), memory[uint32](a))
	}
	twins["frontier_forward"] = func(_ [2]int, a *arguments) {
		f.forward(a.number(), a.number(), a.number(), a.number(), a.number(), memory[uint32](a), memory[uint32](a), memory[float64](a),
			memory[uint32](a), memory[uint32](a), memory[M](a), memory[M](a), memory[R](a), memory[uint16](a), memory[uint32](a), memory[uint32](a),
			memory[M](a), memory[uint32](a), memory[uint32](a))
	}
	twins["frontier_backward"] = func(_ [2]int, a *arguments) {
		f.backward(a.number(), memory[uint32](a), memory[uint32](a), memory[float64](a), memory[float64](a), memory[M](a), memory[R](a),
			memory[R](a), memory[uint32](a), memory[uint32](a), memory[M](a), memory[uint32](a))
	}
}
