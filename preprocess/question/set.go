package question

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"sort"
)

// Set stands for some of a graph's vertices, by a hash of their ids: neither
// their order nor repeats count. The zero value is all vertices. It differs
// from a set that names all of them, and from an empty one.
type Set struct{ hash [sha256.Size]byte }

// SetOf returns the set of the ids as written: integers in decimal.
func SetOf(ids iter.Seq[[]byte]) Set {
	var hashes [][sha256.Size]byte
	for id := range ids {
		hashes = append(hashes, sha256.Sum256(id))
	}
	sort.Slice(hashes, func(i, j int) bool { return bytes.Compare(hashes[i][:], hashes[j][:]) < 0 })
	all := sha256.New()
	for _, hash := range slices.Compact(hashes) {
		all.Write(hash[:])
	}
	return Set{[sha256.Size]byte(all.Sum(nil))}
}

// String returns the hash in hexadecimal, empty for all vertices.
func (s Set) String() string {
	if s == (Set{}) {
		return ""
	}
	return hex.EncodeToString(s.hash[:])
}

func parseSet(text string) (s Set, err error) {
	if text == "" {
		return s, nil
	}
	data, err := hex.DecodeString(text)
	if err != nil || len(data) != len(s.hash) {
		return s, fmt.Errorf("want %d hexadecimal digits", 2*len(s.hash))
	}
	return Set{[sha256.Size]byte(data)}, nil
}
