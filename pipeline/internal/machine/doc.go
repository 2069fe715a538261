// Package machine reports the memory of the machine and of this process, in bytes. Nothing is kept
// between calls.
package machine
