#!/usr/bin/env python3
"""NetworKit's KADABRA beside exact scores: time, samples, largest error.

    kadabra.py THREADS DELTA EXACT.csv GRAPH.gz EPS SEEDS

EXACT.csv is bcstage's output for the graph. One line per seed, tab-separated: graph,
eps, seed, wall seconds, CPU seconds of run(), samples, largest error of the scores
as they are, and of half of them, both over n(n-1)/2 pairs."""
import csv, gzip, os, resource, sys, time

import networkit
import numpy


def edges(path):
    """Pairs of ids as they are in the file: METIS rows, DIMACS arcs, or two ids a line."""
    lines = [l for l in gzip.open(path, "rt") if not l.startswith(("%", "#", "c"))]
    if path.endswith(".graph.gz"):
        return [(row, int(u)) for row, l in enumerate(lines) if row for u in l.split()]
    if path.endswith(".gr.gz"):
        return [tuple(map(int, l.split()[1:3])) for l in lines if l.startswith("a")]
    return [tuple(map(int, l.replace(",", " ").split()[:2])) for l in lines if l[0].isdigit()]


def main():
    threads, delta, exact, path, eps, seeds = sys.argv[1:]
    networkit.setNumberOfThreads(int(threads))
    with open(exact) as f:
        scores = {int(r["vertex"]): float(r["betweenness_centrality"]) for r in csv.DictReader(f)}
    ids = {v: i for i, v in enumerate(sorted(scores))}
    truth = numpy.array([scores[v] for v in sorted(scores)])
    n = len(truth)
    truth /= n * (n - 1) / 2
    graph = networkit.Graph(n)
    for u, v in {(min(e), max(e)) for e in edges(path) if e[0] != e[1]}:
        graph.addEdge(ids[u], ids[v])
    for seed in range(1, int(seeds) + 1):
        networkit.setSeed(seed, True)
        kadabra = networkit.centrality.KadabraBetweenness(graph, float(eps), float(delta))
        cpu, wall = resource.getrusage(resource.RUSAGE_SELF), time.time()
        kadabra.run()
        wall, after = time.time() - wall, resource.getrusage(resource.RUSAGE_SELF)
        found = numpy.zeros(n)
        for v, score in kadabra.ranking():
            found[v] = score
        used = after.ru_utime + after.ru_stime - cpu.ru_utime - cpu.ru_stime
        print(os.path.basename(path), eps, seed, round(wall, 3), round(used, 3), kadabra.getNumberOfIterations(),
              f"{abs(found - truth).max():.5f}", f"{abs(found / 2 - truth).max():.5f}", sep="\t", flush=True)


if __name__ == "__main__":
    main()
