package driver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Kind is a device's sort of processor.
type Kind string

const (
	KindGPU         Kind = "GPU"
	KindCPU         Kind = "CPU"
	KindAccelerator Kind = "accelerator"
	KindOther       Kind = "other"
)

// Device is a driver's description of one device.
type Device struct {
	Number       int    // how a selection names it
	Platform     string // the implementation
	Name         string
	Kind         Kind
	Driver       string // version
	Memory       int64  // bytes
	MaxAlloc     int64  // bytes of the largest buffer
	LocalMemory  int64  // bytes that a work-group can share
	ComputeUnits int
	MaxWorkGroup int // work-items

	// Unusable says why the device cannot be used; "" when it can.
	Unusable string

	Atomics64 bool // cl_khr_int64_extended_atomics
	PTX       bool // may understand PTX, so a probe is worth it; others answer with a page of errors
	Handle    any  // the driver's own reference
}

// Platform lists and opens devices: opencl.Platform, or a stand-in of tests.
type Platform interface {
	// Devices lists every device, usable or not. The error is ErrNotBuilt, ErrDevice or,
	// where the list would be empty, ErrNoDevice, which says what is missing: a loader, a
	// driver, or the device.
	Devices() ([]Device, error)
	// Open opens a device of the list.
	Open(Device) (Driver, error)
}

// Judge decides from a device's own description whether it can be used, and
// fills in why not.
func (d *Device) Judge(available, compiler, littleEndian bool, extensions string) {
	list := strings.Fields(extensions)
	d.Atomics64 = slices.Contains(list, "cl_khr_int64_extended_atomics")
	d.PTX = strings.Contains(d.Platform, "NVIDIA") || strings.Contains(extensions, "cl_nv_")
	switch {
	case !available:
		d.Unusable = "not available"
	case !compiler:
		d.Unusable = "no compiler"
	case !littleEndian:
		d.Unusable = "big-endian"
	case !slices.Contains(list, "cl_khr_fp64"):
		d.Unusable = "no float64 (cl_khr_fp64)"
	case d.MaxWorkGroup < Team:
		d.Unusable = fmt.Sprintf("work-groups of at most %d work-items, %d are needed", d.MaxWorkGroup, Team)
	}
}

// ByNumber reports whether only its number selects such a device: a CPU, which cores compute faster on.
func (k Kind) ByNumber() bool { return k == KindCPU }

// Choose picks devices by a selection:
//
//	"" or "all"  every usable device that is not a CPU
//	"0,2"        by number, of any kind
//	"cpu"        none
//
// The error is ErrNoDevice if no device is left or a chosen one is unusable,
// ErrOptions if the selection cannot be read.
func Choose(list []Device, selection string) ([]Device, error) {
	var chosen []Device
	switch selection {
	case "", "all":
		others := make([]string, 0, len(list))
		for _, d := range list {
			switch {
			case d.Unusable != "":
				others = append(others, fmt.Sprintf("%d %s: %s", d.Number, d.Name, d.Unusable))
			case d.Kind.ByNumber():
				others = append(others, fmt.Sprintf("%d %s: a CPU", d.Number, d.Name))
			default:
				chosen = append(chosen, d)
			}
		}
		if len(chosen) == 0 && len(others) > 0 {
			return nil, fmt.Errorf("gpu: %w (%s)", ErrNoDevice, strings.Join(others, "; "))
		}
	case "cpu":
		return nil, fmt.Errorf("gpu: %w: cpu was asked for", ErrNoDevice)
	default:
		for _, word := range strings.Split(selection, ",") {
			number, err := strconv.Atoi(strings.TrimSpace(word))
			if err != nil || number < 0 {
				return nil, fmt.Errorf("gpu: %w: device %q: want all, cpu or numbers such as 0,2", ErrOptions, selection)
			}
			at := slices.IndexFunc(list, func(d Device) bool { return d.Number == number })
			switch {
			case at < 0:
				return nil, fmt.Errorf("gpu: %w: there is no device %d", ErrNoDevice, number)
			case list[at].Unusable != "":
				return nil, fmt.Errorf("gpu: %w: device %d, %s: %s", ErrNoDevice, number, list[at].Name, list[at].Unusable)
			case slices.ContainsFunc(chosen, func(d Device) bool { return d.Number == number }):
				return nil, fmt.Errorf("gpu: %w: device %d twice in %q", ErrOptions, number, selection)
			}
			chosen = append(chosen, list[at])
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("gpu: %w", ErrNoDevice)
	}
	return chosen, nil
}
