package arrowio

import (
	"math/rand/v2"
	"testing"

	"bcstage/internal/testgraphs"
)

// Thousands of damaged files of every text format and compression: never a
// crash, and every error has a class. (The columnar formats: TestMutationsDoNoHarm.)
func TestMutatedText(t *testing.T) {
	const rounds = 2000 / testgraphs.OneIn
	inputs := map[string]string{
		"csv":      "src,dst\n1,2\n\"a\"\"b\",c\r\n-5,18446744073709551615\n4;5,6\n",
		"edgelist": "# comment\n1 2\n2\t3\n3 1 {}\n",
		"mtx":      "%%MatrixMarket matrix coordinate pattern symmetric\n% c\n4 4 3\n2 1\n3 2\n4 1\n",
		"metis":    "% c\n4 3 11 1\n1 2 5\n1 1 5 3 2\n1 2 2 4 1\n1 3 1\n",
		"dimacs":   "c a\np sp 4 3\na 1 2 9\na 2 3 1\na 3 4 4\n",
	}
	for name, compress := range compressors {
		inputs[name] = string(compress(someEdges(40)))
	}
	accepted := 0
	for _, data := range inputs { // in any order
		random := rand.New(rand.NewPCG(3, uint64(len(data))))
		for range rounds {
			mutated := mutate(random, []byte(data))
			if random.IntN(4) == 0 {
				mutated = mutated[:random.IntN(len(mutated))]
			}
			opts := fuzzLimits
			opts.MaxExpansion, opts.IgnoreWeight = 100, random.IntN(2) == 0
			if _, err := readFuzzed(t, mutated, opts); err == nil {
				accepted++
			}
		}
	}
	t.Logf("%d files mutated, %d of them still a table", len(inputs)*rounds, accepted)
}
