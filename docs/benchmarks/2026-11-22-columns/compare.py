"""Distance columns of real graphs against igraph and NetworkX.

    compare.py BCSTAGE FOLDER [NAME ...] > compare.tsv

FOLDER has the graphs of docs/benchmarks/README.md. A line for each graph and question:
the largest relative difference to each peer over the vertices that were compared. igraph answers
for up to 300 vertices drawn with seed 1, NetworkX for 10 of them: it takes seconds for each.
"""

import gzip
import math
import pathlib
import subprocess
import sys
import tempfile

import igraph
import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

DIRECTED = {"wiki-Vote", "wikispeedia_links", "p2p-Gnutella31", "soc-Epinions1", "soc-Slashdot0902", "web-NotreDame", "rome99"}


def edges(path):
    """Ends and, of a .gr, lengths."""
    name = path.name.removesuffix(".gz")
    with gzip.open(path, "rt") as file:
        lines = [line for line in file if line[:1] not in "#%c"] if not name.endswith((".csv", ".tsv")) else file.readlines()
    if name.endswith(".gr"):
        rows = [line.split()[1:] for line in lines if line.startswith("a")]
    elif name.endswith(".graph"):
        rows = [(str(i), v) for i, line in enumerate(lines[1:], 1) for v in line.split() if int(v) > i]
    else:
        rows = [line.replace(",", "\t").split("\t" if "\t" in line or "," in line else None) for line in lines if line.strip() and line[0] != "#"]
    rows = [[cell.strip() for cell in row] for row in rows]
    if rows[0][0].lstrip("-").isdigit():
        columns = list(zip(*rows))
        ids = np.array([columns[0], columns[1]], dtype=np.int64)
        lengths = np.array(columns[2], dtype=np.int64) if name.endswith(".gr") else None
    else:
        if not any(cell.lstrip("-").isdigit() for cell in rows[0]) and len(rows) > 1 and rows[1][0].isdigit():
            rows = rows[1:]  # a header
            return np.array([[r[0] for r in rows], [r[1] for r in rows]], dtype=np.int64), None
        number = {}
        ids = np.array([[number.setdefault(r[k], len(number)) for r in rows] for k in (0, 1)], dtype=np.int64)
        lengths = None
    return ids, lengths


def difference(got, want):
    return max((abs(g - w) / max(abs(w), 1e-300) if w or g else 0.0 for g, w in zip(got, want)), default=0.0)


def compare(command, name, ids, lengths, directed, cutoff):
    numbers, ends = np.unique(ids, return_inverse=True)
    ends = ends.reshape(ids.shape)
    n = len(numbers)
    pairs = {}
    for i, (u, v) in enumerate(ends.T.tolist()):
        if u == v:
            continue
        key = (u, v) if directed else (min(u, v), max(u, v))
        length = 1 if lengths is None else int(lengths[i])
        pairs[key] = min(length, pairs.get(key, length))
    graph = igraph.Graph(n=n, edges=list(pairs), directed=directed)
    weights = None if lengths is None else list(pairs.values())
    base = ["closeness_classic", "harmonic", "eccentricity", "closeness"]
    ways = [("_in", "in"), ("_out", "out")] if directed else [("", "all")]
    with tempfile.TemporaryDirectory() as folder:
        table = {"src": ids[0], "dst": ids[1]} | ({} if lengths is None else {"km": lengths})
        pq.write_table(pa.table(table), f"{folder}/in.parquet")
        call = [command, f"{folder}/in.parquet", "--engine", "cpu", "--threads", "2", "--columns", ",".join(m + w for m in base for w, _ in ways), "-o", f"{folder}/out.parquet"]
        call += ["--directed"] * directed + (["--weight", "km"] if lengths is not None else []) + (["--cutoff", str(cutoff)] if cutoff else [])
        subprocess.run(call, check=True, stderr=subprocess.DEVNULL)
        out = pq.read_table(f"{folder}/out.parquet")
    place = {int(v): i for i, v in enumerate(out.column(0).to_pylist())}
    columns = [out.column(1 + i).to_numpy() for i in range(out.num_columns - 1)]
    rng = np.random.default_rng(1)
    sample = sorted(rng.choice(n, min(n, 300), replace=False).tolist())
    rows = [place[int(numbers[v])] for v in sample]
    got = {(m, w): columns[i * len(ways) + j][rows] for i, m in enumerate(base) for j, (w, _) in enumerate(ways)}
    worst = 0.0
    for w, mode in ways:
        options = {"mode": mode, "weights": weights, "cutoff": cutoff or None}
        close = [0.0 if math.isnan(x) else x for x in graph.closeness(sample, **options)]
        harmonic = [x * (n - 1) for x in graph.harmonic_centrality(sample, **options)]
        worst = max(worst, difference(got["closeness_classic", w], close), difference(got["harmonic", w], harmonic))
        if not cutoff:
            worst = max(worst, difference(got["eccentricity", w], graph.eccentricity(sample, mode=mode, weights=weights)))
    by_networkx = "-"
    if not cutoff:
        g = nx.DiGraph() if directed else nx.Graph()
        g.add_nodes_from(range(n))
        g.add_weighted_edges_from((u, v, x) for (u, v), x in pairs.items())
        few = sample[:10]
        want = [nx.closeness_centrality(g, u, distance=None if lengths is None else "weight") for u in few]
        by_networkx = f"{difference(got['closeness', ways[0][0]][:len(few)], want):.1e}"
    what = ("directed " * directed + "lengths " * (lengths is not None) + (f"cutoff {cutoff}" if cutoff else "")).strip() or "plain"
    print(name, n, len(pairs), what, len(sample), f"{worst:.1e}", by_networkx, sep="\t", flush=True)


def main():
    command, folder, *some = sys.argv[1:]
    print("graph", "n", "m", "question", "vertices", "igraph", "networkx", sep="\t")
    rng = np.random.default_rng(2)
    for path in sorted(pathlib.Path(folder).glob("*.gz"), key=lambda p: p.stat().st_size):
        name = path.name.split(".")[0]
        if some and name not in some:
            continue
        ids, lengths = edges(path)
        compare(command, name, ids, None, False, 0)
        if name in DIRECTED:
            compare(command, name, ids, None, True, 0)
        compare(command, name, ids, None, False, 3)
        if ids.shape[1] <= 250_000:
            drawn = rng.integers(1, 101, ids.shape[1]) if lengths is None else lengths
            compare(command, name, ids, drawn, name in DIRECTED, 0)


if __name__ == "__main__":
    main()
