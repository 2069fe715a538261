package gpu

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
)

func TestChooseDevices(t *testing.T) {
	gpuA := driver.Device{Number: 0, Name: "A", Kind: driver.KindGPU}
	gpuB := driver.Device{Number: 1, Name: "B", Kind: driver.KindGPU, Unusable: "no float64"}
	processor := driver.Device{Number: 2, Name: "C", Kind: driver.KindCPU}
	other := driver.Device{Number: 3, Name: "D", Kind: driver.KindAccelerator}
	all := []driver.Device{gpuA, gpuB, processor, other}
	for _, c := range []struct {
		list      []driver.Device
		selection string
		want      []int
		err       error
	}{
		{all, "", []int{0, 3}, nil},
		{all, "all", []int{0, 3}, nil},
		{all, "2", []int{2}, nil},
		{all, "3,0", []int{3, 0}, nil},
		{all, " 3 , 2", []int{3, 2}, nil},
		{all, "1", nil, driver.ErrNoDevice},
		{all, "0,1", nil, driver.ErrNoDevice},
		{all, "4", nil, driver.ErrNoDevice},
		{all, "0,0", nil, driver.ErrOptions},
		{all, "0,", nil, driver.ErrOptions},
		{all, "-1", nil, driver.ErrOptions},
		{all, "gpu", nil, driver.ErrOptions},
		{all, "cpu", nil, driver.ErrNoDevice},
		{nil, "all", nil, driver.ErrNoDevice},
		{nil, "0", nil, driver.ErrNoDevice},
		{[]driver.Device{gpuB, processor}, "all", nil, driver.ErrNoDevice},
	} {
		got, err := driver.Choose(c.list, c.selection)
		var numbers []int
		for _, d := range got {
			numbers = append(numbers, d.Number)
		}
		if !slices.Equal(numbers, c.want) || !errors.Is(err, c.err) {
			t.Errorf("%q of %d devices: %v, %v; want %v, %v", c.selection, len(c.list), numbers, err, c.want, c.err)
		}
	}
	// If no device is used, the error says why.
	_, err := driver.Choose([]driver.Device{gpuB, processor}, "all")
	for _, part := range []string{"1 B: no float64", "2 C: a CPU"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}

func TestJudgeDevices(t *testing.T) {
	for _, c := range []struct {
		group                         int
		available, compiler, littleEn bool
		extensions, want              string
	}{
		{256, true, true, true, "a cl_khr_fp64 b", ""},
		{256, false, true, true, "cl_khr_fp64", "not available"},
		{256, true, false, true, "cl_khr_fp64", "no compiler"},
		{256, true, true, false, "cl_khr_fp64", "big-endian"},
		{256, true, true, true, "cl_khr_fp64x cl_khr_fp16", "no float64 (cl_khr_fp64)"},
		{16, true, true, true, "cl_khr_fp64", "work-groups of at most 16 work-items, 32 are needed"},
	} {
		d := driver.Device{MaxWorkGroup: c.group}
		d.Judge(c.available, c.compiler, c.littleEn, c.extensions)
		if d.Unusable != c.want {
			t.Errorf("%+v: %q", c, d.Unusable)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{
		{Precision: "float16"}, {Strategy: "group"}, {Lanes: 48}, {Packs: -1}, {WorkGroup: 48}, {WorkGroup: 2048},
		{Mdeg: -1}, {MinBlock: -1}, {Streams: 9}, {Streams: -1}, {Memory: -1},
	} {
		if _, err := o.check(); !errors.Is(err, driver.ErrOptions) {
			t.Errorf("%+v: error %v", o, err)
		}
		if _, err := openSelected(context.Background(), nil, "all", o); !errors.Is(err, driver.ErrOptions) {
			t.Errorf("openSelected with %+v: error %v", o, err)
		}
	}
	if o, err := (Options{}).check(); err != nil || o.Strategy != methods.Auto || o.Streams != 2 || o.MinBlock != 512 {
		t.Errorf("defaults %+v, %v", o, err)
	}
}

// One of two devices fails to start: the other is used, and the reason kept.
func TestOneDeviceFailsToStart(t *testing.T) {
	a, b := simulatedDevice(), simulatedDevice()
	b.Number = 1
	options, _ := Options{}.check()
	broken := func(d driver.Device) (driver.Driver, error) {
		if d.Number == 0 {
			return nil, errPulled
		}
		return &simulator{}, nil
	}
	s, err := openAll(context.Background(), []driver.Device{a, b}, options, broken)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(s.devices) != 1 || s.devices[0].Number != 1 || len(s.failed) != 1 || !errors.Is(s.failed[0], driver.ErrDevice) {
		t.Errorf("devices %v, failed %v", s.devices, s.failed)
	}
	if _, err := openAll(context.Background(), []driver.Device{a}, options, broken); !errors.Is(err, driver.ErrDevice) {
		t.Errorf("the only device fails: error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := openAll(ctx, []driver.Device{b}, options, broken); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

// Streams reuse the kernels that earlier streams made.
func TestKernelsAreKept(t *testing.T) {
	plan := sample()
	want := reference(t, plan)
	options, err := Options{MinBlock: 1, Streams: 1}.check()
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	c := &counters{fail: func(_ int64, what string) error {
		if what == "kernel" {
			made++
		}
		return nil
	}}
	s, err := openAll(t.Context(), []driver.Device{simulatedDevice()}, options, func(driver.Device) (driver.Driver, error) {
		c.live.Add(1)
		return &counting{&simulator{}, c}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "first", runAll(t, s, plan), want, 1e-12)
	s.engines[0].Release()
	first := made
	compare(t, "again", runAll(t, s, plan), want, 1e-12)
	if made != first || first == 0 {
		t.Errorf("%d kernels, then %d", first, made)
	}
	s.Close()
	if n := c.live.Load(); n != 0 {
		t.Errorf("%d things were not released", n)
	}
}
