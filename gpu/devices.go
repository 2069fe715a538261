package gpu

import (
	"fmt"

	"bcstage/gpu/internal/driver"
)

// Platform lists and opens devices: opencl.Platform, or a stand-in of tests.
type Platform interface {
	// Devices lists every device, usable or not. The error is ErrNotBuilt, ErrDevice or,
	// where the list would be empty, ErrNoDevice, which says what is missing: a loader, a
	// driver, or the device.
	Devices() ([]driver.Device, error)
	// Open opens a device of the list.
	Open(driver.Device) (driver.Driver, error)
}

// selected is choose among all devices.
func selected(platform Platform, selection string) ([]driver.Device, error) {
	list, err := platform.Devices()
	if err != nil {
		return nil, err
	}
	return driver.Choose(list, selection)
}

// label tells a device from others of its name.
func label(d driver.Device) string { return fmt.Sprintf("%d %s", d.Number, d.Name) }
