//go:build opencl || device

package gpu

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/internal/engine"
)

// mirror is a driver that gives every call to a device and to the simulator.
// After every launch it compares all memory that the kernel was given.
type mirror struct {
	device driver.Driver
	twin   *simulator
}

func (m *mirror) Build(source, options string) (driver.Program, error) {
	p, err := m.device.Build(source, options)
	if err != nil {
		return nil, err
	}
	twin, err := m.twin.Build(source, options)
	return mirrorProgram{p, twin}, err
}

func (m *mirror) Allocate(size int) (driver.Buffer, error) {
	b, err := m.device.Allocate((size + 7) / 8 * 8)
	if err != nil {
		return nil, err
	}
	q, err := m.device.Queue()
	if err != nil {
		return nil, err
	}
	defer q.Release()
	twin, err := m.twin.Allocate(size)
	if err != nil {
		return nil, err
	}
	return &mirrorBuffer{device: b, twin: twin.(*simBuffer)}, q.Write(b, 0, twin.(*simBuffer).bytes())
}

func (m *mirror) Queue() (driver.Queue, error) {
	q, err := m.device.Queue()
	return mirrorQueue{q, simQueue{}}, err
}

func (m *mirror) Release() { m.device.Release() }

type mirrorProgram struct{ device, twin driver.Program }

func (p mirrorProgram) Release() { p.device.Release() }

func (p mirrorProgram) Kernel(name string) (driver.Kernel, error) {
	k, err := p.device.Kernel(name)
	if err != nil {
		return nil, err
	}
	twin, err := p.twin.Kernel(name)
	return mirrorKernel{name, k, twin}, err
}

type mirrorKernel struct {
	name         string
	device, twin driver.Kernel
}

func (k mirrorKernel) Release() { k.device.Release() }

type mirrorBuffer struct {
	device    driver.Buffer
	twin      *simBuffer
	unordered bool // a list in an arbitrary order: see unordered
}

func (b *mirrorBuffer) Release() { b.device.Release() }

type mirrorQueue struct {
	device driver.Queue
	twin   simQueue
}

func (q mirrorQueue) Release()      { q.device.Release() }
func (q mirrorQueue) Finish() error { return q.device.Finish() }

func (q mirrorQueue) Write(to driver.Buffer, offset int, data []byte) error {
	b := to.(*mirrorBuffer)
	q.twin.Write(b.twin, offset, data)
	return q.device.Write(b.device, offset, data)
}

func (q mirrorQueue) Read(from driver.Buffer, offset int, data []byte) error {
	return q.device.Read(from.(*mirrorBuffer).device, offset, data)
}

func (q mirrorQueue) Launch(k driver.Kernel, groups, items [2]int, call any) error {
	kernel := k.(mirrorKernel)
	memory := make(map[string]*mirrorBuffer)
	device := withBuffers(call, func(name string, b driver.Buffer) driver.Buffer {
		memory[name] = b.(*mirrorBuffer)
		return memory[name].device
	})
	twin := withBuffers(call, func(name string, _ driver.Buffer) driver.Buffer { return memory[name].twin })
	for _, name := range unordered(call) {
		memory[name].unordered = true
	}
	if err := q.device.Launch(kernel.device, groups, items, device); err != nil {
		return err
	}
	if err := q.twin.Launch(kernel.twin, groups, items, twin); err != nil {
		return err
	}
	for name, b := range memory {
		if b.unordered {
			continue
		}
		want := b.twin.bytes()
		got := make([]byte, len(want))
		if err := q.device.Read(b.device, 0, got); err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("kernel %s, groups %v of %v: %s differs: %s", kernel.name, groups, items, name, difference(got, want))
		}
	}
	return nil
}

// difference shows the first words that differ, as bits.
func difference(got, want []byte) string {
	var out strings.Builder
	shown := 0
	for at := 0; at < len(want) && shown < 4; at += 4 {
		g, w := binary.LittleEndian.Uint32(got[at:]), binary.LittleEndian.Uint32(want[at:])
		if g != w {
			fmt.Fprintf(&out, "word %d is %#x, twin %#x; ", at/4, g, w)
			shown++
		}
	}
	return out.String()
}

// openMirror opens a session on a device and the simulator.
func openMirror(t *testing.T, d driver.Device, o Options) *session {
	t.Helper()
	o, err := o.check()
	if err != nil {
		t.Fatal(err)
	}
	s, err := openAll(context.Background(), []driver.Device{d}, o, func(d driver.Device) (driver.Driver, error) {
		device, err := Machine.Open(d)
		return &mirror{device, &simulator{}}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// The same for searches for distances.
func TestDistanceKernelsEqualTwins(t *testing.T) {
	d := anyDevice(t)
	plan := distant()
	want := textbookDistances(t, plan)
	for _, o := range []Options{{WorkGroup: 32, Mdeg: 40}, {WorkGroup: 96, Packs: 2, Mdeg: 5}, {WorkGroup: 256, Packs: 3, Mdeg: 60}} {
		o.Portable, o.Streams = true, 1
		runDistances(t, openMirror(t, d, forDistances(o)), plan).check(t, o.String(), want)
	}
}

// Every launch leaves every bit of device memory as its Go twin does, and the
// result is the textbook's.
func TestKernelsEqualTwins(t *testing.T) {
	d := anyDevice(t)
	plan := sample()
	want := reference(t, plan)
	for _, o := range matrix() {
		t.Run(o.String(), func(t *testing.T) {
			o.Portable, o.Streams = true, 1
			s := openMirror(t, d, o)
			for _, s.options.Strategy = range methods.Strategies()[1:] {
				compare(t, string(s.options.Strategy), runAll(t, s, plan), want, tolerance(o.Precision))
			}
		})
	}
}

// The same by patches, for blocks of few edges.
func TestPatchKernelsEqualTwins(t *testing.T) {
	d := anyDevice(t)
	plan := sample()
	want := reference(t, plan)
	for i, o := range matrix() {
		if i%4 != 1 {
			continue // patches have no teams
		}
		o.Portable, o.Streams, o.Mdeg, o.Strategy = true, 1, 0, methods.Levels
		compare(t, o.String(), runAll(t, openMirror(t, d, o), plan), want, tolerance(o.Precision))
	}
}

// The same where flows over edges are asked for too.
func TestFlowKernelsEqualTwins(t *testing.T) {
	d := anyDevice(t)
	plan := overEdges()
	want := reference(t, plan)
	for i, o := range matrix() {
		if i%5 != 0 {
			continue // TestKernelsEqualTwins has tested the kernels that all runs share
		}
		o.Portable, o.Streams = true, 1
		checkFlows(t, openMirror(t, d, forFlows(o)), plan, want)
	}
}

// The same where sources are drawn.
func TestDrawnKernelsEqualTwins(t *testing.T) {
	d := anyDevice(t)
	for i, precision := range engine.Precisions() {
		o := Options{Precision: precision, WorkGroup: []int{32, 256}[i], MinBlock: 1, Packs: 3, Mdeg: 40, Portable: true, Streams: 1}
		for _, linear := range []bool{false, true} {
			checkDrawn(t, openMirror(t, d, o), drawable(), linear)
		}
	}
}

// The same where masses count by their distance, also by patches.
func TestShareKernelsEqualTwins(t *testing.T) {
	d := anyDevice(t)
	for i, group := range []int{32, 256} {
		o := Options{WorkGroup: group, Lanes: 32 << i, MinBlock: 1, Packs: 3, Mdeg: 40 * i, Portable: true, Streams: 1}
		checkShares(t, openMirror(t, d, o), []string{"power:1", "exp:0.00001"}[i], i > 0) // solo has none of spread masses
	}
}

// The same for searches from junctions.
func TestChainKernelsEqualTwins(t *testing.T) {
	d := anyDevice(t)
	for i, o := range []Options{{WorkGroup: 32}, {WorkGroup: 96, Packs: 2}, {WorkGroup: 256, Packs: 3}} {
		plan := roads(t, []int{64, 7, 512}[i])
		o.Portable, o.Streams, o.MinBlock = true, 1, 1
		checkChains(t, o.String(), openMirror(t, d, o), plan, textbookScores(t, plan))
	}
}

// The same where arcs have lengths, with marks in local memory and in global.
func TestLengthKernelsEqualTwins(t *testing.T) {
	d := anyDevice(t)
	plan := measured()
	want := reference(t, plan)
	for i, o := range matrixOf([]int{32, 96, 256}) {
		o.Portable, o.Streams = true, 1
		if d.LocalMemory = 1 << 15; i%2 > 0 {
			d.LocalMemory = 1 << 10
		}
		compare(t, o.String(), runAll(t, openMirror(t, d, o), plan), want, tolerance(o.Precision))
	}
}

// unordered lists the memory that a launch leaves in any order, or adds up in
// any.
func unordered(call any) []string {
	switch call.(type) {
	case methods.FrontierForward:
		return []string{"ListRow", "ListVertex", "ListMask"}
	case methods.RaggedFind:
		return []string{"ListRow", "ListVertex", "ListMask", "ListAt", "Places"}
	case methods.RaggedForward:
		return []string{"Slots", "Paths", "Loads"}
	case methods.SoloSearch:
		return []string{"List", "Sums"}
	case methods.ChainsSearch:
		return []string{"Order", "Pending"}
	case methods.LengthsSearch, methods.LengthsCount, methods.LengthsDepend:
		return []string{"Lists", "Marks"}
	}
	return nil
}
