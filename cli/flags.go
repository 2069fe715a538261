package cli

import (
	"cmp"
	"strings"

	"bcstage/arrowio"
	"bcstage/cli/internal/generate"
	"bcstage/cli/internal/objectstore"
	"bcstage/cpu"
	"bcstage/gpu"
	"bcstage/internal/engine"
	"bcstage/internal/gpu/searches"
	"bcstage/internal/measures"
	"bcstage/pipeline"
)

// Headings of the help, in this order.
const (
	groupInput    = "Input"
	groupGraph    = "Graph"
	groupOutput   = "Output"
	groupCompute  = "Compute"
	groupSample   = "Estimates"
	groupParts    = "Parts"
	groupStorage  = "Object stores"
	groupMessages = "Messages"
)

func groups() []string {
	return []string{groupInput, groupGraph, groupOutput, groupCompute, groupSample, groupParts, groupStorage, groupMessages}
}

// Groups of commands that share many flags.
const (
	reading  = "run distances whatif info prepare bench" // edges
	planning = "run info prepare bench"                  // edges, for scores
	writing  = "run merge"                               // scores
)

// table returns every flag of every command, one row each. A new flag is a new row, and code in its
// command if the row cannot set an option by itself. Then: make generate.
//
// The variable of --some-name is BCSTAGE_SOME_NAME. If flags of one name differ in meaning, their
// variables contain the command, as BCSTAGE_GENERATE_N.
func table() []flag {
	rows := inputFlags()
	for _, more := range [][]flag{reportFlags(), generateFlags(), outputFlags(), benchFlags(), computeFlags(), sampleFlags(), partFlags(), messageFlags()} {
		rows = append(rows, more...)
	}
	for i := range rows {
		rows[i].group = cmp.Or(rows[i].group, groupInput)
	}
	return rows
}

func inputFlags() []flag {
	return []flag{
		{name: "input-format", in: reading, is: choiceValue, value: "FORMAT", of: []string{"auto", "arrow", "parquet", "csv", "edgelist", "mtx", "metis", "dimacs"}, normal: "auto",
			usage: "format of all inputs",
			to:    func(o *pipeline.Options) any { return &o.Files.Format }, python: "Reading"},
		{name: "src", in: reading, value: "COLUMN", usage: "source column, or its number in text without a header",
			to: func(o *pipeline.Options) any { return &o.Files.Src }, python: "Reading"},
		{name: "dst", in: reading, value: "COLUMN", usage: "destination column, or its number in text without a header",
			to: func(o *pipeline.Options) any { return &o.Files.Dst }, python: "Reading"},
		{name: "directed", in: reading, is: noValue, usage: "edges run one way, from --src to --dst",
			to: func(o *pipeline.Options) any { return &o.Question.Directed }, python: "Reading"},
		{name: "oneway", in: reading, value: "COLUMN", usage: "column of edges' directions: yes, no or -1, as in OpenStreetMap; makes the graph directed",
			to: func(o *pipeline.Options) any { return &o.Files.OneWay }, python: "Reading"},
		{name: "header", in: reading, is: choiceValue, value: "WHETHER", of: []string{"auto", "yes", "no"}, normal: "auto", usage: "whether the first row of a text has names",
			to: func(o *pipeline.Options) any { return &o.Files.Header }, python: "Reading"},
		{name: "by", in: reading, is: listValue, value: "COLUMNS", usage: "columns that name a graph, with commas; each graph is computed by itself; a folder column=value counts",
			to: func(o *pipeline.Options) any { return &o.Files.By }, python: "Reading"},
		{name: "bipartite", in: reading, is: noValue, usage: "sources and destinations have separate ids; adds column side",
			to: func(o *pipeline.Options) any { return &o.Files.Bipartite }, python: "Reading"},
		{name: "vertices", in: reading, value: "FILE", usage: "table of vertices, with or without edges",
			to: func(o *pipeline.Options) any { return &o.Files.Vertices }, python: "Reading", typed: "Vertices | None"},
		{name: "sources", in: planning, value: "FILE", usage: "count only paths from these vertices: ids in the first column", python: "Ends", typed: "Vertices | None"},
		{name: "targets", in: planning, value: "FILE", usage: "count only paths to these vertices: ids in the first column", python: "Ends", typed: "Vertices | None"},
		{name: "origins", in: planning + " whatif", value: "COLUMN", usage: "mass that begins at each vertex: a column of --vertices",
			to: func(o *pipeline.Options) any { return &o.Question.Origins.Column }, python: "Ends WhatIf"},
		{name: "destinations", in: planning + " whatif", value: "COLUMN", usage: "mass that ends at each vertex: a column of --vertices",
			to: func(o *pipeline.Options) any { return &o.Question.Destinations.Column }, python: "Ends WhatIf"},
		{name: "trips", in: planning, value: "FILE", usage: "table of trips from each vertex to each; with --by, its columns name the graph", python: "Ends", typed: "Vertices | None"},
		{name: "trips-columns", in: planning, is: listValue, value: "COLUMNS", usage: "columns of --trips: origin, destination and number; origin,destination,trips if not given", python: "Ends"},
		{name: "from", in: planning, is: listValue, value: "IDS", usage: "count only paths from these vertices; ids with commas"},
		{name: "to", in: planning, is: listValue, value: "IDS", usage: "count only paths to these vertices; ids with commas"},
		{name: "sources", in: "distances", value: "FILE", usage: "vertices to search from: ids in the first column"},
		{name: "targets", in: "distances", value: "FILE", usage: "write only rows of these vertices: ids in the first column", python: "Distances", typed: "Vertices | None"},
		{name: "trips", in: "distances", value: "FILE", usage: "write only rows of the pairs in a table, from its origins to its destinations, in place of --sources and --targets", python: "Distances", typed: "Vertices | None"},
		{name: "trips-columns", in: "distances", is: listValue, value: "COLUMNS", usage: "columns of --trips: origin, destination and number; origin,destination,trips if not given", python: "Distances"},
		{name: "from", in: "distances", is: listValue, value: "IDS", usage: "vertices to search from; ids with commas"},
		{name: "to", in: "distances", is: listValue, value: "IDS", usage: "write only rows of these vertices; ids with commas"},
		{name: "remove-edges", in: "whatif", value: "FILE", usage: "edges to remove, in any format of edges", python: "WhatIf", typed: "Edges | None"},
		{name: "remove-vertices", in: "whatif", value: "FILE", usage: "vertices to remove: ids in the first column", python: "WhatIf", typed: "Vertices | None"},
		{name: "each", in: "whatif", is: noValue, usage: "remove each by itself, a row each, instead of all together", python: "WhatIf"},
		{name: "since", in: "run info", is: listValue, value: "PREPARED,SCORES", usage: "update the scores of a similar graph: its prepared graph, and its scores in Parquet or Arrow",
			python: "Run Info", typed: "Sequence[Path] | None"},
		{name: "changes", in: "run info", value: "FILE", usage: "table of changes in place of edges, with --since: src, dst, and op + or -, or a length in place of +", python: "Run Info", typed: "Vertices | None"},
		{name: "endpoints", in: planning, is: noValue, usage: "count paths for their two ends, too",
			to: func(o *pipeline.Options) any { return &o.Question.Endpoints }, python: "Scaled Info"},
		{name: "cutoff", in: planning, value: "K[,K...]", usage: "count only paths of at most K edges; with --weight, of length K; several K give a column each, as betweenness_K, at most 64", python: "Ends", typed: "Cutoffs | None"},
		{name: "decay", in: planning, value: "SHARE", usage: "share of a pair that counts, by its distance: exp:B, power:A, gaussian:S, table:X=F,X=F,... or table:FILE", python: "Ends", typed: "Vertices | None"},
		{name: "decay-floor", in: planning, is: numberValue, value: "F", usage: "count shares of --decay below F as 0; this ends searches; 3e-151 if not given", python: "Ends"},
		{name: "constrained", in: planning, is: choiceValue, value: "SIDE", of: []string{"origins"}, usage: "spread origins over reached destinations by mass and --decay",
			to: func(o *pipeline.Options) any { return &o.Question.Gravity.Constrained }, python: "Ends"},
		{name: "stay", in: planning, is: numberValue, value: "K0", usage: "attraction of home with --constrained; in units of destinations; 0 if not given", python: "Ends"},
		{name: "cutoff", in: "distances", value: "K", usage: "write only vertices within K edges; with --weight, within length K", python: "Distances", typed: "Number | None"},
		{name: "nulls", in: reading, is: choiceValue, value: "RULE", of: []string{"error", "drop"}, normal: "error", usage: "treatment of rows with a null",
			to: func(o *pipeline.Options) any { return &o.Files.Nulls }, python: "Reading"},
		{name: "weight", in: reading, value: "COLUMN", usage: "edge lengths; shortest paths minimise their sum; value, or the field's number, names a column without a name",
			to: func(o *pipeline.Options) any { return &o.Question.Lengths.Column }, python: "Reading"},
		{name: "repeats", in: reading, is: choiceValue, value: "RULE", of: []string{"min", "sum", "error", "keep"}, normal: "min", usage: "rule for repeated edges: smallest length, sum, error if lengths differ, or keep each as a path of its own", python: "Reading"},
		{name: "ignore-weight", in: reading, is: noValue, usage: "accept edges with weights, and ignore the weights",
			to: func(o *pipeline.Options) any { return &o.Files.IgnoreWeight }, python: "Reading"},
		{name: "ids", in: reading, is: choiceValue, value: "TYPE", of: []string{"auto", "int", "string"}, normal: "auto", usage: "type of ids; string reads integers as text, too",
			to: func(o *pipeline.Options) any { return &o.Files.IDs }, python: "Reading"},
	}
}

func reportFlags() []flag {
	rows := []flag{
		{name: "stats", value: "FILE", usage: "statistics from --stats of the run"},
		{name: "edges", value: "FILE", usage: "edges of the run, for degrees: a file, a pattern or a folder"},
		{name: "vertices", value: "FILE", usage: "vertex table of the run, with places for a map; for scores of edges"},
		{name: "src", value: "COLUMN", usage: "source column; that of the run if not given"},
		{name: "dst", value: "COLUMN", usage: "destination column; that of the run if not given"},
		{name: "header", is: choiceValue, value: "WHETHER", of: []string{"auto", "yes", "no"}, normal: "auto", usage: "whether the first row of edges in a text has names"},
		{name: "nulls", is: choiceValue, value: "RULE", of: []string{"error", "drop"}, normal: "error", usage: "treatment of rows with a null"},
		{name: "ids", is: choiceValue, value: "TYPE", of: []string{"auto", "int", "string"}, normal: "auto", usage: "type of the edges' ids"},
		{name: "ignore-weight", is: noValue, usage: "accept edges with weights, and ignore the weights"},
		{name: "top", group: groupOutput, is: wholeValue, value: "K", normal: "20", usage: "list and name the K highest scores; 20 if not given"},
		{name: "output", short: "o", group: groupOutput, value: "FILE", usage: "write the page to FILE; - is stdout"},
		{name: "png", group: groupOutput, value: "FOLDER", usage: "write each plot to FOLDER as a PNG; no page then, unless -o is given"},
	}
	for i := range rows {
		rows[i].in, rows[i].own = "report", true
	}
	return rows
}

func generateFlags() []flag {
	rows := []flag{
		{name: "scale", is: wholeValue, value: "S", usage: "2^S vertices"},
		{name: "edge-factor", is: wholeValue, value: "F", usage: "edges per vertex"},
		{name: "n", is: wholeValue, value: "N", usage: "vertices, or links of a chain"},
		{name: "k", is: wholeValue, value: "K", usage: "neighbours, children, leaves or edges per vertex"},
		{name: "p", is: numberValue, value: "P", usage: "probability"},
		{name: "rows", is: wholeValue, value: "R", usage: "rows or layers"},
		{name: "cols", is: wholeValue, value: "C", usage: "columns, or vertices per layer"},
		{name: "seed", is: seedValue, value: "SEED", usage: "equal seeds give equal graphs; 1 if not given"},
		{name: "output", short: "o", group: groupOutput, value: "FILE", usage: "write the edges to FILE, in the format of its extension; - is stdout"},
		{name: "format", group: groupOutput, is: choiceValue, value: "FORMAT", of: names(arrowio.EdgeFormats()), usage: "format, whatever the extension; csv on stdout"},
		{name: "vertices", group: groupOutput, value: "FILE", usage: "of road: also write places and populations to FILE"},
		{name: "trips", group: groupOutput, value: "FILE", usage: "of road: also write trips between vertices to FILE"},
	}
	for i := range rows {
		rows[i].in, rows[i].own = "generate", true
		if rows[i].group == "" {
			rows[i].group = groupGraph
		}
	}
	return rows
}

func outputFlags() []flag {
	return []flag{
		{name: "columns", in: "run info prepare", group: groupOutput, is: listValue, value: "LIST", of: measureNames(), usage: "measures to compute, with commas; betweenness if not given",
			python: "Columns Info", typed: "Measure | Sequence[Measure] | None"},
		{name: "output", short: "o", in: writing, group: groupOutput, value: "FILE", usage: "write the scores to FILE, in the format of its extension; - is stdout; FOLDER/ gets a file for every graph of --by"},
		{name: "output", short: "o", in: "distances", group: groupOutput, value: "FILE", usage: "write the distances to FILE, in the format of its extension; - is stdout"},
		{name: "output", short: "o", in: "whatif", group: groupOutput, value: "FILE", usage: "write the rows to FILE, in the format of its extension; - is stdout"},
		{name: "output", short: "o", in: "prepare", group: groupOutput, value: "FILE", usage: "write the prepared graph to FILE; - is stdout"},
		{name: "edge-scores", in: writing, group: groupOutput, value: "FILE", usage: "also write the betweenness of every edge to FILE; its extension is the format", python: "Run"},
		{name: "unrouted", in: "run", group: groupOutput, value: "FILE", usage: "write the rows of --trips without a path to FILE; its extension is the format", python: "Running", typed: "Path | None"},
		{name: "format", in: writing, group: groupOutput, is: choiceValue, value: "FORMAT", of: outputFormats(), usage: "format of the scores, whatever the extension"},
		{name: "format", in: "distances", group: groupOutput, is: choiceValue, value: "FORMAT", of: outputFormats(), usage: "format of the distances, whatever the extension"},
		{name: "format", in: "whatif", group: groupOutput, is: choiceValue, value: "FORMAT", of: outputFormats(), usage: "format of the rows, whatever the extension"},
		{name: "paths", in: "distances", group: groupOutput, is: noValue, usage: "add a column of the number of shortest paths"},
		{name: "sort", in: writing, group: groupOutput, is: choiceValue, value: "ORDER", of: []string{"first-seen", "score"}, normal: "first-seen", usage: "order of the rows; score: the first column, highest first",
			to: func(o *pipeline.Options) any { return &o.Sort }, python: "Rows"},
		{name: "scale", in: writing, group: groupOutput, is: choiceValue, value: "SCALE", of: []string{"raw", "ordered", "pairs", "max", "component"}, normal: "raw", usage: "divisor of betweenness, of vertices and edges", python: "Scaled"},
		{name: "normalized", in: writing, group: groupOutput, is: noValue, usage: "same as --scale pairs, which is NetworkX's normalized=True", python: "Scaled"},
		{name: "top", in: writing, group: groupOutput, is: wholeValue, value: "K", normal: "0", usage: "write only the K highest scores, highest first; as a readable table unless -o or --format is given", python: "Rows"},
		{name: "partial", in: "merge", group: groupOutput, is: noValue, usage: "write a larger partial result in place of scores"},
		{name: "stats", in: writing, group: groupOutput, value: "FILE", usage: "write statistics of the run as one JSON object; - is stdout, unless the scores go there", python: "Running Listing", typed: "dict[str, Any] | None"},
		{name: "stats", in: "distances", group: groupOutput, value: "FILE", usage: "write statistics of the run as one JSON object; - is stdout, unless the distances go there", python: "Distances", typed: "dict[str, Any] | None"},
		{name: "stats", in: "whatif", group: groupOutput, value: "FILE", usage: "write statistics of the run as one JSON object; - is stdout, unless the rows go there", python: "WhatIf", typed: "dict[str, Any] | None"},
		{name: "stats", in: "prepare", group: groupOutput, value: "FILE", usage: "write statistics of reading and reducing as one JSON object"},
		{name: "metrics", in: writing, group: groupOutput, value: "FILE", usage: "write figures of the run, or its failure, for Prometheus", python: "Running Listing"},
		{name: "keep", in: "run", group: groupOutput, is: listValue, value: "COLUMNS", usage: "columns of --vertices to write before scores, with commas",
			to: func(o *pipeline.Options) any { return &o.Files.Keep }, python: "Rows Listing"},
		{name: "edge-keep", in: "run", group: groupOutput, is: listValue, value: "COLUMNS", usage: "columns of edges to write in --edge-scores, with commas; it then has a row for each row read, in their order",
			to: func(o *pipeline.Options) any { return &o.Files.EdgeKeep }, python: "Scaled"},
		{name: "json", in: "info", group: groupOutput, is: noValue, usage: "write one JSON object"},
		{name: "json", in: "bench devices", group: groupOutput, is: noValue, usage: "write one JSON array"},
	}
}

func benchFlags() []flag {
	return []flag{
		{name: "runs", in: "bench", group: groupCompute, own: true, is: wholeValue, value: "N", normal: "3", usage: "runs of each configuration; 3 if not given"},
		{name: "problem", in: "bench", group: groupCompute, own: true, is: listValue, value: "LIST", of: append([]string{"all"}, names(searches.Problems())...), usage: "measure searches from one source on a device; these have their own --strategies"},
		{name: "engines", in: "bench", group: groupCompute, own: true, is: listValue, value: "LIST", of: []string{"auto", "cpu", "gpu"}, usage: "engines, with commas; auto if not given"},
		{name: "strategies", in: "bench", group: groupCompute, own: true, is: listValue, value: "LIST", of: strategies(), usage: "strategies, with commas; auto if not given"},
		{name: "walks", in: "bench", group: groupCompute, own: true, is: listValue, value: "LIST", of: append([]string{allWalks}, walks()...), usage: "walks of cores, with commas; all: every walk that suits the graph. Selects the table of walks, and engine cpu by default"},
		{name: "sets", in: "bench", group: groupCompute, own: true, is: listValue, value: "LIST", of: append([]string{allWalks}, sets()...), usage: "instruction sets of cores, with commas; all: every set of this processor"},
		{name: "precisions", in: "bench", group: groupCompute, own: true, is: listValue, value: "LIST", of: []string{"float64", "float32"}, usage: "precisions, with commas; float64 if not given"},
		{name: "lanes", in: "bench", group: groupCompute, own: true, is: listValue, value: "LIST", usage: "sources searched at once, up to 64; 0 (automatic) if not given"},
		{name: "threads", in: "bench", group: groupCompute, own: true, is: listValue, value: "LIST", usage: "CPU threads; 0 (all) if not given"},
	}
}

func computeFlags() []flag {
	return []flag{
		{name: "engine", in: "run info", group: groupCompute, is: choiceValue, value: "ENGINE", of: []string{"auto", "cpu", "gpu"}, normal: "auto", usage: "processors that compute",
			to: func(o *pipeline.Options) any { return &o.Engine }, python: "Devices"},
		{name: "engine", in: "distances", group: groupCompute, is: choiceValue, value: "ENGINE", of: []string{"auto", "cpu", "gpu"}, normal: "auto", usage: "processors that compute; auto: CPU cores, which are as fast here",
			to: func(o *pipeline.Options) any { return &o.Engine }},
		{name: "device", in: "run info bench", group: groupCompute, value: "LIST", usage: "OpenCL devices to use: all, cpu for none, or numbers such as 0,2",
			to: func(o *pipeline.Options) any { return &o.Device }, python: "Devices", typed: "str | int | None"},
		{name: "device", in: "distances", group: groupCompute, value: "LIST", usage: "OpenCL devices to use: all, with --engine gpu, cpu for none, or numbers such as 0,2",
			to: func(o *pipeline.Options) any { return &o.Device }},
		{name: "strategy", in: "run", group: groupCompute, is: choiceValue, value: "STRATEGY", of: strategies(), normal: "auto", usage: "search strategy of devices",
			to: func(o *pipeline.Options) any { return &o.Strategy }, python: "Running"},
		{name: "walk", in: "run", group: groupCompute, is: choiceValue, value: "WALK", of: walks(), normal: "auto", usage: "walk of cores, for the blocks that it suits",
			to: func(o *pipeline.Options) any { return &o.Walk }, python: "Running"},
		{name: "set", in: "run", group: groupCompute, is: choiceValue, value: "SET", of: sets(), normal: "auto", usage: "instruction set of the cores",
			to: func(o *pipeline.Options) any { return &o.Set }, python: "Running"},
		{name: "mdeg", in: "run", group: groupCompute, is: wholeValue, value: "DEGREE", normal: "0", usage: "degree above which a work-group of a device shares a vertex; 0: automatic",
			to: func(o *pipeline.Options) any { return &o.Mdeg }, python: "Running"},
		{name: "verify", in: "run bench", group: groupCompute, is: wholeValue, value: "K", normal: "0", usage: "compare K random sources with the textbook algorithm",
			to: func(o *pipeline.Options) any { return &o.Verify }, python: "Running"},
		{name: "precision", in: "run info", group: groupCompute, is: choiceValue, value: "TYPE", of: []string{"float64", "float32"}, normal: "float64", usage: "precision of path counts; scores are always float64",
			to: func(o *pipeline.Options) any { return &o.Precision }, python: "Running Info"},
		{name: "threads", in: "run distances whatif info prepare merge report generate", group: groupCompute, is: wholeValue, value: "N", normal: "0", usage: "number of CPU threads; 0: all",
			to: func(o *pipeline.Options) any { return &o.Threads }, python: "Effort"},
		{name: "lanes", in: "run info prepare", group: groupCompute, is: wholeValue, value: "N", normal: "0", usage: "number of sources searched at once, up to 64; 0: automatic",
			to: func(o *pipeline.Options) any { return &o.Lanes }, python: "Running Info"},
		{name: "memory", in: reading, group: groupCompute, is: sizeValue, value: "SIZE", usage: "memory limit, such as 500M or 8G; the free memory if not given. Edges beyond it go through a file in TMPDIR",
			to: func(o *pipeline.Options) any { return &o.Memory }, python: "Effort"},
	}
}

func sampleFlags() []flag {
	rows := []flag{
		{name: "estimate", is: noValue, instead: goalOf, usage: "estimate the scores, with an interval for each: columns lower and upper"},
		{name: "eps", in: "run info", is: numberValue, value: "E", usage: "stop when every score is within E of the truth; E is a share of all pairs of vertices, or of all flow; 0.001 if no goal is given", python: "Run Info"},
		{name: "within", is: timeValue, value: "TIME", usage: "stop before a stage that would end after TIME; such as 10m, from the start"},
		{name: "samples", is: wholeValue, value: "K", usage: "stop after drawing K vertices as sources, or K pairs"},
		{name: "certain", is: wholeValue, value: "K", usage: "stop when the K highest are certain, or --eps is reached"},
		{name: "certain-change", is: wholeValue, value: "K", usage: "with --since: stop when the K largest changes, up or down, are certain, or --eps is reached"},
		{name: "way", is: choiceValue, value: "WAY", of: []string{"auto", "sources", "sources-raw", "pairs", "exact"}, normal: "auto", usage: "way to estimate; auto takes the cheapest, exact scores included"},
		{name: "confidence", is: numberValue, value: "P", usage: "probability that all intervals contain their scores; 0.95 if not given"},
		{name: "seed", is: seedValue, value: "N", normal: "1", usage: "seed of the draws: equal seeds draw the same"},
	}
	for i := range rows {
		rows[i].group = groupSample
		if rows[i].in == "" {
			rows[i].in, rows[i].python = "run", "Run"
		}
	}
	return rows
}

// goalOf returns the goal of an estimate that a value of --estimate suggests: --estimate takes
// none.
func goalOf(value string) string {
	if x, err := (&flag{is: numberValue}).read(value); err == nil {
		if strings.Trim(x, "0123456789") == "" {
			return "--estimate --samples " + value
		}
		return "--estimate --eps " + value
	}
	if _, err := (&flag{is: timeValue}).read(value); err == nil {
		return "--estimate --within " + value
	}
	return ""
}

func partFlags() []flag {
	rows := []flag{
		{name: "checkpoint", value: "FILE", usage: "save finished work to FILE at intervals; removed when the output is complete", python: "Running"},
		{name: "checkpoint-interval", is: timeValue, value: "TIME", normal: "30s", usage: "time between two checkpoints; 30s if not given", python: "Running"},
		{name: "resume", is: strictValue, usage: "continue from the checkpoint, if there is one; if its graph or question differs, warn and start anew, or fail with --resume=strict", python: "Running"},
		{name: "keep-checkpoint", is: noValue, usage: "keep the checkpoint when the output is complete", python: "Running"},
		{name: "shard", value: "I/N", usage: "compute part I of N, from 0, or several, as in 0,2/4; writes a partial result for merge", python: "Rows"},
	}
	for i := range rows {
		rows[i].in, rows[i].group = "run", groupParts
	}
	return rows
}

func messageFlags() []flag {
	return []flag{
		{name: "io-timeout", in: reading + " report merge generate", group: groupStorage, is: timeValue, value: "TIME", normal: objectstore.DefaultTimeout.String(),
			usage: "fail when an object store is silent for TIME, such as 90s; 60s if not given", python: "Reading"},
		{name: "progress", group: groupMessages, is: choiceValue, value: "WHEN", of: []string{"auto", "always", "never"}, normal: "auto", usage: "show progress on stderr", python: "Effort", typed: "Progress"},
		{name: "quiet", short: "q", group: groupMessages, is: noValue, usage: "show only errors and warnings"},
		{name: "log-format", group: groupMessages, is: choiceValue, value: "FORMAT", of: []string{"text", "json"}, normal: "text", usage: "format of messages on stderr"},
		{name: "help", short: "h", group: groupMessages, is: noValue, usage: "show this help"},
	}
}

// measureNames returns the measures that --columns takes for undirected graphs.
func measureNames() (list []string) {
	for _, m := range measures.All() {
		if m.Of == "" {
			list = append(list, m.Name)
		}
	}
	return list
}

// strategies returns the strategies of devices, the default first.
func strategies() []string { return names(gpu.Strategies()) }

// walks returns the values of --walk.
func walks() []string { return append([]string{"auto"}, cpu.Walks()...) }

// sets returns the values of --set on any processor.
func sets() []string { return append([]string{"auto"}, engine.Sets()...) }

// graphKinds returns the kinds of graphs that can be generated.
func graphKinds() (list []string) {
	for _, k := range generate.Kinds() {
		list = append(list, k.Name)
	}
	return list
}
