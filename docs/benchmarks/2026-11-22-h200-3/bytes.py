#!/usr/bin/env python3
"""bytes.py < bytes.tsv: what must move in device memory, and the share of copying.

Whatever the strategy, of every vertex and source of a block a count of paths is written
on the way out and read on the way back, 8 bytes each. All else, shares, lists, the graph,
neighbours' counts, may stay in caches: this must move, and no more. Beside it stands what
moves if no neighbour's number is found in a cache: an edge lies on at most one side of a
shortest path and is asked for once each way, and a share is written.

    must      16 V S             V vertices, S sources of a block: as many
    uncached  24 V S + 16 E S

Of a block with chains, a root has a distance (4 bytes), a number of paths (8) and a place
in an order (4) per junction, written and read, and a mass and a score (8 each) per vertex,
read and written.
"""
import csv
import sys

COPY = 4.27e12  # bytes read and written per second by a copy in device memory, measured
JUNCTIONS = {"luxembourg.osm": 8523}

print("| graph | strategy | vertices of the largest block | compute, s | must move, GB | of copying | uncached, GB | of copying |")
print("|---|---|--:|--:|--:|--:|--:|--:|")
for row in csv.DictReader(sys.stdin, delimiter="\t"):
    v, e, seconds = int(row["vertices"]), int(row["edges"]), float(row["seconds"])
    roots = JUNCTIONS.get(row["graph"])
    must = roots * (32 * roots + 32 * v) if roots else 16 * v * v
    uncached = must if roots else 24 * v * v + 16 * e * v
    share = [f"{b / 1e9:.1f} | {b / seconds / COPY:.2f}" for b in (must, uncached)]
    print(f"| {row['graph']} | `{row['strategy']}` | {v} | {row['seconds']} | {share[0]} | {share[1]} |")
