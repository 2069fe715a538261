package preprocess

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// TestFilesStay pins prepared graphs to the last byte, fingerprints included.
// Checkpoints, shards and prepared graphs of earlier versions remain valid as long as
// these hashes do not change. A changed hash is a change of the format, or of the plan,
// and users must know of it.
func TestFilesStay(t *testing.T) {
	add := func(to hash.Hash, g *csr.Graph, opts Options) {
		p := prepare(t, g, numbered(g.Vertices()), opts)
		var file bytes.Buffer
		if err := p.Write(context.Background(), &file); err != nil {
			t.Fatal(err)
		}
		to.Write(file.Bytes())
	}
	pinned := func(name, want string, graphs []*csr.Graph, options ...Options) {
		all := sha256.New()
		for _, g := range graphs {
			for _, opts := range options {
				add(all, g, opts)
			}
		}
		if got := hex.EncodeToString(all.Sum(nil)[:8]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	shapes := shapesOfGraphs()
	var small []*csr.Graph
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		small = append(small, shapes[name])
	}
	random := rand.New(rand.NewPCG(5, 11))
	for range 200 {
		small = append(small, randomGraph(random))
	}
	pinned("small graphs", "cbe26c2fa45c502e", small, Options{}, Options{Lanes: 3}, Options{Off: []string{"twins"}}, Options{Off: []string{"chains"}}, Options{Off: []string{"twins", "chains"}})
	pinned("chains", "c5418260ea0f5374", []*csr.Graph{chained(), streets(random, 8, 8, 6)}, Options{}, Options{Lanes: 7}, Options{Off: []string{"chains"}})
	pinned("larger graphs", "999f0df78300adcc", []*csr.Graph{kron(11, 8), graphOf(48*48, testgraphs.Grid(48, 48)), fans(5000), houses(900), caterpillar(700)}, Options{}, Options{Lanes: 16, Off: []string{"twins"}})
}

// A prepared graph keeps two masses, and they are part of the fingerprint.
func TestTwoMassesInFiles(t *testing.T) {
	two := testgraphs.Grid(4, 4) // and another that shares a corner with it
	for _, e := range testgraphs.Grid(4, 5) {
		two = append(two, edge{15 + e[0], 15 + e[1]})
	}
	graphs := []*csr.Graph{chained(), graphOf(30, testgraphs.Grid(5, 6)), graphOf(35, two)}
	for i, g := range graphs {
		want := prepare(t, g, numbered(g.Vertices()), Options{})
		one, oneBytes := want.Fingerprint, want.Bytes()
		grown := int64(0)
		for i := range want.Blocks {
			b := &want.Blocks[i]
			if !b.OneMass() {
				t.Fatal("two masses for the zero question")
			}
			if i%2 == 0 { // one block with two masses is enough
				b.To = slices.Clone(b.To)
				b.To[0] = 0
				grown += budget.Held(b.To)
			}
		}
		if want.Bytes() != oneBytes+grown {
			t.Errorf("graph %d: %d bytes, want %d and %d", i, want.Bytes(), oneBytes, grown)
		}
		var err error
		if want.Fingerprint, err = fingerprint(t.Context(), want.Plan, 2); err != nil || want.Fingerprint == one {
			t.Errorf("graph %d: the fingerprint is that of one mass, %v", i, err)
		}
		got, err := open(t, fileOf(t, want))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Plan, want.Plan) {
			t.Errorf("graph %d: %+v, want %+v", i, got.Plan, want.Plan)
		}
		want.Blocks[0].To[0] = -1
		if _, err = open(t, fileOf(t, want)); !errors.Is(err, ErrPrepared) {
			t.Errorf("graph %d: a mass below 0: %v", i, err)
		}
	}
}

// A question is part of the fingerprint and of a prepared graph. Earlier
// versions of the program refuse such a file.
func TestQuestionInFiles(t *testing.T) {
	p := prepare(t, graphOf(30, testgraphs.Grid(5, 6)), numbered(30), Options{Question: question.Question{Measures: []string{measures.Betweenness}}})
	zero := fileOf(t, p)
	if version := binary.LittleEndian.Uint32(zero[8:]); version != 1 {
		t.Errorf("version %d for the zero question", version)
	}
	plain := p.Fingerprint
	seen := map[[32]byte]string{plain: "the zero question"}
	for text, flag := range map[string]string{"directed=true": "--directed", "cutoff=3": "--cutoff", "cutoff=4": "--cutoff", "way=pairs seed=1": "--estimate"} {
		var err error
		if p.Question, err = question.Parse(text); err != nil {
			t.Fatal(err)
		}
		if p.Fingerprint, err = fingerprint(t.Context(), p.Plan, 1); err != nil {
			t.Fatal(err)
		}
		if other, found := seen[p.Fingerprint]; found {
			t.Errorf("%s has the fingerprint of %s", text, other)
		}
		seen[p.Fingerprint] = text
		file := fileOf(t, p)
		if version := binary.LittleEndian.Uint32(file[8:]); version != 2 {
			t.Errorf("%s: version %d", text, version)
		}
		_, err = open(t, file)
		if p.Question.Answerable() == nil {
			if err != nil {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if !errors.Is(err, question.ErrUnanswered) || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
