#!/bin/sh
# Betweenness centrality every night, from the scores of the night before:
#
#     ./nightly.sh edges.parquet FOLDER [EVERY]
#
# A night has three files in FOLDER, named by its date: the prepared graph, the scores, and statistics. The first night
# is a whole run, and so is every EVERY-th, the 7th if not given. A night is a whole run as well if it cannot update the
# last scores, for instance those of another version of bcstage. A repeated night replaces its files.
set -eu
edges=$1 folder=$2 every=${3:-7}
mkdir -p "$folder"
tonight=$folder/${NIGHT:-$(date +%F)}

last=
for file in "$folder"/????-??-??.parquet; do # in the order of dates
	night=${file%.parquet}
	[ "$night" = "$tonight" ] || ! [ -e "$night.bcg" ] || ! [ -e "$night.json" ] || last=$night
done
nights=0 # that the last scores were updated
[ -z "$last" ] || nights=$(sed -n 's/^ *"nights": *\([0-9]*\).*/\1/p' "$last.json")

bcstage prepare "$edges" -o "$tonight.bcg"
if [ -n "$last" ] && [ "$((${nights:-0} + 1))" -lt "$every" ]; then
	code=0
	bcstage "$tonight.bcg" --since "$last.bcg,$last.parquet" -o "$tonight.parquet" --stats "$tonight.json" || code=$?
	[ "$code" != 0 ] || exit 0
	[ "$code" = 2 ] || exit "$code" # 2: it cannot be updated
fi
bcstage "$tonight.bcg" -o "$tonight.parquet" --stats "$tonight.json"
