//go:build exhaustive

package arrowio

// oneIn is which share of their cases the tests that damage every byte of many
// files take: all with the build tag exhaustive, one in ten without.
const oneIn = 1
