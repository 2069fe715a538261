package gpu

import (
	_ "embed"
	"fmt"
	"unsafe"

	"bcstage/internal/engine"
)

// Numbers that the kernels share with the host.
const (
	team   = 32 // TEAM: work-items that share a row, and lanes of one mask word
	chunk  = 256
	noLane = ^uint32(0) // NONE: an unused lane
)

//go:embed kernels/common.cl
var commonSource string

// Calls of kernels/common.cl.
type (
	fill struct {
		Words, Value uint32
		Out          buffer
	}
	probe struct {
		Out buffer
	}
)

// variant is what is fixed when kernels are built.
type variant struct {
	method    method
	precision engine.Precision
	linear    bool // of a block that is Linear: see preprocess.Block
	words     int  // mask words per row: 32 lanes each
	group     int  // work-items of a work-group
	warp      bool // 32 work-items run as one: see common.cl
	copies    bool // likewise, and memory can be copied to local memory while they go on
	marked    int  // see shape.marked
	wide      bool // see shape.wide
	directed  bool // see shape.directed
	narrow    bool // see shape.narrow
	near      int  // see shape.near
	flows     bool // of a block that has Flows
}

func (v variant) source() string {
	source := commonSource + sumsSource
	if v.flows {
		source += flowsSource
	}
	return source + v.method.source()
}

func (v variant) options() string {
	number := "double"
	if v.precision == engine.Float32 {
		number = "float"
	}
	options := fmt.Sprintf("-cl-std=CL1.2 -D REAL=%s -D WORDS=%d -D GROUP=%d", number, v.words, v.group)
	if v.precision == engine.Float32 {
		options += " -cl-fp32-correctly-rounded-divide-sqrt -D COMPENSATED"
	}
	if v.linear {
		options += " -D LINEAR"
	}
	if v.flows {
		options += " -D FLOWS"
	}
	if v.warp {
		options += " -D WARP"
	}
	if v.copies {
		options += " -D COPIES"
	}
	if v.marked > 0 {
		options += fmt.Sprintf(" -D MARKED=%d", v.marked)
	}
	if v.near > 0 {
		options += fmt.Sprintf(" -D ROW=%d", v.near)
	}
	if v.wide {
		options += " -D WIDE"
	}
	if v.directed {
		options += " -D DIRECTED"
	}
	if v.narrow {
		options += " -D COUNTS32"
	}
	return options
}

// probeWarp asks whether 32 work-items exchange registers as WARP assumes, and copy as COPIES
// does, if it is set: the
// kernels must build with it, and the probe must see what it should. Any other
// outcome, a failing device too, means no; that failure will show again.
func probeWarp(d driver, copies bool) bool {
	p, err := d.build(commonSource, variant{words: 1, group: team, warp: true, copies: copies}.options())
	if err != nil {
		return false
	}
	defer p.release()
	k, err := p.kernel("probe")
	if err != nil {
		return false
	}
	defer k.release()
	const items = 64
	out := make([]uint32, 2*items)
	b, err := d.allocate(len(out) * 4)
	if err != nil {
		return false
	}
	defer b.release()
	q, err := d.queue()
	if err != nil {
		return false
	}
	defer q.release()
	if q.launch(k, [2]int{1, 1}, [2]int{items, 1}, probe{b}) != nil || q.read(b, 0, bytesOf(out)) != nil {
		return false
	}
	for i := range uint32(items) {
		ballot := uint32(0)
		for j := range uint32(team) {
			if other := i/team*team + j; other%3 == 0 || other == 40 {
				ballot |= 1 << j
			}
		}
		taken := 7 * (i/team*team + (i+5)%team)
		if out[2*i] != ballot || out[2*i+1] != taken {
			return false
		}
	}
	return true
}

// bytesOf is the memory of a slice of numbers.
func bytesOf[T uint16 | uint32 | uint64 | int64 | float32 | float64](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}
