//go:build !linux

package pages

// adviseHuge asks for large pages where a system has a call for that.
func adviseHuge([]byte) {}

// giveBack leaves memory to the collector.
func giveBack([]byte) {}
