//go:build !exhaustive && !race

package testgraphs

// OneIn is the share of their cases that slow tests run: one in OneIn. With the
// build tag exhaustive, as in CI, they run all.
const OneIn = 10
