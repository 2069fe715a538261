"""bcstage's whole process beside peers' calls, in turn, on the same simple graphs.

A ratio is a peer's time over bcstage's, medians of the runs. With one thread the time is processor seconds, which
depend less on what else a machine does; with more it is seconds of wall time. bcstage's is of the whole process,
reading and writing included; a peer's is of its call alone, in a process of its own, its graph being in memory.
igraph and NetworkX have one thread. Scores are compared with igraph's: vertex by vertex, those of edges sorted.

A peer's call of more than --once seconds is not repeated. One of more than --cap times bcstage's process is ended;
its ratio is a lower bound, and marked so. With --sample K igraph and NetworKit search K sources, scaled to all.
Lengths are whole numbers from 1 to 100, drawn by a fixed seed. Graphs that are missing are named and left out.

Adds to DIR/peers.jsonl every single time. Makes of all that is there DIR/peers.md, where **bold** is a ratio beside
igraph below 8 although igraph takes .2 s or more, and DIR/figures.tsv, lines for docs/benchmarks/figures.tsv.
"""
import argparse
import csv
import importlib.util
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import graphs

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
PEERS = ["igraph", "networkit", "rustworkx", "networkx"]
NAMES = {"bcstage": "bcstage", "igraph": "igraph", "networkit": "NetworKit", "rustworkx": "rustworkx", "networkx": "NetworkX"}  # in figures.tsv


def spent(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def igraph_call(question, n, edges, lengths, sample, threads):
    import igraph
    directed = question.startswith("directed")
    graph, weights = igraph.Graph(n=n, edges=edges, directed=directed), lengths if "lengths" in question else None
    if "closeness" in question:
        return lambda: graph.closeness(mode="out", weights=weights)
    if question == "edges":
        return lambda: graph.edge_betweenness(directed=directed)
    return lambda: graph.betweenness(directed=directed, weights=weights, cutoff=3 if question == "cutoff 3" else None, sources=sample)


def networkit_call(question, n, edges, lengths, sample, threads):
    import networkit
    if question == "cutoff 3":
        sys.exit(2)
    networkit.setNumberOfThreads(threads)
    directed, measure = question.startswith("directed"), networkit.centrality
    graph = networkit.Graph(n, weighted="lengths" in question, directed=directed)
    for (a, b), length in zip(edges, lengths):
        graph.addEdge(a, b, length)
    if "closeness" in question:
        found = measure.Closeness(graph, False, measure.ClosenessVariant.GENERALIZED)
    elif question == "edges":
        graph.indexEdges()
        found = measure.Betweenness(graph, False, True)
    else:
        found = measure.EstimateBetweenness(graph, len(sample)) if sample else measure.Betweenness(graph, False)
    return lambda: (found.run(), found.scores())[1]


def rustworkx_call(question, n, edges, lengths, sample, threads):
    import rustworkx
    if "lengths" in question or question == "cutoff 3":
        sys.exit(2)
    graph = (rustworkx.PyDiGraph if question.startswith("directed") else rustworkx.PyGraph)()
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(edges)
    if "closeness" in question:
        return lambda: rustworkx.closeness_centrality(graph)
    if question == "edges":
        return lambda: rustworkx.edge_betweenness_centrality(graph, normalized=False)
    return lambda: rustworkx.betweenness_centrality(graph, normalized=False)


def networkx_call(question, n, edges, lengths, sample, threads):
    import networkx
    if question not in ("hops", "directed hops"):
        sys.exit(2)
    graph = networkx.DiGraph() if question.startswith("directed") else networkx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    return lambda: networkx.betweenness_centrality(graph, normalized=False)


def call(peer, question, path, threads, sample, answer):
    """In a process of its own: a peer's one call. Prints its processor and wall seconds, and writes its scores."""
    with open(path) as file:
        rows = list(csv.reader(file))[1:]
    edges, lengths = [(int(a), int(b)) for a, b, _ in rows], [int(c) for _, _, c in rows]
    n = 1 + max(max(e) for e in edges)
    some = sorted({i * n // sample for i in range(sample)}) or None
    run = globals()[peer + "_call"](question, n, edges, lengths, some, threads)
    cpu, wall = spent(resource.RUSAGE_SELF), time.perf_counter()
    scores = run()
    wall, cpu = time.perf_counter() - wall, spent(resource.RUSAGE_SELF) - cpu
    with open(answer, "w") as file:
        json.dump(list(scores.values() if hasattr(scores, "values") else scores), file)
    scale = n / len(some) if some and peer in ("igraph", "networkit") else 1
    print(json.dumps({"cpu": cpu * scale, "wall": wall * scale}))


def own(options, question, path, threads, work):
    """bcstage's whole process, which replaces no file: its times, and its scores, None for closeness."""
    out = tempfile.mkdtemp(dir=work)
    scores, edges = os.path.join(out, "scores.csv"), os.path.join(out, "edges.csv")
    flags = [x for flag in QUESTIONS[question] for x in ([flag, edges] if flag == "--edge-scores" else [flag])]
    flags += [] if "--weight" in flags else ["--ignore-weight"]
    time.sleep(0.1)  # a peer's idle threads spin for a while and would share our cores
    cpu, wall = spent(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([options.bcstage, path, *flags, "--threads", str(threads), "-q", "--engine", "cpu", "-o", scores], check=True)
    wall, cpu = time.perf_counter() - wall, spent(resource.RUSAGE_CHILDREN) - cpu
    with open(edges if question == "edges" else scores) as file:
        rows = csv.DictReader(file)
        column = [c for c in rows.fieldnames if "betweenness" in c]
        values = [(row[rows.fieldnames[0]], float(row[column[0]])) for row in rows] if column else None
    if values and question != "edges":
        values.sort(key=lambda row: int(row[0]))
    return {"cpu": cpu, "wall": wall}, values and [x for _, x in values]


def difference(question, ours, theirs):
    """The largest relative difference, of scores below 1 the absolute one."""
    assert len(ours) == len(theirs), "other vertices or edges"
    if question == "edges":
        ours, theirs = sorted(ours), sorted(theirs)
    return max(abs(a - b) / max(abs(b), 1) for a, b in zip(ours, theirs))


def measure(options, name, question, threads, path, work, keep):
    times, answer = {"bcstage": []}, os.path.join(work, "answer")
    for turn in range(options.runs):
        one, scores = own(options, question, path, threads, work)
        times["bcstage"].append(one["wall"])
        keep({"who": "bcstage", **one})
        limit = options.cap * statistics.median(times["bcstage"]) + 30  # to start in, and to read
        for peer in options.peers:
            seen = times.setdefault(peer, [])
            if turn and (not seen or seen[-1] > options.once):
                continue
            env = dict(os.environ, RAYON_NUM_THREADS=str(threads), OMP_NUM_THREADS=str(threads))
            command = [sys.executable, __file__, peer, question, path, str(threads), str(options.sample), answer]
            try:
                made = subprocess.run(command, capture_output=True, text=True, env=env, timeout=limit)
            except subprocess.TimeoutExpired:
                seen.append(math.inf)
                keep({"who": peer, "cpu": limit - 30, "wall": limit - 30, "ended": True})
                continue
            if made.returncode == 0:
                one = json.loads(made.stdout.split("\n")[-2])
                seen.append(one["wall"])
                if peer == "igraph" and scores and not options.sample:
                    with open(answer) as file:
                        one["difference"] = difference(question, scores, json.load(file))
                keep({"who": peer, **one})
            elif made.returncode != 2:  # 2: the peer cannot be asked this
                print(f"{name}, {question}, {peer}: {(made.stderr.strip().splitlines() or ['failed'])[-1]}", file=sys.stderr)


def medians(path):
    """Of all single times: seconds by graph, question, threads and program; and whether a call was ended."""
    times, ended = {}, set()
    with open(path) as file:
        for row in map(json.loads, file):
            key = row["graph"], row["question"], row["threads"], row["who"]
            times.setdefault(key, []).append(row["cpu" if row["threads"] == 1 else "wall"])
            if row.get("ended"):
                ended.add(key)
    return {key: statistics.median(t) for key, t in times.items()}, ended


def figures(path, machine):
    """Lines for figures.tsv, of what was not ended."""
    median, ended = medians(path)
    commit = subprocess.run(["git", "-C", graphs.TOP, "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    for (graph, question, threads, who), seconds in median.items():
        if (graph, question, threads, who) not in ended:
            call = f"GRAPH.csv {' '.join(QUESTIONS[question] or ['--ignore-weight'])} --threads {threads} -o FILE" if who == "bcstage" else f"{question}, its call"
            name = graph.removeprefix("generate:").split(".")[0]
            unit = "s CPU" if threads == 1 else "s"
            yield "\t".join([time.strftime("%Y-%m-%d"), commit, machine, name, question, f"{NAMES[who]} {call}", f"{seconds:.4g}", unit, "DATE-peers.jsonl.xz"]) + "\n"


def geometric(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def tables(path):
    median, ended = medians(path)
    peers = [peer for peer in PEERS if any(key[3] == peer for key in median)]
    for threads in sorted({key[2] for key in median}):
        asked = [q for q in QUESTIONS if any(key[1:3] == (q, threads) for key in median)]
        yield f"\n{threads} thread{'s' * (threads > 1)}: {'processor' if threads == 1 else 'wall'} seconds of {', '.join(peers)} over those of bcstage's process\n\n"
        yield "| graph | bcstage, s: " + asked[0] + " | " + " | ".join(asked) + " |\n|---|--:|" + "---|" * len(asked) + "\n"
        every = {}
        for graph in dict.fromkeys(key[0] for key in median if key[2] == threads):
            first, cells = median.get((graph, asked[0], threads, "bcstage")), []
            for question in asked:
                ours, parts = median.get((graph, question, threads, "bcstage")), []
                for peer in peers:
                    theirs = median.get((graph, question, threads, peer))
                    if not ours or not theirs:
                        parts.append("–")
                        continue
                    every.setdefault((question, peer), []).append(theirs / ours)
                    text = ">" * ((graph, question, threads, peer) in ended) + (f"{theirs / ours:.2g}" if theirs < 10 * ours else f"{theirs / ours:.0f}")
                    parts.append(f"**{text}**" if peer == "igraph" and theirs >= 0.2 and theirs < 8 * ours else text)
                cells.append(" / ".join(parts))
            yield f"| {graph.removeprefix('generate:').removesuffix('.gz')} | {first or 0:.3f} | " + " | ".join(cells) + " |\n"
        for (question, peer), ratios in every.items():
            if len(ratios) > 2:
                yield f"\n{question}, {peer}: geometric mean {geometric(ratios):.1f}, least {min(ratios):.1f}, {len(ratios)} graphs.\n"


def main(arguments):
    listed = lambda text: text.split(",")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bcstage", required=True, type=os.path.realpath)
    parser.add_argument("--graphs", default="../shared/graphs")
    parser.add_argument("--output", required=True)
    parser.add_argument("--threads", default="1,2", type=listed)
    parser.add_argument("--runs", default=5, type=int)
    parser.add_argument("--questions", default=list(QUESTIONS), type=listed)
    parser.add_argument("--names", default=GRAPHS, type=listed)
    parser.add_argument("--peers", default=PEERS[:3], type=listed)
    parser.add_argument("--once", default=60, type=float, help="seconds")
    parser.add_argument("--cap", default=400, type=float, help="times bcstage's process")
    parser.add_argument("--machine", default=graphs.machine(), help="its name in figures.tsv")
    parser.add_argument("--sample", default=0, type=int, help="sources of igraph and NetworKit; 0: all")
    options = parser.parse_args(arguments)
    for peer in [p for p in options.peers if not importlib.util.find_spec(p)]:
        print(f"{peer} is not installed: left out", file=sys.stderr)
        options.peers.remove(peer)
    os.makedirs(options.output, exist_ok=True)
    raw = os.path.join(options.output, "peers.jsonl")
    with open(raw, "a") as log:
        for name in options.names:
            with tempfile.TemporaryDirectory() as work:
                path = graphs.source(name, options.graphs, options.bcstage, work)
                if not path:
                    print(name, "is missing: left out", file=sys.stderr)
                    continue
                _, edges, arcs = graphs.simple(path)
                both = {directed: graphs.table(os.path.join(work, f"{directed}.csv"), rows) for directed, rows in ((False, edges), (True, arcs))}
                for threads in map(int, options.threads):
                    for question in options.questions:
                        said = {"graph": name, "question": question, "threads": threads}
                        keep = lambda row: print(json.dumps({**said, **row}), file=log, flush=True)
                        measure(options, name, question, threads, both[question.startswith("directed")], work, keep)
                print(name, "measured", file=sys.stderr)
    with open(os.path.join(options.output, "peers.md"), "w") as file:
        file.write(f"{time.strftime('%Y-%m-%d')}, {graphs.machine()}; `measure peers {' '.join(arguments)}`\n")
        file.writelines(tables(raw))
    with open(os.path.join(options.output, "figures.tsv"), "w") as file:
        file.writelines(figures(raw, options.machine))


if __name__ == "__main__":  # a peer's call
    call(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
