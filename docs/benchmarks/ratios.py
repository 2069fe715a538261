#!/usr/bin/env python3
"""Ratios by question: bcstage's whole process beside peers' calls, in turn, on the same simple graphs.

    ratios.py --bcstage ./bcstage --graphs ../shared/graphs --output DIR
              [--threads 1,2] [--runs 5] [--questions a,b] [--names a,b] [--peers a,b] [--once 60]

A ratio is a peer's time over bcstage's, medians of the runs. With one thread the time is processor
seconds, which depend less on what else a machine does; with more it is seconds of wall time. bcstage's is
of the whole process, reading and writing included; a peer's is of its call alone, its graph being in memory.
All take turns. A peer's call of more than --once seconds is not repeated. igraph has one thread only.

Lengths are whole numbers from 1 to 100, drawn by a fixed seed. Graphs that are missing are named and left
out; those that `bcstage generate` makes are always there.

Adds to DIR/ratios.jsonl every single time, and makes DIR/ratios.md of all that is there: ratios beside
igraph of each question and graph, **bold** where below 8 although igraph takes .2 s or more, and the other
peers beside it.
"""
import argparse
import csv
import gzip
import json
import math
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

GRAPHS = ["wiki-Vote.txt.gz", "wikispeedia_links.tsv.gz", "ca-GrQc.txt.gz", "rome99.gr.gz", "facebook_combined.txt.gz",
          "power.graph.gz", "generate:ba --n 10000 --k 2", "generate:citations --n 12000", "generate:road --n 20000",
          "generate:dependencies", "generate:dependencies --rows 8 --cols 3000"]

# What bcstage is asked, and which call of a peer is that; directed questions are asked of arcs.
QUESTIONS = {
    "hops": [], "lengths": ["--weight", "length"], "edges": ["--edge-scores"],
    "closeness": ["--columns", "closeness"], "closeness lengths": ["--columns", "closeness", "--weight", "length"],
    "cutoff 3": ["--cutoff", "3"],
    "directed hops": ["--directed"], "directed lengths": ["--directed", "--weight", "length"],
    "directed closeness": ["--directed", "--columns", "closeness_out"],
    "directed closeness lengths": ["--directed", "--columns", "closeness_out", "--weight", "length"],
}


def pairs(path):
    """The rows of a graph file, by the words that name their ends."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as lines:
        if ".graph" in path:  # METIS: a line for each vertex
            lists = [line for line in lines if not line.startswith("%")][1:]
            for v, line in enumerate(lists, 1):
                yield from ((str(v), u) for u in line.split())
        elif ".gr" in path:  # DIMACS: lines of arcs
            yield from (line.split()[1:3] for line in lines if line.startswith("a"))
        else:
            rows = (line.replace(",", " ").split() for line in lines if not line.startswith("#"))
            yield from (row[:2] for row in rows if len(row) > 1 and row[0] not in ("id_1", "src"))


def tables(name, options, work):
    """Writes the simple graph, undirected and directed, as tables of src, dst, length; gives their paths."""
    if name.startswith("generate:"):
        source = os.path.join(work, "generated.csv")
        made = subprocess.run([options.bcstage, "generate", *name[9:].split(), "-q", "-o", source], capture_output=True)
        if made.returncode:
            return None
    else:
        source = os.path.join(options.graphs, name)
        if not os.path.exists(source):
            return None
    number, both = {}, {False: set(), True: set()}
    for a, b in pairs(source):
        a, b = (number.setdefault(x, len(number)) for x in (a, b))
        if a != b:
            both[True].add((a, b))
            both[False].add((min(a, b), max(a, b)))
    paths = {}
    for directed, edges in both.items():
        paths[directed], draw = os.path.join(work, f"{directed}.csv"), random.Random(1)
        with open(paths[directed], "w") as file:
            file.write("src,dst,length\n")
            file.writelines(f"{a},{b},{draw.randint(1, 100)}\n" for a, b in sorted(edges))
    return paths


def spent(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def call(peer, question, path, threads):
    """In a process of its own: a peer's one call. Prints its processor and wall seconds and the sum of scores."""
    rows = list(csv.reader(open(path)))[1:]
    edges, lengths = [(int(a), int(b)) for a, b, _ in rows], [int(c) for _, _, c in rows]
    n, directed = 1 + max(max(e) for e in edges), question.startswith("directed")
    weighted, close = "lengths" in question, "closeness" in question
    if peer == "igraph":
        import igraph
        graph, weights = igraph.Graph(n=n, edges=edges, directed=directed), lengths if weighted else None
        if close:
            run = lambda: graph.closeness(mode="out", weights=weights)
        elif question == "edges":
            run = lambda: graph.edge_betweenness(directed=directed)
        else:
            run = lambda: graph.betweenness(directed=directed, weights=weights, cutoff=3 if question == "cutoff 3" else None)
    elif peer == "networkit":
        import networkit
        networkit.setNumberOfThreads(threads)
        graph = networkit.Graph(n, weighted=weighted, directed=directed)
        for (a, b), length in zip(edges, lengths):
            graph.addEdge(a, b, length)
        if question == "cutoff 3":
            sys.exit(2)
        if question == "edges":
            graph.indexEdges()
        measure = networkit.centrality
        found = measure.Closeness(graph, False, measure.ClosenessVariant.GENERALIZED) if close else measure.Betweenness(graph, False, question == "edges")
        run = lambda: (found.run(), found.scores())[1]
    else:
        import rustworkx
        if weighted or question == "cutoff 3":
            sys.exit(2)
        graph = (rustworkx.PyDiGraph if directed else rustworkx.PyGraph)()
        graph.add_nodes_from(range(n))
        graph.add_edges_from_no_data(edges)
        if close:
            run = lambda: rustworkx.closeness_centrality(graph)
        elif question == "edges":
            run = lambda: rustworkx.edge_betweenness_centrality(graph, normalized=False)
        else:
            run = lambda: rustworkx.betweenness_centrality(graph, normalized=False)
    cpu, wall = spent(resource.RUSAGE_SELF), time.perf_counter()
    scores = run()
    wall, cpu = time.perf_counter() - wall, spent(resource.RUSAGE_SELF) - cpu
    values = scores.values() if hasattr(scores, "values") else scores
    print(json.dumps({"cpu": cpu, "wall": wall, "sum": None if close else math.fsum(values)}))


def own(options, question, path, threads, work):
    """bcstage's whole process, which replaces no file."""
    out = tempfile.mkdtemp(dir=work)
    scores = os.path.join(out, "scores.csv")
    flags = [x for flag in QUESTIONS[question] for x in ([flag, os.path.join(out, "edges.csv")] if flag == "--edge-scores" else [flag])]
    if "--weight" not in flags:
        flags.append("--ignore-weight")
    cpu, wall = spent(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([options.bcstage, path, *flags, "--threads", str(threads), "-q", "--engine", "cpu", "-o", scores], check=True)
    wall, cpu = time.perf_counter() - wall, spent(resource.RUSAGE_CHILDREN) - cpu
    read = os.path.join(out, "edges.csv") if question == "edges" else scores
    rows = csv.DictReader(open(read))
    column = [c for c in rows.fieldnames if "betweenness" in c]
    return {"cpu": cpu, "wall": wall, "sum": math.fsum(float(row[column[0]]) for row in rows) if column else None}


def measure(options, name, question, threads, path, work, log):
    runs = {"bcstage": []}
    for turn in range(options.runs):
        runs["bcstage"].append(own(options, question, path, threads, work))
        for peer in options.peers:
            times = runs.setdefault(peer, [])
            if turn and (not times or times[-1]["wall"] > options.once):
                continue
            env = dict(os.environ, RAYON_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads))
            made = subprocess.run([sys.executable, __file__, "call", peer, question, path, str(threads)], capture_output=True, text=True, env=env)
            if made.returncode == 0:
                times.append(json.loads(made.stdout.split("\n")[-2]))
    for who, times in runs.items():
        for t in times:
            log.write(json.dumps({"graph": name, "question": question, "threads": threads, "who": who, **t}) + "\n")
    log.flush()
    sums = {who: times[0]["sum"] for who, times in runs.items() if times and times[0]["sum"] is not None}
    if "igraph" in sums and abs(sums["igraph"] - sums["bcstage"]) > 1e-9 * abs(sums["igraph"]):
        print(f"{name}, {question}: sums differ: {sums}", flush=True)


def table(path):
    """The table of all single times."""
    times = {}
    for line in open(path):
        row = json.loads(line)
        key = row["graph"], row["question"], row["threads"], row["who"]
        times.setdefault(key, []).append(row["cpu" if row["threads"] == 1 else "wall"])
    median = {key: statistics.median(t) for key, t in times.items()}
    graphs = list(dict.fromkeys(key[0] for key in median))
    for threads in sorted({key[2] for key in median}):
        yield f"\n{threads} thread{'s' * (threads > 1)}: {'processor' if threads == 1 else 'wall'} seconds of igraph's call, of NetworKit's and rustworkx's, over those of bcstage's process\n\n"
        yield "| graph | " + " | ".join(QUESTIONS) + " |\n|---|" + "---|" * len(QUESTIONS) + "\n"
        for graph in graphs:
            cells = []
            for question in QUESTIONS:
                ours, parts = median.get((graph, question, threads, "bcstage")), []
                for peer in ("igraph", "networkit", "rustworkx"):
                    theirs = median.get((graph, question, threads, peer))
                    if not ours or not theirs:
                        parts.append("–")
                        continue
                    text = f"{theirs / ours:.2g}" if theirs < 10 * ours else f"{theirs / ours:.0f}"
                    parts.append(f"**{text}**" if peer == "igraph" and theirs >= 0.2 and theirs < 8 * ours else text)
                cells.append(" / ".join(parts))
            yield f"| {graph.removeprefix('generate:').removesuffix('.gz')} | " + " | ".join(cells) + " |\n"


def main():
    if sys.argv[1:2] == ["call"]:
        return call(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
    listed = lambda text: text.split(",")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bcstage", required=True, type=os.path.realpath)
    parser.add_argument("--graphs", default="../shared/graphs")
    parser.add_argument("--output", required=True)
    parser.add_argument("--threads", default="1,2", type=listed)
    parser.add_argument("--runs", default=5, type=int)
    parser.add_argument("--questions", default=list(QUESTIONS), type=listed)
    parser.add_argument("--names", default=GRAPHS, type=listed)
    parser.add_argument("--peers", default=["igraph", "networkit", "rustworkx"], type=listed)
    parser.add_argument("--once", default=60, type=float)
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    raw = os.path.join(options.output, "ratios.jsonl")
    with open(raw, "a") as log:
        for name in options.names:
            with tempfile.TemporaryDirectory() as work:
                paths = tables(name, options, work)
                if not paths:
                    print(name, "is missing: left out", flush=True)
                    continue
                for threads in map(int, options.threads):
                    for question in options.questions:
                        measure(options, name, question, threads, paths[question.startswith("directed")], work, log)
                print(name, "measured", flush=True)
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    with open(os.path.join(options.output, "ratios.md"), "w") as file:
        file.write(f"{time.strftime('%Y-%m-%d')}, {model}, load {open('/proc/loadavg').read().split()[0]}; "
                   f"`docs/benchmarks/ratios.py --runs {options.runs}`\n")
        file.writelines(table(raw))


main()
