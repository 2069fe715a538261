package pipeline

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/refusals"
	"bcstage/preprocess/question"
)

// Both sides of every row of refusals.All are answered by themselves, and refused together. Names that the command
// alone knows are given as it gives them.
func TestEveryRefusal(t *testing.T) {
	graph := prepared(t, Options{Input: Input{Source: sourceOf(deviceGraph())}})
	asked := func(text string) func(*Options) {
		return func(o *Options) {
			key, value, _ := strings.Cut(text, "=")
			if err := o.Question.Set(key, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	one := VertexSetOf(1)
	give := map[string]func(*Options){
		"--directed":          asked("directed=true"),
		"--weight":            asked("weight=m"),
		"--repeats keep":      asked("repeats=keep"),
		"--sources":           func(o *Options) { o.Sources = one },
		"--targets":           func(o *Options) { o.Targets = one },
		"--origins":           asked("origins=a"),
		"--destinations":      asked("destinations=a"),
		"--trips":             func(o *Options) { o.Trips = &TripTable{names: [3]string{"a", "b", "c"}} },
		"--endpoints":         asked("endpoints=true"),
		"--cutoff":            asked("cutoff=2"),
		"several of --cutoff": asked("cutoff=2,3"),
		"--decay":             asked("decay=exp:1"),
		"--constrained":       asked("constrained=origins"),
		"--edge-scores":       func(o *Options) { o.Edges = into(new(tables.Table)) },
		"--edge-scores with --repeats keep": func(o *Options) {
			o.Edges, o.Question.Lengths.Repeats = into(new(tables.Table)), question.RepeatsKeep
		},
		"--columns":                     asked("columns=betweenness,degree"),
		"--columns without betweenness": asked("columns=degree"),
		"--columns of distances":        asked("columns=betweenness,harmonic"),
		"--columns of masses reached":   asked("columns=betweenness,access"),
		"--estimate":                    asked("way=auto"),
		"--way pairs":                   asked("way=pairs"),
		"--way sources":                 asked("way=sources"),
		"--way sources-raw":             asked("way=sources-raw"),
		"--certain":                     func(o *Options) { o.Question.Sample.Way, o.Question.Sample.Certain = "auto", 3 },
		"--certain-change":              func(o *Options) { o.Question.Sample.Way, o.Question.Sample.CertainChange = "auto", 3 },
		"--since":                       func(o *Options) { o.Since = &Since{} },
		"--since with --estimate":       func(o *Options) { o.Since, o.Question.Sample.Way = &Since{}, "auto" },
		"--changes":                     func(o *Options) { o.Since = &Since{Changes: &ChangeTable{}} },
		"--by":                          func(o *Options) { o.Files.By = []string{"day"} },
		"--bipartite":                   func(o *Options) { o.Files.Bipartite = true },
		"--keep":                        func(o *Options) { o.Files.Keep = []string{"name"} },
		"--edge-keep":                   func(o *Options) { o.Files.EdgeKeep = []string{"name"} },
		"--oneway":                      func(o *Options) { o.Files.OneWay = "way" },
		"--unrouted":                    func(o *Options) { o.Unrouted = into(new(tables.Table)) },
		"--engine gpu":                  func(o *Options) { o.Engine = EngineGPU },
		"--precision float32":           func(o *Options) { o.Precision = Float32 },
		"--checkpoint":                  func(o *Options) { o.Save = func(tables.Table) error { return nil } },
		refusals.PartialResult:          func(o *Options) { o.Shard = Shard{Mine: []int{0}, Of: 2} },
		refusals.PreparedGraph:          func(o *Options) { o.Files.Paths = []string{graph} },
	}
	check := func(names ...string) error {
		var opts Options
		var calls []string
		for _, name := range names {
			if set := give[name]; set != nil {
				set(&opts)
			} else {
				calls = append(calls, name)
			}
		}
		opts.calls = calls
		return opts.answerable()
	}
	parts := []string{"--directed", "--weight", "--repeats keep", "--sources", "--targets", "--origins", "--destinations", "--trips", "--endpoints",
		"--cutoff", "--decay", "--constrained", "--edge-scores", "--columns", "--estimate"}
	for _, r := range refusals.All() {
		of := r.Asked
		if r.AllElse {
			of = slices.DeleteFunc(slices.Clone(parts), func(name string) bool {
				flag, _, _ := strings.Cut(name, " ")
				return slices.Contains(r.Asked, flag)
			})
		}
		for _, name := range of {
			if err := errors.Join(check(r.With), check(name)); err != nil {
				t.Errorf("%s, %s: each by itself: %v", r.With, name, err)
			}
			err := check(r.With, name)
			if !errors.Is(err, ErrOptions) || !errors.Is(err, question.ErrUnanswered) || !strings.Contains(err.Error(), " together with ") {
				t.Errorf("%s together with %s: %v", r.With, name, err)
			}
		}
	}
}
