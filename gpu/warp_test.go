//go:build opencl || device

package gpu

import (
	"strings"
	"testing"

	"bcstage/gpu/internal/driver"
)

// inStep is a driver for which 32 work-items run as one, on any device: they exchange
// values through local memory. So kernels built with WARP run anywhere, in work-groups of
// 32.
type inStep struct{ driver.Driver }

// exchange has ballot and take of common.cl for such work-groups.
const exchange = `
#define WARP
uint ballot_by(__local uint *shared, uint x) {
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint bits = 0;
    for (uint i = 0; i < TEAM; i++)
        bits |= (shared[i] != 0) << i;
    return bits;
}

uint take_by(__local uint *shared, uint x, uint from) {
    barrier(CLK_LOCAL_MEM_FENCE);
    shared[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return shared[from];
}

#define ballot(x) ballot_by(shared, x)
#define take(x, from) take_by(shared, x, from)
`

func (d inStep) Build(source, options string) (driver.Program, error) {
	options, warp := strings.CutSuffix(options, " -D WARP")
	if !warp {
		return d.Driver.Build(source, options)
	}
	before, rest, _ := strings.Cut(source, "#ifdef WARP")
	_, after, _ := strings.Cut(rest, "#endif")
	const locals = "__local uint need[WORDS]"
	after = strings.Replace(after, locals, "__local uint shared[TEAM]; "+locals, 1)
	return d.Driver.Build(before+exchange+after, options)
}

// Kernels built for devices whose work-items run as one leave memory as their twins do.
func TestDistanceKernelsInStep(t *testing.T) {
	plan := distant()
	want := textbookDistances(t, plan)
	for _, o := range []Options{{Mdeg: 40}, {Packs: 2, Mdeg: 5}} {
		o.WorkGroup, o.Portable, o.Streams = driver.Team, true, 1
		s := openMirror(t, anyDevice(t), forDistances(o))
		d := s.devices[0]
		d.Driver, d.Warp = inStep{d.Driver}, true
		runDistances(t, s, plan).check(t, o.String(), want)
	}
}
