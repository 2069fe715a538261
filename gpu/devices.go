package gpu

import (
	"fmt"

	"bcstage/gpu/internal/driver"
)

// selected is choose among all devices.
func selected(platform driver.Platform, selection string) ([]driver.Device, error) {
	list, err := platform.Devices()
	if err != nil {
		return nil, err
	}
	return driver.Choose(list, selection)
}

// label tells a device from others of its name.
func label(d driver.Device) string { return fmt.Sprintf("%d %s", d.Number, d.Name) }
