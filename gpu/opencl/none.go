//go:build !opencl && (nodevices || !linux || !(amd64 || arm64))

package opencl

import (
	"fmt"

	"bcstage/gpu/internal/driver"
)

// BuiltIn tells whether this build can have devices.
const BuiltIn = false

func devices() ([]driver.Device, error) { return nil, fmt.Errorf("gpu: %w", driver.ErrNotBuilt) }

func open(driver.Device) (driver.Driver, error) {
	return nil, fmt.Errorf("gpu: %w", driver.ErrNotBuilt)
}
