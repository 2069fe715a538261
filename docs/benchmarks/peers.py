#!/usr/bin/env python3
"""Time bcstage against python-igraph, NetworKit and NetworkX in one run.

Per graph, every program gets the same simple undirected graph and the same
number of threads (igraph and NetworkX have one). "whole" is a whole process,
read and write included; "compute" is the library call alone, its graph already
in memory. Programs take turns, so that a drifting machine hits all of them; the
table quotes medians and ratios. Scores are compared with igraph's.

    peers.py --bcstage ./bcstage --graphs ../shared/graphs --output DIR [--names a,b] [--runs 3]

A peer's call that took longer than --once seconds is not repeated. One that
takes more than --cap times bcstage's whole process is ended; its time and ratio
are then lower bounds, and marked so.

Writes DIR/peers.jsonl (every single time) and DIR/peers.md (the table).
"""
import argparse
import csv
import gzip
import json
import math
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time

DEFAULT = ("facebook_combined.txt.gz,wiki-Vote.txt.gz,ca-GrQc.txt.gz,ca-CondMat.txt.gz,"
           "musae_facebook_edges.csv.gz,p2p-Gnutella31.txt.gz,power.graph.gz,rome99.gr.gz,"
           "luxembourg.osm.graph.gz")


def edges_of(path):
    """Simple undirected edges over 0..n-1, and the ids as bcstage writes them."""
    lines = gzip.open(path, "rt").read().split("\n")
    pairs, vertices = [], []
    if ".graph" in path:
        lines = [line for line in lines if not line.startswith("%")]
        n = int(lines[0].split()[0])
        vertices = [str(v) for v in range(1, n + 1)]
        for u, line in enumerate(lines[1:n + 1], 1):
            pairs += [(str(u), v) for v in line.split()]
    elif ".gr" in path:
        for line in lines:
            if line.startswith("p"):
                vertices = [str(v) for v in range(1, int(line.split()[2]) + 1)]
            elif line.startswith("a"):
                pairs.append(tuple(line.split()[1:3]))
    else:
        separator = "," if ".csv" in path else None
        for line in lines:
            if line and not line.startswith("#"):
                fields = line.split(separator)
                if len(fields) == 2 and fields[0].isdigit():
                    pairs.append((fields[0], fields[1].strip()))
    number = {}
    for v in vertices:
        number.setdefault(v, len(number))
    simple = set()
    for u, v in pairs:
        a, b = number.setdefault(u, len(number)), number.setdefault(v, len(number))
        if a != b:
            simple.add((min(a, b), max(a, b)))
    return list(number), sorted(simple)


def igraph_call(n, edges, threads):
    import igraph
    graph = igraph.Graph(n=n, edges=edges)
    return lambda: graph.betweenness(directed=False)


def networkit_call(n, edges, threads):
    import networkit
    networkit.setNumberOfThreads(threads)
    graph = networkit.Graph(n)
    for u, v in edges:
        graph.addEdge(u, v)

    def call():
        # NetworKit counts ordered pairs of an undirected graph.
        return [s / 2 for s in networkit.centrality.Betweenness(graph, normalized=False).run().scores()]
    return call


def networkx_call(n, edges, threads):
    import networkx
    graph = networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    return lambda: list(networkx.betweenness_centrality(graph, normalized=False).values())


PEERS = {"igraph": igraph_call, "networkit": networkit_call, "networkx": networkx_call}


def timed(call, limit):
    """Seconds and scores of a call, in a process of its own; (None, None) after the limit."""
    def work(pipe):
        began = time.perf_counter()
        scores = call()
        pipe.send((time.perf_counter() - began, list(scores)))

    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=work, args=(theirs,))
    process.start()
    theirs.close()
    try:
        return ours.recv() if ours.poll(limit) else (None, None)
    finally:
        process.kill()
        process.join()


def bcstage(binary, path, threads, folder):
    """One whole process; returns (whole seconds, compute seconds, scores by id, stats)."""
    output, stats = os.path.join(folder, "bc.csv"), os.path.join(folder, "stats.json")
    command = [binary, path, "-o", output, "--stats", stats, "--threads", str(threads),
               "--engine", "cpu", "--quiet", "--ignore-weight"]
    time.sleep(0.3)  # the peers' idle threads spin for a while and would share our cores
    began = time.perf_counter()
    subprocess.run(command, check=True)
    whole = time.perf_counter() - began
    with open(stats) as file:
        figures = json.load(file)
    with open(output) as file:
        rows = csv.reader(file)
        next(rows)
        scores = {row[0]: float(row[1]) for row in rows}
    return whole, figures["seconds"]["compute"], scores, figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bcstage", required=True)
    parser.add_argument("--graphs", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--names", default=DEFAULT)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--once", type=float, default=20)
    parser.add_argument("--cap", type=float, default=200)
    parser.add_argument("--peers", default="igraph,networkit,networkx")
    parser.add_argument("--patience", type=float, default=2e9, help="n*m above which NetworkX is left out")
    options = parser.parse_args()

    peers = {}
    for name in options.peers.split(","):
        try:
            __import__(name)
            peers[name] = PEERS[name]
        except ImportError:
            print(f"{name} is not installed: left out", file=sys.stderr)

    rows = []
    with open(os.path.join(options.output, "peers.jsonl"), "w") as log, tempfile.TemporaryDirectory() as folder:
        for name in options.names.split(","):
            path = os.path.join(options.graphs, name)
            if not os.path.exists(path):
                print(f"{path} is missing: left out", file=sys.stderr)
                continue
            ids, edges = edges_of(path)
            calls = {peer: make(len(ids), edges, options.threads) for peer, make in peers.items()
                     if peer != "networkx" or len(ids) * len(edges) <= options.patience}
            times = {"bcstage whole": [], "bcstage compute": [], **{peer: [] for peer in calls}}
            worst, ours, ended = None, None, []
            for turn in range(options.runs):
                whole, compute, ours, figures = bcstage(options.bcstage, path, options.threads, folder)
                times["bcstage whole"].append(whole)
                times["bcstage compute"].append(compute)
                for peer, call in calls.items():
                    if peer in ended or times[peer] and times[peer][0] > options.once:
                        continue
                    limit = options.cap * statistics.median(times["bcstage whole"])
                    seconds, theirs = timed(call, limit)
                    times[peer].append(seconds or limit)
                    if seconds is None:
                        ended.append(peer)
                    elif peer == "igraph":
                        assert set(ours) == set(ids), "other vertices"
                        worst = max(worst or 0, max(abs(ours[v] - s) / max(abs(s), 1) for v, s in zip(ids, theirs)))
            median = {program: statistics.median(seconds) for program, seconds in times.items()}
            row = {"graph": name, "n": len(ids), "m": len(edges), "threads": options.threads, "median": median,
                   "times": times, "ended": ended, "largest_relative_difference": worst,
                   "row_loads_per_edge_batch": figures["row_loads_per_edge_batch"],
                   "frontier_entries_per_vertex_batch": figures["frontier_entries_per_vertex_batch"],
                   "peak_memory_bytes": figures["peak_memory_bytes"]}
            rows.append(row)
            log.write(json.dumps(row) + "\n")
            log.flush()
            print(name, {k: round(v, 4) for k, v in median.items()}, f"difference {worst}", file=sys.stderr)

    write_table(os.path.join(options.output, "peers.md"), rows, peers)


def write_table(path, rows, peers):
    heads = ["graph", "n", "m", "bcstage whole", "bcstage compute"]
    for peer in peers:
        heads += [f"{peer} compute", f"{peer} / bcstage whole"]
    heads += ["largest difference"]
    with open(path, "w") as file:
        file.write("| " + " | ".join(heads) + " |\n|---|" + "--:|" * (len(heads) - 1) + "\n")
        for row in rows:
            median = row["median"]
            cells = [row["graph"].split(".")[0], str(row["n"]), str(row["m"]),
                     f"{median['bcstage whole']:.3f} s", f"{median['bcstage compute']:.3f} s"]
            for peer in peers:
                if peer in median:
                    more = "> " if peer in row["ended"] else ""
                    cells += [f"{more}{median[peer]:.2f} s", f"{more}{median[peer] / median['bcstage whole']:.1f}"]
                else:
                    cells += ["–", "–"]
            difference = row["largest_relative_difference"]  # none where igraph was ended
            cells += ["–" if difference is None else f"{difference:.0e}"]
            file.write("| " + " | ".join(cells) + " |\n")
        for peer in peers:
            ratios = [row["median"][peer] / row["median"]["bcstage whole"] for row in rows if peer in row["median"]]
            if ratios:
                mean = math.exp(statistics.fmean(map(math.log, ratios)))
                least = "at least " if any(peer in row["ended"] for row in rows) else ""
                file.write(f"\n{peer}: geometric mean of the ratios {least}{mean:.1f}, smallest {min(ratios):.1f}, {len(ratios)} graphs.\n")


if __name__ == "__main__":
    main()
