# bash completion of bcstage
_bcstage() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=run
	local first=${COMP_WORDS[1]} flags= words= files=
	case $first in run|distances|info|report|prepare|merge|generate|bench|devices|completion|manual|version|help) [ "$COMP_CWORD" -gt 1 ] && command=$first ;; esac
	case $command in
	run)
		case $before in
			--input-format) COMPREPLY=($(compgen -W "auto arrow parquet csv edgelist mtx metis dimacs" -- "$word")); return ;;
			--src) COMPREPLY=(); return ;;
			--dst) COMPREPLY=(); return ;;
			--header) COMPREPLY=($(compgen -W "auto yes no" -- "$word")); return ;;
			--by) COMPREPLY=(); return ;;
			--vertices) compopt -o default; COMPREPLY=(); return ;;
			--sources) compopt -o default; COMPREPLY=(); return ;;
			--targets) compopt -o default; COMPREPLY=(); return ;;
			--cutoff) COMPREPLY=(); return ;;
			--nulls) COMPREPLY=($(compgen -W "error drop" -- "$word")); return ;;
			--weight) COMPREPLY=(); return ;;
			--repeats) COMPREPLY=($(compgen -W "min sum error" -- "$word")); return ;;
			--ids) COMPREPLY=($(compgen -W "auto int string" -- "$word")); return ;;
			--columns) COMPREPLY=(); return ;;
			-o|--output) compopt -o default; COMPREPLY=(); return ;;
			--edge-scores) compopt -o default; COMPREPLY=(); return ;;
			--format) COMPREPLY=($(compgen -W "arrow arrow-file parquet csv jsonl" -- "$word")); return ;;
			--sort) COMPREPLY=($(compgen -W "first-seen score" -- "$word")); return ;;
			--scale) COMPREPLY=($(compgen -W "raw ordered pairs max component" -- "$word")); return ;;
			--top) COMPREPLY=(); return ;;
			--stats) compopt -o default; COMPREPLY=(); return ;;
			--metrics) compopt -o default; COMPREPLY=(); return ;;
			--keep) COMPREPLY=(); return ;;
			--engine) COMPREPLY=($(compgen -W "auto cpu gpu" -- "$word")); return ;;
			--device) COMPREPLY=(); return ;;
			--strategy) COMPREPLY=($(compgen -W "auto level solo ragged frontier" -- "$word")); return ;;
			--mdeg) COMPREPLY=(); return ;;
			--verify) COMPREPLY=(); return ;;
			--precision) COMPREPLY=($(compgen -W "float64 float32" -- "$word")); return ;;
			--threads) COMPREPLY=(); return ;;
			--lanes) COMPREPLY=(); return ;;
			--memory) COMPREPLY=(); return ;;
			--eps) COMPREPLY=(); return ;;
			--within) COMPREPLY=(); return ;;
			--samples) COMPREPLY=(); return ;;
			--certain) COMPREPLY=(); return ;;
			--way) COMPREPLY=($(compgen -W "auto sources sources-raw pairs exact" -- "$word")); return ;;
			--confidence) COMPREPLY=(); return ;;
			--seed) COMPREPLY=(); return ;;
			--checkpoint) compopt -o default; COMPREPLY=(); return ;;
			--checkpoint-interval) COMPREPLY=(); return ;;
			--shard) COMPREPLY=(); return ;;
			--progress) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
			--log-format) COMPREPLY=($(compgen -W "text json" -- "$word")); return ;;
			--io-timeout) COMPREPLY=(); return ;;
		esac
		flags="--input-format --src --dst --directed --header --by --bipartite --vertices --sources --targets --endpoints --cutoff --nulls --weight --repeats --ignore-weight --ids --columns -o --output --edge-scores --format --sort --scale --normalized --top --stats --metrics --keep --engine --device --strategy --mdeg --verify --precision --threads --lanes --memory --estimate --eps --within --samples --certain --way --confidence --seed --checkpoint --checkpoint-interval --resume --keep-checkpoint --shard --progress -q --quiet --log-format --io-timeout -h --help" words="" files=yes ;;
	distances)
		case $before in
			--input-format) COMPREPLY=($(compgen -W "auto arrow parquet csv edgelist mtx metis dimacs" -- "$word")); return ;;
			--src) COMPREPLY=(); return ;;
			--dst) COMPREPLY=(); return ;;
			--header) COMPREPLY=($(compgen -W "auto yes no" -- "$word")); return ;;
			--by) COMPREPLY=(); return ;;
			--vertices) compopt -o default; COMPREPLY=(); return ;;
			--nulls) COMPREPLY=($(compgen -W "error drop" -- "$word")); return ;;
			--weight) COMPREPLY=(); return ;;
			--repeats) COMPREPLY=($(compgen -W "min sum error" -- "$word")); return ;;
			--ids) COMPREPLY=($(compgen -W "auto int string" -- "$word")); return ;;
			--sources) compopt -o default; COMPREPLY=(); return ;;
			--from) COMPREPLY=(); return ;;
			--cutoff) COMPREPLY=(); return ;;
			-o|--output) compopt -o default; COMPREPLY=(); return ;;
			--format) COMPREPLY=($(compgen -W "arrow arrow-file parquet csv jsonl" -- "$word")); return ;;
			--stats) compopt -o default; COMPREPLY=(); return ;;
			--engine) COMPREPLY=($(compgen -W "auto cpu gpu" -- "$word")); return ;;
			--device) COMPREPLY=(); return ;;
			--threads) COMPREPLY=(); return ;;
			--memory) COMPREPLY=(); return ;;
			--progress) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
			--log-format) COMPREPLY=($(compgen -W "text json" -- "$word")); return ;;
			--io-timeout) COMPREPLY=(); return ;;
		esac
		flags="--input-format --src --dst --directed --header --by --bipartite --vertices --endpoints --nulls --weight --repeats --ignore-weight --ids --sources --from --cutoff -o --output --format --paths --stats --engine --device --threads --memory --progress -q --quiet --log-format --io-timeout -h --help" words="" files=yes ;;
	info)
		case $before in
			--input-format) COMPREPLY=($(compgen -W "auto arrow parquet csv edgelist mtx metis dimacs" -- "$word")); return ;;
			--src) COMPREPLY=(); return ;;
			--dst) COMPREPLY=(); return ;;
			--header) COMPREPLY=($(compgen -W "auto yes no" -- "$word")); return ;;
			--by) COMPREPLY=(); return ;;
			--vertices) compopt -o default; COMPREPLY=(); return ;;
			--sources) compopt -o default; COMPREPLY=(); return ;;
			--targets) compopt -o default; COMPREPLY=(); return ;;
			--cutoff) COMPREPLY=(); return ;;
			--nulls) COMPREPLY=($(compgen -W "error drop" -- "$word")); return ;;
			--weight) COMPREPLY=(); return ;;
			--repeats) COMPREPLY=($(compgen -W "min sum error" -- "$word")); return ;;
			--ids) COMPREPLY=($(compgen -W "auto int string" -- "$word")); return ;;
			--columns) COMPREPLY=(); return ;;
			--threads) COMPREPLY=(); return ;;
			--lanes) COMPREPLY=(); return ;;
			--memory) COMPREPLY=(); return ;;
			--precision) COMPREPLY=($(compgen -W "float64 float32" -- "$word")); return ;;
			--eps) COMPREPLY=(); return ;;
			--progress) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
			--log-format) COMPREPLY=($(compgen -W "text json" -- "$word")); return ;;
			--io-timeout) COMPREPLY=(); return ;;
		esac
		flags="--input-format --src --dst --directed --header --by --bipartite --vertices --sources --targets --endpoints --cutoff --nulls --weight --repeats --ignore-weight --ids --columns --threads --lanes --memory --precision --json --eps --progress -q --quiet --log-format --io-timeout -h --help" words="" files=yes ;;
	report)
		case $before in
			--stats) compopt -o default; COMPREPLY=(); return ;;
			--edges) compopt -o default; COMPREPLY=(); return ;;
			--src) COMPREPLY=(); return ;;
			--dst) COMPREPLY=(); return ;;
			--header) COMPREPLY=($(compgen -W "auto yes no" -- "$word")); return ;;
			--nulls) COMPREPLY=($(compgen -W "error drop" -- "$word")); return ;;
			--ids) COMPREPLY=($(compgen -W "auto int string" -- "$word")); return ;;
			--top) COMPREPLY=(); return ;;
			-o|--output) compopt -o default; COMPREPLY=(); return ;;
			--png) COMPREPLY=(); return ;;
			--io-timeout) COMPREPLY=(); return ;;
		esac
		flags="--stats --edges --src --dst --header --nulls --ids --ignore-weight --top -o --output --png --io-timeout -h --help" words="" files=yes ;;
	prepare)
		case $before in
			--input-format) COMPREPLY=($(compgen -W "auto arrow parquet csv edgelist mtx metis dimacs" -- "$word")); return ;;
			--src) COMPREPLY=(); return ;;
			--dst) COMPREPLY=(); return ;;
			--header) COMPREPLY=($(compgen -W "auto yes no" -- "$word")); return ;;
			--by) COMPREPLY=(); return ;;
			--vertices) compopt -o default; COMPREPLY=(); return ;;
			--sources) compopt -o default; COMPREPLY=(); return ;;
			--targets) compopt -o default; COMPREPLY=(); return ;;
			--cutoff) COMPREPLY=(); return ;;
			--nulls) COMPREPLY=($(compgen -W "error drop" -- "$word")); return ;;
			--weight) COMPREPLY=(); return ;;
			--repeats) COMPREPLY=($(compgen -W "min sum error" -- "$word")); return ;;
			--ids) COMPREPLY=($(compgen -W "auto int string" -- "$word")); return ;;
			--columns) COMPREPLY=(); return ;;
			--threads) COMPREPLY=(); return ;;
			--lanes) COMPREPLY=(); return ;;
			--memory) COMPREPLY=(); return ;;
			-o|--output) compopt -o default; COMPREPLY=(); return ;;
			--stats) compopt -o default; COMPREPLY=(); return ;;
			--progress) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
			--log-format) COMPREPLY=($(compgen -W "text json" -- "$word")); return ;;
			--io-timeout) COMPREPLY=(); return ;;
		esac
		flags="--input-format --src --dst --directed --header --by --bipartite --vertices --sources --targets --endpoints --cutoff --nulls --weight --repeats --ignore-weight --ids --columns --threads --lanes --memory -o --output --stats --progress -q --quiet --log-format --io-timeout -h --help" words="" files=yes ;;
	merge)
		case $before in
			-o|--output) compopt -o default; COMPREPLY=(); return ;;
			--edge-scores) compopt -o default; COMPREPLY=(); return ;;
			--format) COMPREPLY=($(compgen -W "arrow arrow-file parquet csv jsonl" -- "$word")); return ;;
			--sort) COMPREPLY=($(compgen -W "first-seen score" -- "$word")); return ;;
			--scale) COMPREPLY=($(compgen -W "raw ordered pairs max component" -- "$word")); return ;;
			--top) COMPREPLY=(); return ;;
			--stats) compopt -o default; COMPREPLY=(); return ;;
			--metrics) compopt -o default; COMPREPLY=(); return ;;
			--progress) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
			--log-format) COMPREPLY=($(compgen -W "text json" -- "$word")); return ;;
			--io-timeout) COMPREPLY=(); return ;;
		esac
		flags="-o --output --edge-scores --format --sort --scale --normalized --top --stats --metrics --partial --progress -q --quiet --log-format --io-timeout -h --help" words="" files=yes ;;
	generate)
		case $before in
			--scale) COMPREPLY=(); return ;;
			--edge-factor) COMPREPLY=(); return ;;
			--n) COMPREPLY=(); return ;;
			--k) COMPREPLY=(); return ;;
			--p) COMPREPLY=(); return ;;
			--rows) COMPREPLY=(); return ;;
			--cols) COMPREPLY=(); return ;;
			--seed) COMPREPLY=(); return ;;
			-o|--output) compopt -o default; COMPREPLY=(); return ;;
			--format) COMPREPLY=($(compgen -W "csv edgelist arrow arrow-file parquet" -- "$word")); return ;;
			--io-timeout) COMPREPLY=(); return ;;
		esac
		flags="--scale --edge-factor --n --k --p --rows --cols --seed -o --output --format --io-timeout -h --help" words="kron rmat er smallworld ba gnp geometric triangles road grid path cycle star clique tree caterpillar diamonds layered" ;;
	bench)
		case $before in
			--input-format) COMPREPLY=($(compgen -W "auto arrow parquet csv edgelist mtx metis dimacs" -- "$word")); return ;;
			--src) COMPREPLY=(); return ;;
			--dst) COMPREPLY=(); return ;;
			--header) COMPREPLY=($(compgen -W "auto yes no" -- "$word")); return ;;
			--by) COMPREPLY=(); return ;;
			--vertices) compopt -o default; COMPREPLY=(); return ;;
			--sources) compopt -o default; COMPREPLY=(); return ;;
			--targets) compopt -o default; COMPREPLY=(); return ;;
			--cutoff) COMPREPLY=(); return ;;
			--nulls) COMPREPLY=($(compgen -W "error drop" -- "$word")); return ;;
			--weight) COMPREPLY=(); return ;;
			--repeats) COMPREPLY=($(compgen -W "min sum error" -- "$word")); return ;;
			--ids) COMPREPLY=($(compgen -W "auto int string" -- "$word")); return ;;
			--runs) COMPREPLY=(); return ;;
			--problem) COMPREPLY=(); return ;;
			--engines) COMPREPLY=(); return ;;
			--strategies) COMPREPLY=(); return ;;
			--precisions) COMPREPLY=(); return ;;
			--lanes) COMPREPLY=(); return ;;
			--threads) COMPREPLY=(); return ;;
			--device) COMPREPLY=(); return ;;
			--memory) COMPREPLY=(); return ;;
			--verify) COMPREPLY=(); return ;;
			--progress) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
			--log-format) COMPREPLY=($(compgen -W "text json" -- "$word")); return ;;
			--io-timeout) COMPREPLY=(); return ;;
		esac
		flags="--input-format --src --dst --directed --header --by --bipartite --vertices --sources --targets --endpoints --cutoff --nulls --weight --repeats --ignore-weight --ids --runs --problem --engines --strategies --precisions --lanes --threads --device --memory --verify --json --progress -q --quiet --log-format --io-timeout -h --help" words="kron rmat er smallworld ba gnp geometric triangles road grid path cycle star clique tree caterpillar diamonds layered" files=yes ;;
	devices)
		case $before in
		esac
		flags="--json -h --help" words="" ;;
	completion)
		case $before in
		esac
		flags="-h --help" words="bash zsh fish" ;;
	manual)
		case $before in
		esac
		flags="-h --help" words="" ;;
	version)
		case $before in
		esac
		flags="-h --help" words="" ;;
	help)
		case $before in
		esac
		flags="-h --help" words="run distances info report prepare merge generate bench devices completion manual version help" ;;
	esac
	[ "$COMP_CWORD" -eq 1 ] && words="run distances info report prepare merge generate bench devices completion manual version help"
	case $word in -*) words=$flags files= ;; esac
	COMPREPLY=($(compgen -W "$words" -- "$word"))
	[ -n "$files" ] && compopt -o default
}
complete -F _bcstage bcstage
