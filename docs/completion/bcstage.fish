# fish completion of bcstage
function __bcstage_command
	set -l words (commandline -opc)
	if set -q words[2]; and contains -- $words[2] run distances info report prepare merge generate bench devices completion manual version help
		echo $words[2]
	else
		echo run
	end
end
complete -c bcstage -n __fish_is_first_token -a run -d 'compute the scores; the default command'
complete -c bcstage -n __fish_is_first_token -a distances -d 'list how far vertices are from some sources'
complete -c bcstage -n __fish_is_first_token -a info -d 'describe a graph, and how long a run will take'
complete -c bcstage -n __fish_is_first_token -a report -d 'draw the scores and the cost of a run as a page'
complete -c bcstage -n __fish_is_first_token -a prepare -d 'read and reduce a graph once, for many runs'
complete -c bcstage -n __fish_is_first_token -a merge -d 'combine partial results'
complete -c bcstage -n __fish_is_first_token -a generate -d 'make a benchmark graph'
complete -c bcstage -n __fish_is_first_token -a bench -d 'measure graphs under several options'
complete -c bcstage -n __fish_is_first_token -a devices -d 'list OpenCL devices and whether run uses them'
complete -c bcstage -n __fish_is_first_token -a completion -d 'make a shell\'s completion script'
complete -c bcstage -n __fish_is_first_token -a manual -d 'make the manual page, all commands in one'
complete -c bcstage -n __fish_is_first_token -a version -d 'show version, commit and engines built in'
complete -c bcstage -n __fish_is_first_token -a help -d 'show help, also of one command'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'format of all inputs' -l input-format -x -a 'auto arrow parquet csv edgelist mtx metis dimacs'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'column of the first end of an edge, or the number of its field in text without a header' -l src -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'column of the second end of an edge, or the number of its field' -l dst -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'edges run one way, from --src to --dst' -l directed
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'whether the first row of a text holds names' -l header -x -a 'auto yes no'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'every value of this column, or these with commas, is a graph of its own; a folder column=value counts' -l by -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'sources and destinations are two sets of ids; adds the column side' -l bipartite
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'table of vertices, which exist with or without edges' -l vertices -r -F
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'only paths that begin at these vertices: ids in the first column' -l sources -r -F
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'only paths that end at these vertices' -l targets -r -F
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'paths count for their two ends, too' -l endpoints
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'only paths of at most K edges, or with --weight of length K' -l cutoff -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'what to do with rows without an id' -l nulls -x -a 'error drop'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'lengths of edges, by which paths are measured; value, or the number of the field, where it has no name' -l weight -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'length of an edge that is repeated with others: the smallest, their sum, or an error' -l repeats -x -a 'min sum error'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'accept edges with weights, and ignore those' -l ignore-weight
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'what ids are; string makes text of integers, too' -l ids -x -a 'auto int string'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'what to compute, a column each, with commas; betweenness if not given: betweenness, closeness, closeness_classic, harmonic, farness, eccentricity, reach, degree, component, component_size, independent_set, rank' -l columns -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'write the scores to FILE, in the format of its extension; - is stdout' -s o -l output -r -F
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'write the betweenness of every edge to FILE, too, in the format of its extension' -l edge-scores -r -F
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'format of the scores, whatever the extension' -l format -x -a 'arrow arrow-file parquet csv jsonl'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'order of the rows; score: the first column, highest first' -l sort -x -a 'first-seen score'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'what betweenness is divided by, of vertices and edges' -l scale -x -a 'raw ordered pairs max component'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'same as --scale pairs, which is NetworkX\'s normalized=True' -l normalized
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'write only the K highest scores, highest first; as a readable table unless -o or --format is given' -l top -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'write statistics of the run as one JSON object; - is stdout, unless the scores go there' -l stats -r -F
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'write figures of the run, or how it failed, for Prometheus' -l metrics -r -F
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'columns of the table of --vertices, with commas, that stand in the output before the scores' -l keep -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'which processors compute' -l engine -x -a 'auto cpu gpu'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'OpenCL devices to use: all, cpu for none, or numbers such as 0,2' -l device -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'how devices search' -l strategy -x -a 'auto level solo ragged frontier'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'degree above which a whole work-group of a device shares a vertex; 0: automatic' -l mdeg -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'recompute K random sources with the textbook algorithm, and compare' -l verify -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'precision of path counts; scores are always float64' -l precision -x -a 'float64 float32'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'number of CPU threads; 0: all' -l threads -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'number of sources searched at once, up to 64; 0: automatic' -l lanes -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'memory limit, such as 500M or 8G; by default, what is available' -l memory -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'estimate the scores, each with an interval that holds it: columns lower and upper' -l estimate
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'until every score is within E of the truth, as a share of all pairs of vertices; 0.001 if no goal is given' -l eps -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'until the next stage would end later than this after the start, such as 10m' -l within -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'until K vertices have been drawn as sources, or K pairs' -l samples -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'until the K highest scores are certain to be those, or --eps is reached' -l certain -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'how to estimate; auto takes what is cheapest, exact scores included' -l way -x -a 'auto sources sources-raw pairs exact'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'probability that all intervals hold their scores; 0.95 if not given' -l confidence -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'of what is drawn: equal seeds draw the same' -l seed -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'save finished work to FILE at intervals; it is removed when the output has been written' -l checkpoint -r -F
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'time between two checkpoints; 30s if not given' -l checkpoint-interval -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'go on from the checkpoint if there is one; if it is of another graph or question, warn and start anew, or with --resume=strict, fail' -l resume
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'leave the checkpoint in place after the output has been written' -l keep-checkpoint
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'compute part I of N, counted from 0, or several, as in 0,2/4; writes a partial result for merge' -l shard -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'show progress on stderr' -l progress -x -a 'auto always never'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'show only errors and warnings' -s q -l quiet
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'format of messages on stderr' -l log-format -x -a 'text json'
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'fail when an object store has been silent for this long, such as 90s or 5m; 60s if not given' -l io-timeout -x
complete -c bcstage -n 'test (__bcstage_command) = run' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'format of all inputs' -l input-format -x -a 'auto arrow parquet csv edgelist mtx metis dimacs'
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'column of the first end of an edge, or the number of its field in text without a header' -l src -x
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'column of the second end of an edge, or the number of its field' -l dst -x
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'edges run one way, from --src to --dst' -l directed
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'whether the first row of a text holds names' -l header -x -a 'auto yes no'
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'every value of this column, or these with commas, is a graph of its own; a folder column=value counts' -l by -x
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'sources and destinations are two sets of ids; adds the column side' -l bipartite
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'table of vertices, which exist with or without edges' -l vertices -r -F
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'paths count for their two ends, too' -l endpoints
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'what to do with rows without an id' -l nulls -x -a 'error drop'
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'lengths of edges, by which paths are measured; value, or the number of the field, where it has no name' -l weight -x
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'length of an edge that is repeated with others: the smallest, their sum, or an error' -l repeats -x -a 'min sum error'
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'accept edges with weights, and ignore those' -l ignore-weight
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'what ids are; string makes text of integers, too' -l ids -x -a 'auto int string'
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'vertices to search from: ids in the first column' -l sources -r -F
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'vertices to search from, with commas between them' -l from -x
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'only vertices at a distance of at most K edges, or of length K with --weight' -l cutoff -x
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'write the distances to FILE, in the format of its extension; - is stdout' -s o -l output -r -F
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'format of the distances, whatever the extension' -l format -x -a 'arrow arrow-file parquet csv jsonl'
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'a column of how many shortest paths there are' -l paths
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'write statistics of the run as one JSON object; - is stdout, unless the distances go there' -l stats -r -F
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'which processors compute; auto: CPU cores, which are as fast here' -l engine -x -a 'auto cpu gpu'
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'OpenCL devices to use: all, with --engine gpu, cpu for none, or numbers such as 0,2' -l device -x
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'number of CPU threads; 0: all' -l threads -x
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'memory limit, such as 500M or 8G; by default, what is available' -l memory -x
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'show progress on stderr' -l progress -x -a 'auto always never'
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'show only errors and warnings' -s q -l quiet
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'format of messages on stderr' -l log-format -x -a 'text json'
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'fail when an object store has been silent for this long, such as 90s or 5m; 60s if not given' -l io-timeout -x
complete -c bcstage -n 'test (__bcstage_command) = distances' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'format of all inputs' -l input-format -x -a 'auto arrow parquet csv edgelist mtx metis dimacs'
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'column of the first end of an edge, or the number of its field in text without a header' -l src -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'column of the second end of an edge, or the number of its field' -l dst -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'edges run one way, from --src to --dst' -l directed
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'whether the first row of a text holds names' -l header -x -a 'auto yes no'
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'every value of this column, or these with commas, is a graph of its own; a folder column=value counts' -l by -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'sources and destinations are two sets of ids; adds the column side' -l bipartite
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'table of vertices, which exist with or without edges' -l vertices -r -F
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'only paths that begin at these vertices: ids in the first column' -l sources -r -F
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'only paths that end at these vertices' -l targets -r -F
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'paths count for their two ends, too' -l endpoints
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'only paths of at most K edges, or with --weight of length K' -l cutoff -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'what to do with rows without an id' -l nulls -x -a 'error drop'
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'lengths of edges, by which paths are measured; value, or the number of the field, where it has no name' -l weight -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'length of an edge that is repeated with others: the smallest, their sum, or an error' -l repeats -x -a 'min sum error'
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'accept edges with weights, and ignore those' -l ignore-weight
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'what ids are; string makes text of integers, too' -l ids -x -a 'auto int string'
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'what to compute, a column each, with commas; betweenness if not given: betweenness, closeness, closeness_classic, harmonic, farness, eccentricity, reach, degree, component, component_size, independent_set, rank' -l columns -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'number of CPU threads; 0: all' -l threads -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'number of sources searched at once, up to 64; 0: automatic' -l lanes -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'memory limit, such as 500M or 8G; by default, what is available' -l memory -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'precision of path counts' -l precision -x -a 'float64 float32'
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'write one JSON object' -l json
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'until every score is within E of the truth, as a share of all pairs of vertices; 0.001 if no goal is given' -l eps -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'show progress on stderr' -l progress -x -a 'auto always never'
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'show only errors and warnings' -s q -l quiet
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'format of messages on stderr' -l log-format -x -a 'text json'
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'fail when an object store has been silent for this long, such as 90s or 5m; 60s if not given' -l io-timeout -x
complete -c bcstage -n 'test (__bcstage_command) = info' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'statistics that the run wrote with --stats' -l stats -r -F
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'edges of the run, for degrees: a file, a pattern or a folder' -l edges -r -F
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'column of the first end of an edge; that of the run if not given' -l src -x
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'column of the second end of an edge; that of the run if not given' -l dst -x
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'the first row of edges in a text holds names' -l header -x -a 'auto yes no'
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'what to do with rows without an id' -l nulls -x -a 'error drop'
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'what ids of edges are' -l ids -x -a 'auto int string'
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'accept edges with weights, and ignore those' -l ignore-weight
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'list and name the K highest scores; 20 if not given' -l top -x
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'write the page to FILE; - is stdout' -s o -l output -r -F
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'write each plot to FOLDER as a PNG; no page then, unless -o is given' -l png -x
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'fail when an object store has been silent for this long, such as 90s or 5m; 60s if not given' -l io-timeout -x
complete -c bcstage -n 'test (__bcstage_command) = report' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'format of all inputs' -l input-format -x -a 'auto arrow parquet csv edgelist mtx metis dimacs'
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'column of the first end of an edge, or the number of its field in text without a header' -l src -x
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'column of the second end of an edge, or the number of its field' -l dst -x
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'edges run one way, from --src to --dst' -l directed
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'whether the first row of a text holds names' -l header -x -a 'auto yes no'
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'every value of this column, or these with commas, is a graph of its own; a folder column=value counts' -l by -x
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'sources and destinations are two sets of ids; adds the column side' -l bipartite
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'table of vertices, which exist with or without edges' -l vertices -r -F
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'only paths that begin at these vertices: ids in the first column' -l sources -r -F
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'only paths that end at these vertices' -l targets -r -F
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'paths count for their two ends, too' -l endpoints
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'only paths of at most K edges, or with --weight of length K' -l cutoff -x
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'what to do with rows without an id' -l nulls -x -a 'error drop'
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'lengths of edges, by which paths are measured; value, or the number of the field, where it has no name' -l weight -x
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'length of an edge that is repeated with others: the smallest, their sum, or an error' -l repeats -x -a 'min sum error'
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'accept edges with weights, and ignore those' -l ignore-weight
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'what ids are; string makes text of integers, too' -l ids -x -a 'auto int string'
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'what to compute, a column each, with commas; betweenness if not given: betweenness, closeness, closeness_classic, harmonic, farness, eccentricity, reach, degree, component, component_size, independent_set, rank' -l columns -x
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'number of CPU threads; 0: all' -l threads -x
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'number of sources searched at once, up to 64; 0: automatic' -l lanes -x
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'memory limit, such as 500M or 8G; by default, what is available' -l memory -x
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'write the prepared graph to FILE; - is stdout' -s o -l output -r -F
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'write statistics of reading and reducing as one JSON object' -l stats -r -F
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'show progress on stderr' -l progress -x -a 'auto always never'
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'show only errors and warnings' -s q -l quiet
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'format of messages on stderr' -l log-format -x -a 'text json'
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'fail when an object store has been silent for this long, such as 90s or 5m; 60s if not given' -l io-timeout -x
complete -c bcstage -n 'test (__bcstage_command) = prepare' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'write the scores to FILE, in the format of its extension; - is stdout' -s o -l output -r -F
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'write the betweenness of every edge to FILE, too, in the format of its extension' -l edge-scores -r -F
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'format of the scores, whatever the extension' -l format -x -a 'arrow arrow-file parquet csv jsonl'
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'order of the rows; score: the first column, highest first' -l sort -x -a 'first-seen score'
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'what betweenness is divided by, of vertices and edges' -l scale -x -a 'raw ordered pairs max component'
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'same as --scale pairs, which is NetworkX\'s normalized=True' -l normalized
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'write only the K highest scores, highest first; as a readable table unless -o or --format is given' -l top -x
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'write statistics of the run as one JSON object; - is stdout, unless the scores go there' -l stats -r -F
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'write figures of the run, or how it failed, for Prometheus' -l metrics -r -F
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'write a larger partial result instead of scores, complete or not' -l partial
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'show progress on stderr' -l progress -x -a 'auto always never'
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'show only errors and warnings' -s q -l quiet
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'format of messages on stderr' -l log-format -x -a 'text json'
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'fail when an object store has been silent for this long, such as 90s or 5m; 60s if not given' -l io-timeout -x
complete -c bcstage -n 'test (__bcstage_command) = merge' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = generate' -f
complete -c bcstage -n 'test (__bcstage_command) = generate' -a 'kron rmat er smallworld ba gnp geometric triangles road grid path cycle star clique tree caterpillar diamonds layered'
complete -c bcstage -n 'test (__bcstage_command) = generate' -d '2^S vertices' -l scale -x
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'edges per vertex' -l edge-factor -x
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'vertices, or links of a chain' -l n -x
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'neighbours, children, leaves or edges per vertex' -l k -x
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'probability' -l p -x
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'rows or layers' -l rows -x
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'columns, or vertices per layer' -l cols -x
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'equal seeds give equal graphs; 1 if not given' -l seed -x
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'write the edges to FILE, in the format of its extension; - is stdout' -s o -l output -r -F
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'format, whatever the extension; csv on stdout' -l format -x -a 'csv edgelist arrow arrow-file parquet'
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'fail when an object store has been silent for this long, such as 90s or 5m; 60s if not given' -l io-timeout -x
complete -c bcstage -n 'test (__bcstage_command) = generate' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = bench' -a 'kron rmat er smallworld ba gnp geometric triangles road grid path cycle star clique tree caterpillar diamonds layered'
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'format of all inputs' -l input-format -x -a 'auto arrow parquet csv edgelist mtx metis dimacs'
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'column of the first end of an edge, or the number of its field in text without a header' -l src -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'column of the second end of an edge, or the number of its field' -l dst -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'edges run one way, from --src to --dst' -l directed
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'whether the first row of a text holds names' -l header -x -a 'auto yes no'
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'every value of this column, or these with commas, is a graph of its own; a folder column=value counts' -l by -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'sources and destinations are two sets of ids; adds the column side' -l bipartite
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'table of vertices, which exist with or without edges' -l vertices -r -F
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'only paths that begin at these vertices: ids in the first column' -l sources -r -F
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'only paths that end at these vertices' -l targets -r -F
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'paths count for their two ends, too' -l endpoints
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'only paths of at most K edges, or with --weight of length K' -l cutoff -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'what to do with rows without an id' -l nulls -x -a 'error drop'
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'lengths of edges, by which paths are measured; value, or the number of the field, where it has no name' -l weight -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'length of an edge that is repeated with others: the smallest, their sum, or an error' -l repeats -x -a 'min sum error'
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'accept edges with weights, and ignore those' -l ignore-weight
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'what ids are; string makes text of integers, too' -l ids -x -a 'auto int string'
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'runs of each configuration; 3 if not given' -l runs -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'measure searches from one source on a device: all, or of bfs, sssp, bc; --strategies are then others' -l problem -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'of auto, cpu and gpu; auto if not given' -l engines -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'of strategies (auto, level, solo, ragged, frontier); auto if not given' -l strategies -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'of float64 and float32; float64 if not given' -l precisions -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'sources searched at once, up to 64; 0, automatic, if not given' -l lanes -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'CPU threads; 0, all, if not given' -l threads -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'OpenCL devices: all, cpu for none, or numbers as in 0,2' -l device -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'memory limit, such as 500M or 8G; by default, what is available' -l memory -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'recompute K random sources with the textbook algorithm, and compare' -l verify -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'one JSON array' -l json
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'show progress on stderr' -l progress -x -a 'auto always never'
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'show only errors and warnings' -s q -l quiet
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'format of messages on stderr' -l log-format -x -a 'text json'
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'fail when an object store has been silent for this long, such as 90s or 5m; 60s if not given' -l io-timeout -x
complete -c bcstage -n 'test (__bcstage_command) = bench' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = devices' -f
complete -c bcstage -n 'test (__bcstage_command) = devices' -d 'write one JSON array' -l json
complete -c bcstage -n 'test (__bcstage_command) = devices' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = completion' -f
complete -c bcstage -n 'test (__bcstage_command) = completion' -a 'bash zsh fish'
complete -c bcstage -n 'test (__bcstage_command) = completion' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = manual' -f
complete -c bcstage -n 'test (__bcstage_command) = manual' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = version' -f
complete -c bcstage -n 'test (__bcstage_command) = version' -d 'show this help' -s h -l help
complete -c bcstage -n 'test (__bcstage_command) = help' -f
complete -c bcstage -n 'test (__bcstage_command) = help' -a 'run distances info report prepare merge generate bench devices completion manual version help'
complete -c bcstage -n 'test (__bcstage_command) = help' -d 'show this help' -s h -l help
