#!/bin/sh
# Betweenness centrality in shards, several at once:
#
#     ./shards.sh edges.parquet scores.parquet [SHARDS [AT_ONCE]]
#
# What is finished stays in ./shards, so that the same command goes on after an
# interruption. On several machines that share a folder, each runs the xargs line
# with numbers of its own.
set -eu
edges=$1 output=$2 shards=${3:-8} at_once=${4:-$(nproc)}

mkdir -p shards
[ -e shards/graph.bcg ] || bcstage prepare "$edges" -o shards/graph.bcg

# Files appear whole or not at all: a part that is there is finished.
seq 0 $((shards - 1)) | xargs -P "$at_once" -I '{}' sh -c \
	'[ -e "shards/$1-of-$2.arrow" ] || bcstage shards/graph.bcg --engine cpu --threads 1 --shard "$1/$2" -o "shards/$1-of-$2.arrow"' \
	sh '{}' "$shards"

bcstage merge shards/*-of-"$shards".arrow -o "$output"
