package wave

import (
	"fmt"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/kernels"
	"bcstage/internal/engine"
)

// Chunk is CHUNK of the kernels: vertices whose sums are added up together.
const Chunk = 256

// Calls of kernels/common.cl.
type (
	Fill struct {
		Words, Value uint32
		Out          driver.Buffer
	}
	probe struct {
		Out driver.Buffer
	}
)

// variant has the build options of kernels.
type variant struct {
	method    Method
	precision engine.Precision
	linear    bool // of a block that is Linear: see preprocess.Block
	words     int  // mask words per row: 32 lanes each
	group     int  // work-items of a work-group
	warp      bool // 32 work-items run as one: see common.cl
	copies    bool // likewise, and copies to local memory run beside them
	marked    int  // see Wishes.Marked
	wide      bool // see Wishes.Wide
	directed  bool // see Wishes.Directed
	narrow    bool // see Wishes.Narrow
	near      int  // see Wishes.Near
	flows     bool // of a block that has Flows
	shares    int  // see Shape.Shares
}

func (v variant) source() string {
	names := []string{"common", "sums"}
	if v.flows {
		names = append(names, "flows")
	}
	return kernels.Text(names...) + v.method.Source()
}

func (v variant) options() string {
	number := "double"
	if v.precision == engine.Float32 {
		number = "float"
	}
	options := fmt.Sprintf("-cl-std=CL1.2 -D REAL=%s -D WORDS=%d -D GROUP=%d", number, v.words, v.group)
	if v.precision == engine.Float32 {
		options += " -cl-fp32-correctly-rounded-divide-sqrt"
	}
	for _, define := range []struct {
		is   bool
		name string
	}{
		{v.precision == engine.Float32, "COMPENSATED"}, {v.linear, "LINEAR"}, {v.shares > 0, fmt.Sprint("SHARES=", v.shares)}, {v.flows, "FLOWS"}, {v.warp, "WARP"}, {v.copies, "COPIES"},
		{v.marked > 0, fmt.Sprint("MARKED=", v.marked)}, {v.near > 0, fmt.Sprint("ROW=", v.near)}, {v.wide, "WIDE"}, {v.directed, "DIRECTED"}, {v.narrow, "COUNTS32"},
	} {
		if define.is {
			options += " -D " + define.name
		}
	}
	return options
}

// probeWarp checks that 32 work-items exchange registers as WARP assumes and, with copies, that
// they copy as COPIES does. The kernels must build so, and the probe must give the expected
// values. Any other outcome means no, also a failing device; that failure will show again.
func probeWarp(d driver.Driver, copies bool) bool {
	p, err := d.Build(kernels.Text("common"), variant{words: 1, group: driver.Team, warp: true, copies: copies}.options())
	if err != nil {
		return false
	}
	defer p.Release()
	k, err := p.Kernel("probe")
	if err != nil {
		return false
	}
	defer k.Release()
	const items = 64
	out := make([]uint32, 2*items)
	b, err := d.Allocate(len(out) * 4)
	if err != nil {
		return false
	}
	defer b.Release()
	q, err := d.Queue()
	if err != nil {
		return false
	}
	defer q.Release()
	if q.Launch(k, [2]int{1, 1}, [2]int{items, 1}, probe{b}) != nil || q.Read(b, 0, driver.Bytes(out)) != nil {
		return false
	}
	for i := range uint32(items) {
		ballot := uint32(0)
		for j := range uint32(driver.Team) {
			if other := i/driver.Team*driver.Team + j; other%3 == 0 || other == 40 {
				ballot |= 1 << j
			}
		}
		taken := 7 * (i/driver.Team*driver.Team + (i+5)%driver.Team)
		if out[2*i] != ballot || out[2*i+1] != taken {
			return false
		}
	}
	return true
}
