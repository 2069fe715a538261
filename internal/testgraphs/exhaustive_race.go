//go:build race && !exhaustive

package testgraphs

// OneIn is the share of their cases that slow tests run. The race detector takes ten times as
// long for each, and finds races between goroutines, which do not depend on the case.
const OneIn = 20
