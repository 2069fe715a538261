//go:build !invariants

package invariants

// On says whether the results of preprocess and the engines are checked for their invariants,
// which takes time. The build tag invariants turns it on.
const On = false
