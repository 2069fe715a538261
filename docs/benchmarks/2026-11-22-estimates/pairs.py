#!/usr/bin/env python3
"""What a pair costs with several builds of the command, in turn.

    pairs.py GRAPH PAIRS BCSTAGE...

draws so many pairs on one thread, and a thousand, five times with each build. A line
for each, tab-separated: graph, build, CPU microseconds per pair, the median and the
least (reading, reducing and writing taken off)."""
import os, resource, statistics, subprocess, sys, tempfile


def cpu(bcstage, graph, pairs):
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([bcstage, graph, "--engine", "cpu", "--threads", "1", "--estimate", "--way", "pairs", "--samples", str(pairs),
                        "--quiet", "-o", os.path.join(folder, "out.parquet")], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    graph, pairs, *builds = sys.argv[1:]
    took = {build: [] for build in builds}
    for _ in range(5):
        for build in builds:
            took[build].append((cpu(build, graph, pairs) - cpu(build, graph, 1000)) / (int(pairs) - 1000) * 1e6)
    for build in builds:
        print(os.path.basename(graph), os.path.basename(build), f"{statistics.median(took[build]):.2f}", f"{min(took[build]):.2f}", sep="\t", flush=True)


main()
