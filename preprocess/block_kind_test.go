package preprocess

import (
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
)

// Each layout of a block has its kind, and kinds have their names.
func TestKind(t *testing.T) {
	lengths := csr.Graph{Lengths: []int64{1}}
	for want, b := range map[engine.Kind]Block{
		engine.KindHops:         {},
		engine.KindLengths:      {Graph: lengths},
		engine.KindChains:       {Chains: &csr.Chains{}},
		engine.KindChainLengths: {Graph: lengths, Chains: &csr.Chains{}},
		engine.KindReach:        {Reaches: Reaches{Distances: true}},
		engine.KindLengthReach:  {Graph: lengths, Reaches: Reaches{Distances: true}},
		engine.KindChainReach:   {Reaches: Reaches{Distances: true, Roads: &csr.Roads{}}},
	} {
		if got := b.Kind(); got != want || got.Reach() != b.Distances || got.Chained() != (b.Chains != nil) {
			t.Errorf("kind %s, reach %v, chained %v; want %s", got, got.Reach(), got.Chained(), want)
		}
	}
}
