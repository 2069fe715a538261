//go:build !opencl

package gpu

import "fmt"

func devices() ([]Device, error) { return nil, fmt.Errorf("gpu: %w", ErrNotBuilt) }

func open(Device) (driver, error) { return nil, fmt.Errorf("gpu: %w", ErrNotBuilt) }
