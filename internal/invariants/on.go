//go:build invariants

package invariants

// On says whether what preprocess and the engines compute is checked for what it promises, at a
// price. The build tag invariants turns it on.
const On = true
