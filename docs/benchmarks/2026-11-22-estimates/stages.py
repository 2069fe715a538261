#!/usr/bin/env python3
"""How fast stages search their sources, beside exact mode.

    stages.py BCSTAGE THREADS GRAPH FLAGS...

runs exact scores, and estimates from a quarter and from half of all draws, whose
stages between have a sixteenth of the sources or more each. One line, tab-separated:
graph, sources, CPU microseconds per source of exact mode and of those stages (reading,
reducing and writing taken off), and the share of exact mode's speed that they have."""
import json, os, resource, subprocess, sys, tempfile


def run(bcstage, *flags):
    with tempfile.TemporaryDirectory() as folder:
        stats = os.path.join(folder, "stats.json")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([bcstage, *flags, "--quiet", "-o", os.path.join(folder, "out.parquet"), "--stats", stats], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(stats) as f:
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, json.load(f)


def main():
    bcstage, threads, *graph = sys.argv[1:]
    common = [*graph, "--engine", "cpu", "--threads", threads]
    sources = [*common, "--estimate", "--way", "sources", "--samples"]
    least, stats = run(bcstage, *sources, "64")
    n = stats["estimate"]["originals"]
    exact, _ = run(bcstage, *common)
    one, first = run(bcstage, *sources, str(n // 4))
    two, second = run(bcstage, *sources, str(n // 2))
    searched = second["estimate"]["searches"] - first["estimate"]["searches"]
    a, b = (exact - least) / stats["estimate"]["sources"] * 1e6, (two - one) / searched * 1e6
    print(os.path.basename(graph[0]), stats["estimate"]["sources"], f"{a:.1f}", f"{b:.1f}", f"{a / b:.2f}", sep="\t", flush=True)


main()
