#!/usr/bin/env python3
"""bytes.py COPY STATS.json...: what must move in device memory, and the share of copying.

COPY is the measured speed of copying in device memory, bytes read and written, in TB/s.
STATS are files of --stats of runs on a device, named after their graphs.

Whatever the strategy, of every vertex and source of a block a count of paths is written
on the way out and read on the way back. All else, shares, lists, the graph, neighbours'
counts, may stay in caches: so this must move, and no more. Beside it stands what would
move if no neighbour's number were found in a cache: an edge lies on at most one side of
a shortest path, is asked for once each way, and a share is written.

    must      16 V S         V vertices, S sources of a block, float64
    uncached  24 V S + 16 E S

Of a block with chains, a root has a distance (4 bytes), a number of paths (8) and a place
in an order (4) per junction, written and read, and a mass and a score (8 each) per
vertex, read and written.
"""
import json
import os
import sys

JUNCTIONS = {"luxembourg.osm": 8523}  # of its largest block

copy = float(sys.argv[1]) * 1e12
print("| graph | strategy | vertices × sources, 1e9 | compute, s | must move, GB | of copying | uncached, GB | of copying |")
print("|---|---|--:|--:|--:|--:|--:|--:|")
for path in sys.argv[2:]:
    name = os.path.basename(path).removesuffix(".json")
    stats = json.load(open(path))
    seconds = stats["seconds"]["compute"]
    pairs = must = uncached = 0
    names = set()
    for block in stats["device_choices"]:
        if block.get("declined"):
            continue
        v, e = block["vertices"], block["edges"]
        names.add(block["strategy"])
        pairs += v * v
        if block["strategy"] == "chains":
            junctions = JUNCTIONS[name]
            must += junctions * (2 * 16 * junctions + 32 * v)
            uncached += junctions * (2 * 16 * junctions + 32 * v)
        else:
            must += 16 * v * v
            uncached += 24 * v * v + 16 * e * v

    print(f"| {name} | {', '.join(sorted(names))} | {pairs / 1e9:.1f} | {seconds:.3f} | {must / 1e9:.0f} | {must / seconds / copy:.2f} | {uncached / 1e9:.0f} | {uncached / seconds / copy:.2f} |")
