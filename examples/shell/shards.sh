#!/bin/sh
# Betweenness centrality in shards, several at once:
#
#     ./shards.sh edges.parquet scores.parquet [SHARDS [AT_ONCE]]
#
# Finished shards stay in scores.parquet.shards until all are finished, so the same
# command continues after an interruption. On several machines with a shared folder,
# each runs the xargs line with its own numbers.
set -eu
edges=$1 output=$2 shards=${3:-8} at_once=${4:-$(nproc)}
folder=$output.shards

mkdir -p "$folder"
[ -e "$folder/graph.bcg" ] || bcstage prepare "$edges" -o "$folder/graph.bcg"

# Files appear whole or not at all: an existing part is finished.
seq 0 $((shards - 1)) | xargs -P "$at_once" -I '{}' sh -c '
	part="$2/$1-of-$3.arrow"
	[ -e "$part" ] || bcstage "$2/graph.bcg" --engine cpu --threads 1 --shard "$1/$3" -o "$part"
' sh '{}' "$folder" "$shards"

bcstage merge "$folder"/*-of-"$shards".arrow -o "$output"
rm -r "$folder"
