package gpu

import (
	"context"
	"errors"
	"fmt"

	"bcstage/gpu/internal/driver"
	"bcstage/internal/gpu/opened"
	"bcstage/internal/gpu/searches"
)

// openEach opens every selected device for searches. It leaves out devices that cannot be opened, with
// their errors in Failed; err says that none is left.
func openEach(ctx context.Context, platform driver.Platform, selection string) (*opened.Set, error) {
	chosen, err := selected(platform, selection)
	if err != nil {
		return nil, err
	}
	set := &opened.Set{}
	for _, d := range chosen {
		if err = ctx.Err(); err != nil {
			break
		}
		opened, err := openSingle(platform, d)
		if err != nil {
			set.Failed = append(set.Failed, err)
			continue
		}
		set.Devices = append(set.Devices, &searchDevice{Device: opened, label: label(d), on: searches.New(opened)})
	}
	if err == nil && len(set.Devices) == 0 {
		err = errors.Join(set.Failed...)
	}
	if err != nil {
		set.Close()
		return nil, err
	}
	return set, nil
}

func openSingle(platform driver.Platform, d driver.Device) (searches.Device, error) {
	if !d.Atomics64 {
		return nil, fmt.Errorf("gpu: %w: device %d, %s has no 64-bit atomics", driver.ErrNoDevice, d.Number, d.Name)
	}
	driver, err := platform.Open(d)
	if err != nil {
		return nil, fmt.Errorf("gpu: device %d, %s: %w", d.Number, d.Name, err)
	}
	q, err := driver.Queue()
	if err != nil {
		driver.Release()
		return nil, fmt.Errorf("gpu: device %d, %s: %w", d.Number, d.Name, err)
	}
	return &single{d, driver, q}, nil
}

// single is an opened device as a searches.Device.
type single struct {
	device driver.Device
	driver driver.Driver
	queue  driver.Queue
}

func (s *single) Name() string { return s.device.Name }
func (s *single) Group() int   { return s.device.MaxWorkGroup }
func (s *single) Units() int   { return s.device.ComputeUnits }
func (s *single) Local() int   { return int(s.device.LocalMemory) }

func (s *single) Build(source, options string) (searches.Program, error) {
	p, err := s.driver.Build(source, options)
	if err != nil {
		return nil, err
	}
	return singleProgram{p}, nil
}

func (s *single) Allocate(bytes int) (searches.Buffer, error) { return s.driver.Allocate(bytes) }
func (s *single) Free(b searches.Buffer)                      { b.(driver.Buffer).Release() }

func (s *single) Write(to searches.Buffer, offset int, data []byte) error {
	return s.queue.Write(to.(driver.Buffer), offset, data)
}

func (s *single) Read(from searches.Buffer, offset int, data []byte) error {
	return s.queue.Read(from.(driver.Buffer), offset, data)
}

func (s *single) Launch(k searches.Kernel, groups, items int, call any) error {
	return s.queue.Launch(k.(driver.Kernel), [2]int{groups, 1}, [2]int{items, 1}, call)
}

func (s *single) Close() {
	s.queue.Release()
	s.driver.Release()
}

type singleProgram struct{ built driver.Program }

func (p singleProgram) Kernel(name string) (searches.Kernel, error) { return p.built.Kernel(name) }
func (p singleProgram) Release()                                    { p.built.Release() }
