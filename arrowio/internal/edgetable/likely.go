package edgetable

import (
	"fmt"
	"slices"
	"strings"
)

// likelyWords are pairs of words in which the names of an edge's two columns may
// differ, beside the usual pairs.
var likelyWords = [...][2]string{
	{"src", "dst"}, {"src", "dest"}, {"src", "tgt"}, {"source", "target"}, {"source", "destination"}, {"source", "dest"}, {"source", "sink"},
	{"from", "to"}, {"start", "end"}, {"start", "stop"}, {"begin", "end"}, {"origin", "destination"}, {"origin", "dest"},
	{"follower", "followed"}, {"follower", "followee"}, {"caller", "callee"}, {"sender", "receiver"}, {"sender", "recipient"},
	{"parent", "child"}, {"head", "tail"}, {"left", "right"}, {"first", "second"}, {"subject", "object"},
	{"citing", "cited"}, {"importer", "imported"}, {"in", "out"}, {"a", "b"}, {"x", "y"}, {"i", "j"}, {"1", "2"}, {"0", "1"},
}

// LikelyPair finds two names that are probably those of an edge's ends: they
// differ in one pair of words (source_ip, destination_ip; node1, node2), or there
// are no others.
func LikelyPair(names []string) (src, dst string, ok bool) {
	if len(names) == 2 {
		return names[0], names[1], names[0] != "" && names[1] != "" && names[0] != names[1]
	}
	for _, words := range likelyWords {
		for i, a := range names {
			for k, b := range names {
				if i != k && differ(strings.ToLower(a), strings.ToLower(b), words) {
					return a, b, true
				}
			}
		}
	}
	return "", "", false
}

// differ says whether b is a with one word replaced by another. A word of one
// letter has no letter beside it.
func differ(a, b string, words [2]string) bool {
	letter := func(s string, i int) bool { return 0 <= i && i < len(s) && 'a' <= s[i] && s[i] <= 'z' }
	for i := 0; ; i++ {
		at := strings.Index(a[i:], words[0])
		if at < 0 {
			return false
		}
		i += at
		end := i + len(words[0])
		whole := len(words[0]) > 2 || !letter(words[0], 0) || !letter(a, i-1) && !letter(a, end)
		if whole && a[:i]+words[1]+a[end:] == b {
			return true
		}
	}
}

// naming is the advice to name two of these columns.
func naming(names []string) string {
	if src, dst, ok := LikelyPair(names); ok {
		return fmt.Sprintf("give Options.Src %q and Options.Dst %q if these are the ends", src, dst)
	}
	return "name them with Options.Src and Options.Dst"
}

// LikelyColumn says whether the first of many ids is probably the name of their
// column.
func LikelyColumn(id string) bool {
	id = strings.ToLower(id)
	for _, ending := range []string{"_id", " id", "_name", " name"} {
		if strings.HasSuffix(id, ending) {
			return true
		}
	}
	return slices.Contains([]string{"name", "names", "label", "key", "node", "nodes", "nodeid", "vertices", "vertexid", "person", "user", "userid", "uid"}, id)
}
