package cli

import (
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"bcstage/cli/internal/objectstore"
	"bcstage/preprocess/question"
)

// The flag tables. Parsing, help, completion and the environment all follow
// from them: flag --some-name is also BCSTAGE_SOME_NAME, or for generate
// BCSTAGE_GENERATE_SOME_NAME, since its flags share names with those of run
// and mean something else; report and bench have prefixes for the same reason.

// Headings of the help, in this order.
const (
	groupInput    = "Input"
	groupOutput   = "Output"
	groupCompute  = "Compute"
	groupGraph    = "Graph"
	groupSample   = "Estimates"
	groupParts    = "Parts"
	groupStorage  = "Object stores"
	groupMessages = "Messages"
)

// table makes the flags of one command.
type table struct{ environment string }

func (t table) variables(name string) []string {
	return []string{t.environment + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))}
}

func (t table) text(group, name, usage string, aliases ...string) urfave.Flag {
	return &urfave.StringFlag{Name: name, Aliases: aliases, Category: group, Usage: usage, EnvVars: t.variables(name)}
}

func (t table) number(group, name, usage string, value int) urfave.Flag {
	return &urfave.IntFlag{Name: name, Category: group, Usage: usage, Value: value, EnvVars: t.variables(name)}
}

func (t table) toggle(group, name, usage string, aliases ...string) urfave.Flag {
	return &urfave.BoolFlag{Name: name, Aliases: aliases, Category: group, Usage: usage, EnvVars: t.variables(name), DisableDefaultText: true}
}

// choice takes its first value by default; an empty one stands for "not given".
func (t table) choice(group, name, usage string, values ...string) urfave.Flag {
	c := &choice{value: values[0], allowed: values}
	if values[0] == "" {
		c.allowed = values[1:]
	}
	return &urfave.GenericFlag{Name: name, Category: group, Usage: usage, Value: c, EnvVars: t.variables(name)}
}

func (t table) input() []urfave.Flag {
	return []urfave.Flag{
		t.choice(groupInput, "input-format", "`FORMAT` format of all inputs",
			"auto", "arrow", "parquet", "csv", "edgelist", "mtx", "metis", "dimacs"),
		t.text(groupInput, "src", "`COLUMN` column of the first end of an edge, or the number of its field in text without a header"),
		t.text(groupInput, "dst", "`COLUMN` column of the second end of an edge, or the number of its field"),
		t.toggle(groupInput, "directed", "edges run one way, from --src to --dst"),
		t.choice(groupInput, "header", "`WHETHER` whether the first row of a text holds names", "auto", "yes", "no"),
		t.text(groupInput, "by", "`COLUMNS` every value of this column, or these with commas, is a graph of its own; a folder column=value counts"),
		t.toggle(groupInput, "bipartite", "sources and destinations are two sets of ids; adds the column side"),
		t.text(groupInput, "vertices", "`FILE` table of vertices, which exist with or without edges"),
		t.text(groupInput, "sources", "`FILE` only paths that begin at these vertices: ids in the first column"),
		t.text(groupInput, "targets", "`FILE` only paths that end at these vertices"),
		t.toggle(groupInput, "endpoints", "paths count for their two ends, too"),
		t.text(groupInput, "cutoff", "`K` only paths of at most K edges, or with --weight of length K"),
		t.choice(groupInput, "nulls", "`RULE` what to do with rows without an id", "error", "drop"),
		t.text(groupInput, "weight", "`COLUMN` lengths of edges, by which paths are measured; value, or the number of the field, where it has no name"),
		t.choice(groupInput, "repeats", "`RULE` length of an edge that is repeated with others: the smallest, their sum, or an error", "min", "sum", "error"),
		t.toggle(groupInput, "ignore-weight", "accept edges with weights, and ignore those"),
		t.choice(groupInput, "ids", "`TYPE` what ids are; string makes text of integers, too", "auto", "int", "string"),
	}
}

// columns is about what is computed, and so a flag of whatever computes or estimates.
func (t table) columns() []urfave.Flag {
	var names []string
	for _, m := range question.Measures() {
		if m.Of == "" {
			names = append(names, m.Name)
		}
	}
	return []urfave.Flag{
		t.text(groupOutput, "columns", "`LIST` what to compute, a column each, with commas; betweenness if not given: "+strings.Join(names, ", ")),
	}
}

func (t table) output() []urfave.Flag {
	return []urfave.Flag{
		t.text(groupOutput, "output", "`FILE` write the scores to FILE, in the format of its extension; - is stdout", "o"),
		t.text(groupOutput, "edge-scores", "`FILE` write the betweenness of every edge to FILE, too, in the format of its extension"),
		t.choice(groupOutput, "format", "`FORMAT` format of the scores, whatever the extension", append([]string{""}, outputFormats()...)...),
		t.choice(groupOutput, "sort", "`ORDER` order of the rows; score: the first column, highest first", "first-seen", "score"),
		t.choice(groupOutput, "scale", "`SCALE` what betweenness is divided by, of vertices and edges",
			"raw", "ordered", "pairs", "max", "component"),
		t.toggle(groupOutput, "normalized", "same as --scale pairs, which is NetworkX's normalized=True"),
		t.number(groupOutput, "top", "`K` write only the K highest scores, highest first; as a readable table unless -o or --format is given", 0),
		t.text(groupOutput, "stats", "`FILE` write statistics of the run as one JSON object; - is stdout, unless the scores go there"),
		t.text(groupOutput, "metrics", "`FILE` write figures of the run, or how it failed, for Prometheus"),
	}
}

func (t table) keep() []urfave.Flag {
	return []urfave.Flag{t.text(groupOutput, "keep", "`COLUMNS` columns of the table of --vertices, with commas, that stand in the output before the scores")}
}

func (t table) compute() []urfave.Flag {
	return []urfave.Flag{
		t.choice(groupCompute, "engine", "`ENGINE` which processors compute", "auto", "cpu", "gpu"),
		t.text(groupCompute, "device", "`LIST` OpenCL devices to use: all, cpu for none, or numbers such as 0,2"),
		t.choice(groupCompute, "strategy", "`STRATEGY` how devices search", strategies()...),
		t.number(groupCompute, "mdeg", "`DEGREE` degree above which a whole work-group of a device shares a vertex; 0: automatic", 0),
		t.number(groupCompute, "verify", "`K` recompute K random sources with the textbook algorithm, and compare", 0),
		t.choice(groupCompute, "precision", "`TYPE` precision of path counts; scores are always float64", "float64", "float32"),
	}
}

// effort is the part of compute that info's estimate depends on.
func (t table) effort() []urfave.Flag {
	return []urfave.Flag{
		t.number(groupCompute, "threads", "`N` number of CPU threads; 0: all", 0),
		t.number(groupCompute, "lanes", "`N` number of sources searched at once, up to 64; 0: automatic", 0),
		t.text(groupCompute, "memory", "`SIZE` memory limit, such as 500M or 8G; by default, what is available"),
	}
}

// sample is about scores that are estimated.
func (t table) sample() []urfave.Flag {
	return []urfave.Flag{
		t.toggle(groupSample, "estimate", "estimate the scores, each with an interval that holds it: columns lower and upper"),
		t.eps(),
		&urfave.DurationFlag{Name: "within", Category: groupSample, Usage: "`TIME` until the next stage would end later than this after the start, such as 10m", EnvVars: t.variables("within")},
		t.number(groupSample, "samples", "`K` until K vertices have been drawn as sources, or K pairs", 0),
		t.number(groupSample, "certain", "`K` until the K highest scores are certain to be those, or --eps is reached", 0),
		t.choice(groupSample, "way", "`WAY` how to estimate; auto takes what is cheapest, exact scores included", "auto", "sources", "sources-raw", "pairs", "exact"),
		t.fraction("confidence", "`P` probability that all intervals hold their scores; 0.95 if not given"),
		&urfave.Uint64Flag{Name: "seed", Category: groupSample, Usage: "`N` of what is drawn: equal seeds draw the same", Value: 1, EnvVars: t.variables("seed")},
	}
}

func (t table) eps() urfave.Flag {
	return t.fraction("eps", "`E` until every score is within E of the truth, as a share of all pairs of vertices; 0.001 if no goal is given")
}

// fraction takes a number between 0 and 1.
func (t table) fraction(name, usage string) urfave.Flag {
	return &urfave.Float64Flag{Name: name, Category: groupSample, Usage: usage, EnvVars: t.variables(name)}
}

// parts is about results that are not complete.
func (t table) parts() []urfave.Flag {
	return []urfave.Flag{
		t.text(groupParts, "checkpoint", "`FILE` save finished work to FILE at intervals; it is removed when the output has been written"),
		&urfave.DurationFlag{Name: "checkpoint-interval", Category: groupParts, Usage: "`TIME` time between two checkpoints; 30s if not given", Value: 30 * time.Second, EnvVars: t.variables("checkpoint-interval")},
		&urfave.GenericFlag{Name: "resume", Category: groupParts, Value: new(resumption), EnvVars: t.variables("resume"),
			Usage: "go on from the checkpoint if there is one; if it is of another graph or question, warn and start anew, or with --resume=strict, fail"},
		t.toggle(groupParts, "keep-checkpoint", "leave the checkpoint in place after the output has been written"),
		t.text(groupParts, "shard", "`I/N` compute part I of N, counted from 0, or several, as in 0,2/4; writes a partial result for merge"),
	}
}

func (t table) storage() urfave.Flag {
	return &urfave.DurationFlag{Name: "io-timeout", Category: groupStorage, Value: objectstore.DefaultTimeout, EnvVars: t.variables("io-timeout"),
		Usage: "`TIME` fail when an object store has been silent for this long, such as 90s or 5m; 60s if not given"}
}

func (t table) messages() []urfave.Flag {
	return []urfave.Flag{
		t.choice(groupMessages, "progress", "`WHEN` show progress on stderr", "auto", "always", "never"),
		t.toggle(groupMessages, "quiet", "show only errors and warnings", "q"),
		t.choice(groupMessages, "log-format", "`FORMAT` format of messages on stderr", "text", "json"),
	}
}

func (t table) help() urfave.Flag {
	return &urfave.BoolFlag{Name: "help", Aliases: []string{"h"}, Category: groupMessages, Usage: "show this help", DisableDefaultText: true}
}
