package machine

import (
	"math"
	"os"
	"path"
	"strconv"
	"strings"
)

// Available is the number of bytes that this process may still take; 0 if unknown. It is the least
// of the machine's memory that is free without swapping, and of the free memory of each control
// group above the process.
func Available() int64 {
	least := int64(math.MaxInt64)
	if kib, ok := field(read("/proc/meminfo"), "MemAvailable:"); ok {
		least = kib * 1024
	}
	for line := range strings.Lines(read("/proc/self/cgroup")) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(parts) < 3:
		case parts[0] == "0":
			least = min(least, groupMemory("/sys/fs/cgroup", parts[2], "memory.max", "memory.current", "inactive_file", "active_file"))
		case parts[1] == "memory":
			least = min(least, groupMemory("/sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "total_active_file"))
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return max(least, 1)
}

// unlimited is below the limit that version 1 of control groups reports where there is none.
const unlimited = 1 << 62

// groupMemory is the memory that a group and those above it leave. The group counts cached pages of
// files as used, but the system frees them on demand. A container often sees its own group as the
// root, whatever its name outside.
func groupMemory(root, group, limitFile, usedFile string, caches ...string) int64 {
	least := int64(math.MaxInt64)
	for at := path.Clean("/" + group); ; at = path.Dir(at) {
		folder := root + at + "/"
		limit, limited := field(read(folder+limitFile), "")
		limited = limited && limit < unlimited // the system takes long to write the other files
		used, known := int64(0), false
		if limited {
			used, known = field(read(folder+usedFile), "")
		}
		if known {
			stat := read(folder + "memory.stat")
			for _, cache := range caches {
				reclaimable, _ := field(stat, cache)
				used -= reclaimable
			}
			least = min(least, max(limit-used, 0))
		}
		if at == "/" {
			return least
		}
	}
}

// field is the number after a name at the beginning of a line.
func field(text, name string) (int64, bool) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if name != "" && len(words) > 0 && words[0] == name {
			words = words[1:]
		} else if name != "" {
			continue
		}
		if len(words) == 0 {
			return 0, false
		}
		value, err := strconv.ParseInt(words[0], 10, 64) // not "max"
		return value, err == nil
	}
	return 0, false
}

func read(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(text)
}
