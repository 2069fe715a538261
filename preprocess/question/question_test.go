package question

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bcstage/internal/measures"
)

func setOf(ids ...string) Set {
	return SetOf(func(yield func([]byte) bool) {
		for _, id := range ids {
			if !yield([]byte(id)) {
				return
			}
		}
	})
}

// everything is a question with a value in every part, whatever the
// contradictions.
func everything() Question {
	return Question{
		Directed: true, Lengths: Lengths{"a \"b\"", "10^-6", "sum"}, Sources: setOf("1"), Targets: setOf(), Endpoints: true,
		Origins: Masses{"people", "10^-2", 700}, Destinations: Masses{"jobs at 9", "2^3", 1}, Trips: Masses{"cars", "10^-1", 5},
		Cutoff: "2.5", Decay: Decay{"exp:0.5", 0.25}, Gravity: Gravity{"origins", 2.5}, Measures: []string{measures.Harmonic, measures.Betweenness}, Edges: true,
		Sample: Sample{"pairs", 7, 1e-3, time.Minute, 1000, 10, 0.9, 5},
	}
}

// full counts the leaves of a struct that are not zero, and all leaves.
func full(v reflect.Value) (set, all int) {
	if v.Kind() != reflect.Struct || v.Type() == reflect.TypeFor[Set]() {
		if v.IsZero() {
			return 0, 1
		}
		return 1, 1
	}
	for i := range v.NumField() {
		s, a := full(v.Field(i))
		set, all = set+s, all+a
	}
	return set, all
}

// TestEveryPart compares the table of fields with the type: a part missing in
// the table would be missing in fingerprints.
func TestEveryPart(t *testing.T) {
	q := everything()
	set, all := full(reflect.ValueOf(q))
	if set != all || all != len(fields()) {
		t.Fatalf("%d of %d parts have a value here, %d are in the table", set, all, len(fields()))
	}
	var copied Question
	for _, f := range fields() {
		text := f.get(q)
		if text == "" {
			t.Errorf("%s is not written", f.key)
		}
		one := Question{}
		for _, to := range []*Question{&one, &copied} {
			if err := to.Set(f.key, text); err != nil {
				t.Error(err)
			}
		}
		if set, _ := full(reflect.ValueOf(one)); set != 1 {
			t.Errorf("%s=%s sets %d parts", f.key, text, set)
		}
		if f.identity != (one.Identity() != "") || f.identity != (Question{}.Differs(one) != "") {
			t.Errorf("%s: identity %q, differs: %q", f.key, one.Identity(), Question{}.Differs(one))
		}
	}
	if !reflect.DeepEqual(copied, q) {
		t.Errorf("read back: %+v, want %+v", copied, q)
	}
}

func TestZero(t *testing.T) {
	for _, q := range []Question{{}, {Measures: []string{measures.Betweenness}}} {
		if q.String() != "" || q.Identity() != "" || q.Answerable() != nil || (Question{}).Differs(q) != "" {
			t.Errorf("%+v: %q, identity %q, %v", q, q, q.Identity(), q.Answerable())
		}
	}
	exact := Question{Sample: Sample{Way: "exact", Eps: 0.1}}
	if exact.Identity() != "" {
		t.Errorf("exact scores have the identity %q", exact.Identity())
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"  cutoff=03.0   directed=true ":            "directed=true cutoff=3",
		"repeats=min":                               "",
		"repeats=keep":                              "repeats=keep",
		`weight="a b" repeats=sum cutoff=2.50`:      `weight="a b" repeats=sum cutoff=2.5`,
		"weight='x'":                                "weight=x",
		"columns=betweenness":                       "",
		"cutoff=1e3":                                "cutoff=1000",
		"weight=x cutoff=.3":                        "weight=x cutoff=0.3",
		"weight=x cutoff=3e-1":                      "weight=x cutoff=0.3",
		"weight=x cutoff=1e-05":                     "weight=x cutoff=0.00001",
		"weight=x cutoff=+12.50E1":                  "weight=x cutoff=125",
		"weight=x cutoff=1.25e1":                    "weight=x cutoff=12.5",
		"cutoff=1e16":                               "cutoff=10000000000000000",
		"cutoff=3.":                                 "cutoff=3",
		"weight=x cutoff=800,.5,4e2,10000":          "weight=x cutoff=0.5,400,800,10000",
		"columns=component_size,betweenness":        "columns=component_size,betweenness",
		"directed=0 seed=0 eps=0":                   "",
		"decay=exp:2e-3 decay-floor=1e-6":           "decay=exp:0.002 decay-floor=1e-06",
		"decay=power:02.0":                          "decay=power:2",
		"constrained=origins stay=2.50":             "constrained=origins stay=2.5",
		"columns=access stay=0":                     "columns=access",
		"decay=table:0=1,4e2=.50,800=0":             "decay=table:0=1,400=0.5,800=0",
		"samples=64 way=sources-raw seed=1 eps=.01": "way=sources-raw seed=1 eps=0.01 samples=64",
		"within=90s way=auto":                       "way=auto within=1m30s",
	} {
		q, err := Parse(text)
		if err != nil || q.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, q, err, want)
		}
	}
}

// TestIdentity pins what may differ between runs that are joined, and how a
// difference is reported.
func TestIdentity(t *testing.T) {
	for _, pair := range [][3]string{
		{"", "directed=true", "--directed against no --directed"},
		{"cutoff=3", "", "no --cutoff against --cutoff 3"},
		{"weight=a", "weight=b", "--weight b against --weight a"},
		{"weight=a unit=10^-2", "weight=a unit=2^3", "--weight unit 2^3 against --weight unit 10^-2"},
		{"weight=a unit=10^-2", "weight=a", "no --weight unit against --weight unit 10^-2"},
		{"way=pairs seed=1 eps=.1", "way=pairs seed=1 eps=.01 samples=7 certain=3 certain-change=2 within=1s confidence=.9", ""},
		{"way=pairs seed=1", "way=pairs seed=2", "--seed 2 against --seed 1"},
		{"way=sources", "way=sources-raw", "--way sources-raw against --way sources"},
		{"columns=betweenness,component_size", "columns=component_size,betweenness", ""},
		{"columns=component_size", "", "no --columns against --columns component_size"},
		{"columns=degree,betweenness,rank", "", ""},
		{"columns=closeness,rank", "columns=farness", ""},
		{"cutoff=3 columns=closeness", "cutoff=3 columns=reach,farness", ""},
		{"columns=reach", "columns=reach cutoff=3", "--cutoff 3 against no --cutoff"},
		{"columns=closeness,harmonic", "columns=harmonic,closeness_classic,degree", ""},
		{"columns=closeness", "columns=betweenness,closeness", "--columns betweenness,farness against --columns farness"},
		{"way=exact eps=.1", "", ""},
		{"origins=a", "", "no --origins against --origins a"},
		{"origins=a", "destinations=a", "no --origins against --origins a"},
		{"origins=a origins-unit=10^-2", "origins=a origins-unit=10^-2 origins-total=7", "--origins origins-total 7 against no --origins origins-total"},
		{"edge-scores=true", "", "no --edge-scores against --edge-scores"},
		{"columns=farness edge-scores=true", "columns=betweenness,farness edge-scores=true", ""},
	} {
		a, errA := Parse(pair[0])
		b, errB := Parse(pair[1])
		if err := errors.Join(errA, errB); err != nil {
			t.Fatal(err)
		}
		if got := a.Differs(b); got != pair[2] || (got == "") != (a.Identity() == b.Identity()) {
			t.Errorf("%q and %q: %q, want %q; identities %q and %q", a, b, got, pair[2], a.Identity(), b.Identity())
		}
	}
}

func TestContradictions(t *testing.T) {
	for text, flag := range map[string]string{
		"repeats=sum":                           "--repeats",
		"weight=a repeats=max":                  "--repeats",
		"unit=10^-3":                            "--weight",
		"weight=a unit=3":                       "--weight",
		"origins-unit=10^-3":                    "--origins",
		"destinations=a destinations-unit=3":    "--destinations",
		"destinations-total=4":                  "--destinations",
		"origins=a origins-total=-4":            "--origins",
		"origins=a columns=degree":              "--origins",
		"trips=a columns=degree":                "--trips",
		"trips-total=4":                         "--trips",
		"cutoff=2.5":                            "--cutoff",
		"cutoff=-1":                             "--cutoff",
		"cutoff=1e999":                          "--cutoff",
		"cutoff=1e":                             "--cutoff",
		"cutoff=.":                              "--cutoff",
		"cutoff=nan":                            "--cutoff",
		"decay=exp":                             "--decay",
		"decay=exp:-1":                          "--decay",
		"decay=sigmoid:1":                       "--decay",
		"decay=gaussian:0":                      "--decay",
		"decay=table:":                          "--decay",
		"decay=table:1=1,1=.5":                  "--decay",
		"decay=table:1=1.5":                     "--decay",
		"decay-floor=.1":                        "--decay-floor",
		"decay=exp:1 decay-floor=2":             "--decay-floor",
		"decay=exp:1 columns=degree":            "--decay",
		"constrained=destinations":              "--constrained",
		"constrained=origins columns=access":    "--constrained",
		"constrained=origins stay=-1":           "--stay",
		"constrained=origins stay=nan":          "--stay",
		"constrained=origins stay=inf":          "--stay",
		"stay=1":                                "--stay",
		"origins=a columns=access":              "--origins",
		"destinations=a columns=harmonic":       "--destinations",
		"columns=access way=auto":               "--columns",
		"cutoff=2,1,2":                          "--cutoff",
		"cutoff=0x10":                           "--cutoff",
		"columns=fame":                          "--columns",
		"columns=,":                             "--columns",
		"columns=component_size,component_size": "--columns",
		"columns=rank,betweenness":              "--columns",
		"directed=true columns=closeness":       "closeness_in or closeness_out",
		"columns=closeness_in":                  "want closeness",
		"way=best":                              "--way",
		"eps=0.1":                               "--estimate",
		"way=pairs eps=NaN":                     "--eps",
		"way=pairs eps=1":                       "--eps",
		"way=pairs within=-1s":                  "--within",
		"way=pairs samples=-1":                  "--samples",
		"way=pairs certain=-1":                  "--certain",
		"way=pairs certain-change=-1":           "--certain-change",
		"way=pairs confidence=1.5":              "--confidence",
		"way=pairs columns=component_size":      "--columns",
		"sources=12":                            "--sources",
		"directed=maybe":                        "--directed",
		"sauces=1":                              "sauces",
		"directed":                              "directed",
		"directed=true directed=true":           "directed",
		`weight="a"b`:                           "a",
	} {
		q, err := Parse(text)
		if !errors.Is(err, ErrQuestion) || !strings.Contains(err.Error(), flag) || !reflect.DeepEqual(q, Question{}) {
			t.Errorf("%q: %+v, %v; want an error that names %q", text, q, err, flag)
		}
	}
	for _, q := range []Question{{Cutoff: "03"}, {Cutoff: "x"}, {Lengths: Lengths{Column: "a", Repeats: "min"}}} {
		if err := q.Check(); !errors.Is(err, ErrQuestion) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// TestTwoMeanings: in a directed graph, the bare name of a measure with two
// directions is refused.
func TestTwoMeanings(t *testing.T) {
	registered := append(measures.All(), measures.Measure{Name: "nearness", Directed: true}, measures.Measure{Name: "nearness_in"})
	for name, ok := range map[string]bool{"nearness": false, "nearness_in": true, measures.Betweenness: true} {
		q := Question{Directed: true, Measures: []string{name}}
		if err := q.check(registered); (err == nil) != ok {
			t.Errorf("%s directed: %v", name, err)
		}
		if q.Directed = false; q.check(registered) != nil {
			t.Errorf("%s undirected: %v", name, q.check(registered))
		}
	}
}

// TestAnswerable pins the questions that the program answers today. A change
// that answers more changes this list.
func TestAnswerable(t *testing.T) {
	for text, flag := range map[string]string{
		"trips=a decay=exp:1": "--trips together with --decay",
		"trips=a origins=b":   "--trips together with --origins",

		"way=pairs constrained=origins": "--way pairs together with --constrained",
		"way=pairs repeats=keep":        "--way pairs together with --repeats",
		"way=auto cutoff=2,3":           "--estimate together with several of --cutoff",
	} {
		q, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Answerable(); !errors.Is(err, ErrUnanswered) || !strings.Contains(err.Error(), flag) {
			t.Errorf("%q: %v, want %s", text, err, flag)
		}
	}
	for _, text := range []string{"", "decay=exp:1 cutoff=2,3 directed=true weight=a origins=b decay-floor=.1", "constrained=origins", "decay=exp:1 cutoff=2,3 directed=true weight=a origins=b constrained=origins stay=2",
		"columns=access,within destinations=b decay=exp:1", "columns=mean_distance,betweenness endpoints=true directed=true weight=a cutoff=2,3", "cutoff=2,3 edge-scores=true origins=a", "origins=a", "trips=a directed=true weight=b cutoff=2,3 edge-scores=true", "origins=a destinations=b directed=true weight=c cutoff=2.5 edge-scores=true endpoints=true", "endpoints=true cutoff=3", "directed=true weight=a endpoints=true", "directed=true weight=a endpoints=true cutoff=2.5", "endpoints=true", "cutoff=3", "directed=true cutoff=3", "weight=a cutoff=2.5 directed=true", "endpoints=true weight=a", "directed=true", "directed=true sources=" + setOf("1").String(), "sources=" + setOf("1").String(), "sources=" + setOf().String() + " targets=" + setOf("2").String(), "weight=a", "weight=a unit=10^-3 repeats=sum", "repeats=keep edge-scores=true", "weight=a repeats=keep decay=exp:1", "trips=a repeats=keep directed=true", "way=auto seed=3 eps=0.1 within=1m0s samples=3 certain=4 confidence=0.9", "directed=true way=pairs eps=0.1", "edge-scores=true directed=true weight=a cutoff=3", "edge-scores=true endpoints=true", "edge-scores=true columns=closeness",
		"directed=true cutoff=3 columns=reach_in", "weight=a columns=betweenness,eccentricity", "endpoints=true cutoff=3 columns=reach", "columns=closeness sources=" + setOf("1").String(), "way=auto eps=0.1 cutoff=3", "way=sources edge-scores=true origins=a", "way=pairs trips=a edge-scores=true", "way=pairs decay=exp:1 origins=a", "weight=a way=sources cutoff=2.5 endpoints=true", "weight=a way=pairs", "decay=exp:1 constrained=origins edge-scores=true columns=betweenness,access", "columns=access edge-scores=true", "way=auto origins=a destinations=b endpoints=true", "way=auto trips=a directed=true", "trips=a endpoints=true cutoff=3", "decay=exp:1 endpoints=true", "constrained=origins endpoints=true", "way=sources decay=exp:1 constrained=origins origins=a sources=" + setOf("1").String(), "sources=" + setOf("1").String() + " way=pairs endpoints=true"} {
		q, err := Parse(text)
		if err != nil || q.Answerable() != nil {
			t.Errorf("%q: %v, %v", text, err, q.Answerable())
		}
	}
	if err := (Question{Cutoff: "-1"}).Answerable(); !errors.Is(err, ErrQuestion) {
		t.Error(err)
	}
}

func TestSets(t *testing.T) {
	same := []Set{setOf("1", "2"), setOf("2", "1"), setOf("2", "1", "2")}
	if same[0] != same[1] || same[0] != same[2] {
		t.Error("order or repeats count")
	}
	for i, other := range []Set{{}, setOf(), setOf("12"), setOf("1"), setOf("1", "3"), setOf("1", "2", "3")} {
		if other == same[0] {
			t.Errorf("set %d equals {1, 2}", i)
		}
	}
	if (Set{}) == setOf() {
		t.Error("no vertex is all vertices")
	}
}

func TestMeasures(t *testing.T) {
	var names, columns []string
	for _, m := range measures.All() {
		if m.Name == "" || m.Column == "" || m.Help == "" || strings.ContainsAny(m.Name, ", =\n") || strings.Contains(m.Help, "\n") ||
			!slices.Contains([]measures.Per{measures.PerVertex, measures.PerEdge, measures.PerSource}, m.Per) {
			t.Errorf("%+v", m)
		}
		if added := slices.Contains([]measures.Join{measures.Sum, measures.Max}, m.Join); added != (m.Search != "") || added && !slices.Equal(m.Sums, []string{m.Name}) {
			t.Errorf("%+v: added up or not", m)
		}
		for _, name := range m.Sums {
			if sum, ok := measures.Named(name); !ok || sum.Search == "" {
				t.Errorf("%s is made of %q, which is not added up", m.Name, name)
			}
		}
		if found, ok := measures.Named(m.Name); !ok || !reflect.DeepEqual(found, m) {
			t.Errorf("%s is not found", m.Name)
		}
		names, columns = append(names, m.Name), append(columns, m.Column)
	}
	for _, list := range [][]string{names, columns} {
		slices.Sort(list)
		if len(slices.Compact(list)) != len(measures.All()) {
			t.Errorf("twice: %v", list)
		}
	}
	asked := Question{Measures: []string{measures.ComponentSize, measures.Betweenness}}.Asked()
	if sums := (Question{Measures: []string{measures.Rank, measures.Closeness, measures.Eccentricity, measures.Betweenness}}).Sums(); len(sums) != 3 || sums[0].Name != measures.Betweenness || sums[1].Name != measures.Farness {
		t.Errorf("sums %v", sums)
	}
	if len(asked) != 2 || asked[0].Name != measures.ComponentSize || (Question{}).Asked()[0].Name != measures.Betweenness {
		t.Errorf("asked for %v", asked)
	}
}

// FuzzParse checks that a text that is read is written such that it is read the
// same.
func FuzzParse(f *testing.F) {
	q := everything()
	f.Add(q.String())
	f.Add(q.Identity())
	f.Add("weight=\"a\\x00\xff\" cutoff=0.5")
	f.Add("weight='`' endpoints=T within=1h")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err != nil {
			if !errors.Is(err, ErrQuestion) {
				t.Error(err)
			}
			return
		}
		for _, written := range []string{q.String(), q.Identity()} {
			again, err := Parse(written)
			if err != nil || again.String() != written || again.Identity() != q.Identity() {
				t.Errorf("%q: %q, %v; identity %q, was %q", written, again, err, again.Identity(), q.Identity())
			}
		}
		again, _ := Parse(q.String())
		if !reflect.DeepEqual(again, q) {
			t.Errorf("%q: %+v, want %+v", text, again, q)
		}
	})
}
