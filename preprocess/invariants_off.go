//go:build !invariants

package preprocess

// invariants says whether results are checked for what they promise, at a
// price. The build tag of the same name turns it on.
const invariants = false
