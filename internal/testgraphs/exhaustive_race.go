//go:build race && !exhaustive

package testgraphs

// OneIn is which share of their cases slow tests take. The race detector takes ten times as long
// for each, and finds races between goroutines, of which another case has no others.
const OneIn = 20
