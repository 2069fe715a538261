package gpu

import (
	"fmt"
	"sync"

	"bcstage/gpu/internal/driver"
)

// Devices lists every OpenCL device of every platform, usable or not. The error
// is ErrNotBuilt, ErrDevice, or, where the list would be empty, ErrNoDevice, which
// says what is missing: a loader, a driver, or the device.
func Devices() ([]driver.Device, error) {
	listing.Lock()
	defer listing.Unlock()
	return devices()
}

// listing is held while drivers are asked for their devices. They start on the first such
// call, and PoCL crashes where two goroutines make it.
var listing sync.Mutex

// selected is choose among all devices.
func selected(selection string) ([]driver.Device, error) {
	list, err := Devices()
	if err != nil {
		return nil, err
	}
	return driver.Choose(list, selection)
}

// label tells a device from others of its name.
func label(d driver.Device) string { return fmt.Sprintf("%d %s", d.Number, d.Name) }
