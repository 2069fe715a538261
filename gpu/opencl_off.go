//go:build !opencl

package gpu

import (
	"fmt"

	"bcstage/gpu/internal/driver"
)

func devices() ([]driver.Device, error) { return nil, fmt.Errorf("gpu: %w", driver.ErrNotBuilt) }

func open(driver.Device) (driver.Driver, error) {
	return nil, fmt.Errorf("gpu: %w", driver.ErrNotBuilt)
}
