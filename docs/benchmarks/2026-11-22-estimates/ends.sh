#!/bin/sh
# ends.sh BCSTAGE GRAPH...: estimates that are finished, and that are added up from
# shards. A line for each graph, tab-separated: the largest relative difference of a
# score between an estimate finished by --resume and an exact run; whether 8 shards
# merged have the bytes of a single run, lower and upper included, by sources and by pairs.
set -eu
bcstage=$1
shift
cd "$(mktemp -d)"
for graph; do
	name=$(basename "$graph")
	"$bcstage" "$graph" --quiet -o exact.csv
	rm -f work.arrow
	"$bcstage" "$graph" --quiet --estimate --way sources --samples 500 --checkpoint work.arrow --keep-checkpoint -o part.csv
	"$bcstage" "$graph" --quiet --checkpoint work.arrow --resume=strict -o ended.csv
	difference=$(paste -d, exact.csv ended.csv | awk -F, 'NR > 1 {d = $2 - $4; if (d < 0) d = -d; if ($2 > 0) d /= $2; if (d > most) most = d} END {printf "%.2g", most}')
	same=
	for way in sources pairs; do
		samples=500
		[ $way = sources ] || samples=20000
		"$bcstage" "$graph" --quiet --estimate --way $way --samples $samples -o one.csv
		for i in 0 1 2 3 4 5 6 7; do
			"$bcstage" "$graph" --quiet --estimate --way $way --samples $samples --shard $i/8 -o $i.arrow
		done
		"$bcstage" merge ?.arrow --quiet -o merged.csv
		cmp -s one.csv merged.csv && same="$same	$way equal" || same="$same	$way DIFFER"
		rm ?.arrow
	done
	printf '%s\t%s%s\n' "$name" "$difference" "$same"
done
