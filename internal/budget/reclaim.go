package budget

import "runtime/debug"

// fewestReclaimed is the size of dropped arrays that are worth a collection.
const fewestReclaimed = 64 << 20

// Reclaim gives the memory of dropped arrays, of so many bytes, back to the system if they are large. It is called before
// other large arrays are made: the collector would run after these, and hold both.
func Reclaim(bytes int64) {
	if bytes >= fewestReclaimed {
		debug.FreeOSMemory()
	}
}
