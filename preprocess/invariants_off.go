//go:build !invariants

package preprocess

// Invariants says whether what is computed here and by the engines is checked for
// what it promises, at a price. The build tag of the same name, in small letters,
// turns it on.
const Invariants = false
