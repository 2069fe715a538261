#!/usr/bin/env python3
"""Time bcstage against python-igraph and NetworKit on graphs whose edges have lengths.

Graphs without lengths of their own get 1..100 from a hash (splitmix64) of seed 1,
smaller end and larger end; NAME:float gets decimals between 0 and 1 of 16 digits
instead, and NAME:own keeps what the file has, directed. kron14 and road21 are made
by `bcstage generate`. bcstage computes the whole graph as a process, reading and
writing included; the peers, one thread each, a sample of sources, scaled to all, or
the whole graph where that takes less than --whole seconds: then scores are compared.
Programs take turns --runs times; medians of processor time and of wall time.

    lengths.py --bcstage ./bcstage --graphs ../shared/graphs --output DIR [--names a,b] [--threads 2]

Writes DIR/lengths.jsonl (every single time) and DIR/lengths.md (the table).
"""
import argparse
import csv
import gzip
import json
import os
import resource
import statistics
import subprocess
import tempfile
import time

DEFAULT = "rome99.gr:own,power.graph,ca-GrQc.txt,t60k.graph,delaunay_n16.graph,delaunay_n16.graph:float,kron14,road21,luxembourg.osm.graph"
MASK = 2**64 - 1


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def hashed(a, b):
    return mix(mix(1) ^ (min(a, b) << 32 | max(a, b)))


def table(options, name, path):
    """Writes src,dst,weight of a graph, and says whether it is directed."""
    graph, _, kind = name.partition(":")
    rows = {}
    if graph in ("kron14", "road21"):
        what = ["kron", "--scale", "14", "--edge-factor", "16"] if graph == "kron14" else ["road", "--n", "5440"]
        text = subprocess.run([options.bcstage, "generate", *what, "-o", "-"], check=True, capture_output=True, text=True).stdout
        pairs = [line.split(",")[:2] for line in text.split("\n")[1:] if line]
        if graph == "road21":  # edges in 1 to 6 pieces: mean degree 2.1
            pieces = []
            for a, b in pairs:
                for _ in range(mix(len(pieces)) % 6):
                    pieces.append((a, 1000000 + len(pieces)))
                    a = pieces[-1][1]
                pieces.append((a, b))
            pairs = pieces
    else:
        text = gzip.open(os.path.join(options.graphs, graph + ".gz"), "rt").read()
        lines = [line for line in text.split("\n") if line and line[0] not in "%#c"]
        if graph.endswith(".graph"):
            pairs = [(v, u) for v, line in enumerate(lines[1:], 1) for u in line.split()]
        elif graph.endswith(".gr"):
            pairs = [line.split()[1:4] for line in lines if line[0] == "a"]
        else:
            pairs = [line.replace(",", " ").split()[:2] for line in lines if line[0].isdigit()]
    for row in pairs:
        a, b = int(row[0]), int(row[1])
        if a == b:
            continue
        if kind == "own":
            rows[a, b] = min(int(row[2]), rows.get((a, b), 1 << 60))
        elif kind == "float":
            rows[min(a, b), max(a, b)] = (hashed(a, b) % 10**16 + 1) / 10**16
        elif graph == "road21":
            rows[min(a, b), max(a, b)] = (hashed(a, b) % 10**6 + 1) / 10**6
        else:
            rows[min(a, b), max(a, b)] = 1 + hashed(a, b) % 100
    with open(path, "w") as file:
        file.write("src,dst,weight\n")
        file.writelines(f"{a},{b},{w}\n" for (a, b), w in sorted(rows.items()))
    number = {}
    edges = [(number.setdefault(a, len(number)), number.setdefault(b, len(number))) for a, b in sorted(rows)]
    return kind == "own", number, edges, [float(w) for _, w in sorted(rows.items())]


def timed(call):
    cpu, wall = time.process_time(), time.perf_counter()
    result = call()
    return time.process_time() - cpu, time.perf_counter() - wall, result


def measure(options, name, scratch):
    import igraph
    import networkit

    networkit.setNumberOfThreads(1)
    path, out = os.path.join(scratch, "edges.csv"), os.path.join(scratch, "scores.csv")
    directed, number, edges, lengths = table(options, name, path)
    n = len(number)
    graph = igraph.Graph(n, edges, directed=directed)
    other = networkit.Graph(n, weighted=True, directed=directed)
    for (a, b), w in zip(edges, lengths):
        other.addEdge(a, b, w)
    sample = sorted({mix(i) % n for i in range(options.sample)})
    one, _, _ = timed(lambda: graph.betweenness(sources=sample[:8], weights=lengths))
    whole = one / 8 * n < options.whole
    results = {"name": name, "n": n, "m": len(edges), "whole": whole, "bcstage": [], "igraph": [], "networkit": []}
    for _ in range(options.runs):
        command = [options.bcstage, "--weight", "weight", "--threads", str(options.threads), "-q", "-o", out, path]
        before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command + ["--directed"] * directed, check=True)
        wall = time.perf_counter() - wall
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        results["bcstage"].append([after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall])
        if whole:
            cpu, wall, scores = timed(lambda: graph.betweenness(weights=lengths))
            ours = {int(row[0]): float(row[1]) for row in list(csv.reader(open(out)))[1:]}
            results["difference"] = max(abs(ours[v] - scores[i]) / max(1, scores[i]) for v, i in number.items())
            scale = 1
        else:
            cpu, wall, _ = timed(lambda: graph.betweenness(sources=sample, weights=lengths))
            scale = n / len(sample)
        results["igraph"].append([cpu * scale, wall * scale])
        run = networkit.centrality.Betweenness(other) if whole else networkit.centrality.EstimateBetweenness(other, len(sample))
        cpu, wall, _ = timed(run.run)
        results["networkit"].append([cpu * scale, wall * scale])
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bcstage", default="./bcstage")
    parser.add_argument("--graphs", default="../shared/graphs")
    parser.add_argument("--output", required=True)
    parser.add_argument("--names", default=DEFAULT)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--sample", type=int, default=100)
    parser.add_argument("--whole", type=float, default=20)
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    lines = [f"| graph | n | m | bcstage, {options.threads} threads, whole process: s of processor | wall | igraph | NetworKit | scores differ by |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    with tempfile.TemporaryDirectory() as scratch, open(os.path.join(options.output, "lengths.jsonl"), "w") as raw:
        for name in options.names.split(","):
            result = measure(options, name, scratch)
            raw.write(json.dumps(result) + "\n")
            raw.flush()
            cpu, wall = (statistics.median(run[i] for run in result["bcstage"]) for i in (0, 1))
            peers = [statistics.median(run[0] for run in result[peer]) for peer in ("igraph", "networkit")]
            mark = "" if result["whole"] else "~"
            cells = [f"{mark}{t:.3g} ({t / cpu:.0f}× per thread, {t / wall:.0f}× wall)" for t in peers]
            difference = f"{result['difference']:.1e}" if "difference" in result else ""
            lines.append(f"| {name} | {result['n']} | {result['m']} | {cpu:.3g} | {wall:.3g} | {cells[0]} | {cells[1]} | {difference} |")
            print(lines[-1], flush=True)
    with open(os.path.join(options.output, "lengths.md"), "w") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
