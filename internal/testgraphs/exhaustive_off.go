//go:build !exhaustive && !race

package testgraphs

// OneIn is which share of their cases slow tests take: one in so many. With the
// build tag exhaustive, as in CI, they take all.
const OneIn = 10
