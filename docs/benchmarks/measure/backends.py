"""Time betweenness_centrality of NetworkX and of the backends that pip has.

    measure backends --graphs ../shared/graphs --output DIR [--names a,b] [--runs 3]

Every call starts from a NetworkX graph and ends with its dict: what a backend
keeps of a graph is dropped before, so that conversion is in the time. Each has a
process of its own; backends take turns, so that a drifting machine hits all of
them, and scores are compared with bcstage's. The table quotes medians; CPU time,
which depends less on what else the machine does, is in the raw output.

NetworkX, and what else is --sampled, is asked for --sources nodes (k) where all would
take NetworkX more than --once seconds, and its time multiplied by n/k: marked "about". A backend's call that
takes more than --once seconds is not repeated, one of more than --most is ended:
its time is a lower bound, marked ">". A backend that fails is said to. One that
needs another NetworkX can have a Python of its own: --python parallel=PATH.

Adds to DIR/backends.jsonl (every single time), and makes DIR/backends.md (the table)
of all that is there.
"""
import argparse
import json
import os
import pickle
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import graphs

NAMES = "facebook_combined.txt.gz,wiki-Vote.txt.gz,ca-CondMat.txt.gz,barabasi-albert-4000,soc-Epinions1.txt.gz"
BACKENDS = {"bcstage": "bcstage", "networkx": "networkx", "parallel": "nx-parallel", "rustworkx": "nx-rustworkx",
            "franken_networkx": "franken-networkx", "rustnx": "rustnx"}


def graph_of(name, folder):
    import networkx as nx
    if name == "barabasi-albert-4000":
        return nx.barabasi_albert_graph(4000, 5, seed=1)
    n, edges, _ = graphs.simple(os.path.join(folder, name))
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    return graph


def spent():
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def once(path, backend, k, answer):
    """In a process of its own: one call; its seconds go to stdout."""
    import networkx as nx
    with open(path, "rb") as file:
        graph = pickle.load(file)
    if backend == "parallel":
        nx.config.backends.parallel.active, nx.config.backends.parallel.n_jobs = True, len(os.sched_getaffinity(0))
    nx.betweenness_centrality(nx.path_graph(5), backend=backend)  # what a backend loads, it loads here
    graph.__networkx_cache__.clear()
    cpu, start = spent(), time.perf_counter()
    scores = nx.betweenness_centrality(graph, backend=backend, **({"k": k, "seed": 1} if k else {}))
    seconds, cpu = time.perf_counter() - start, spent() - cpu
    if backend == "parallel":
        from joblib.externals.loky import get_reusable_executor
        before = spent()  # workers are counted when they have ended
        get_reusable_executor().shutdown(wait=True)
        cpu += spent() - before
    with open(answer, "wb") as file:
        pickle.dump([scores[node] for node in graph], file)
    print(json.dumps({"seconds": seconds, "cpu_seconds": cpu}))


def difference(got, want):
    return max(abs(g - w) / max(1e-12, w, max(want) * 1e-6) for g, w in zip(got, want))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--names", default=NAMES)
    parser.add_argument("--backends", default=",".join(BACKENDS))
    parser.add_argument("--python", action="append", default=[], metavar="BACKEND=PATH")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--once", type=float, default=30)
    parser.add_argument("--most", type=float, default=600)
    parser.add_argument("--sampled", default="networkx", help="backends that are asked for some nodes of large graphs")
    parser.add_argument("--sources", type=int, default=100, help="how many")
    options = parser.parse_args(arguments)
    options.arguments = arguments
    os.makedirs(options.output, exist_ok=True)
    pythons = dict(item.split("=", 1) for item in options.python)
    path = os.path.join(options.output, "backends.jsonl")
    with open(path, "a") as raw:
        measure(options, pythons, lambda record: print(json.dumps(record), file=raw, flush=True))
    with open(path) as raw:
        table([json.loads(line) for line in raw], options)


def measure(options, pythons, keep):
    for name in options.names.split(","):
        graph = graph_of(name, options.graphs)
        n, m = len(graph), graph.number_of_edges()
        times, answers = {}, {}
        with tempfile.TemporaryDirectory() as work:
            path = os.path.join(work, "graph")
            with open(path, "wb") as file:
                pickle.dump(graph, file)
            for run in range(options.runs):
                for backend in options.backends.split(","):
                    last = times[backend][-1]["seconds"] if run else 0
                    if last is None or last > options.once:
                        continue
                    k = options.sources if backend in options.sampled.split(",") and n * m * 5e-7 > options.once else None
                    answer = os.path.join(work, "answer")
                    record = {"graph": name, "n": n, "m": m, "backend": backend, "run": run, "k": k, "ended": False}
                    try:
                        call = subprocess.run([pythons.get(backend, sys.executable), __file__, path, backend, str(k or 0), answer],
                                              capture_output=True, text=True, timeout=options.most)
                        if call.returncode:
                            record |= {"seconds": None, "error": call.stderr.strip().splitlines()[-1]}
                        else:
                            record |= json.loads(call.stdout.splitlines()[-1])
                        if k:
                            record["seconds"], record["cpu_seconds"] = record["seconds"] * n / k, record["cpu_seconds"] * n / k
                        elif not call.returncode:
                            with open(answer, "rb") as file:
                                answers[backend] = pickle.load(file)
                            record["difference"] = difference(answers[backend], answers["bcstage"])
                    except subprocess.TimeoutExpired:
                        record |= {"seconds": options.most, "cpu_seconds": None, "ended": True}
                    times.setdefault(backend, []).append(record)
                    keep(record)


def table(records, options):
    backends = [backend for backend in BACKENDS if any(r["backend"] == backend for r in records)]
    lines = ["| graph | n | m | " + " | ".join(BACKENDS[b] for b in backends) + " |", "|---|--:|--:|" + "--:|" * len(backends)]
    for name in dict.fromkeys(r["graph"] for r in records):
        times = {backend: [r for r in records if (r["graph"], r["backend"]) == (name, backend)] for backend in backends}
        n, m = times["bcstage"][0]["n"], times["bcstage"][0]["m"]
        own = statistics.median(r["seconds"] for r in times["bcstage"])
        cells = []
        for backend in backends:
            if not times[backend] or times[backend][0]["seconds"] is None:
                cells.append("fails" if times[backend] else "")
                continue
            first = times[backend][0]
            seconds = statistics.median(r["seconds"] for r in times[backend])
            mark = "> " if first["ended"] else "about " if first["k"] else ""
            cells.append(f"{mark}{seconds:.3g} s" + (f" ({seconds / own:.3g}×)" if backend != "bcstage" else ""))
        lines.append(f"| {name.split('.')[0]} | {n:,} | {m:,} | ".replace(",", " ") + " | ".join(cells) + " |")
    import networkx
    text = "\n".join([f"{time.strftime('%Y-%m-%d')}, {graphs.machine()}; Python {platform.python_version()}, NetworkX {networkx.__version__}; "
                      f"`measure backends {' '.join(options.arguments)}`", "", *lines, ""])
    with open(os.path.join(options.output, "backends.md"), "w") as file:
        file.write(text)
    print(text)


if __name__ == "__main__":  # a backend's call
    once(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
