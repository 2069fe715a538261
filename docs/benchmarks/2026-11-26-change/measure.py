"""What --since costs beside a run of its own, in processor time: measure.py BCSTAGE FOLDER GRAPH...

For each graph, files of FOLDER: changes of 20 new leaves, 1 and 10 edges (removed, or added so that they close a triangle, in
turn), drawn with seeds 1 to 3. Each change is run from today's edges whole, then with --since; a row has the medians of
user and system seconds, the way that was taken by each draw, and the largest difference of a score, over the highest score.
"""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile

import pyarrow.feather
import pyarrow.parquet

command, folder, graphs = sys.argv[1], sys.argv[2], sys.argv[3:]


def seconds(*args):
    """Processor seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([command, *args, "-q"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def scores(path):
    table = pyarrow.parquet.read_table(path)
    return dict(zip(table["vertex"].to_pylist(), table["betweenness_centrality"].to_pylist()))


def edges_of(path):
    """The edges of a graph as the command reads them: those that have a path, named by rows of --edge-scores of length 1."""
    out = os.path.join(work, "edges.arrow")
    subprocess.run([command, path, "-q", "--cutoff", "1", "--edge-scores", out, "-o", os.path.join(work, "vertices.arrow")], check=True)
    table = pyarrow.feather.read_table(out)
    return list(zip(table["src"].to_pylist(), table["dst"].to_pylist()))


def change(kind, edges, draw):
    near = {}
    for u, v in edges:
        near.setdefault(u, []).append(v)
        near.setdefault(v, []).append(u)
    is_, vertices, fresh = {frozenset(e) for e in edges}, list(near), max(near) + 1
    rows = []
    if kind == "20 leaves":
        return [(draw.choice(vertices), fresh + i, "+") for i in range(20)]
    while len(rows) < int(kind.split()[0]):
        if draw.random() < .5:
            u, v = draw.choice(edges)
            op = "-"
        else:
            u = draw.choice(vertices)
            v = draw.choice(near[draw.choice(near[u])])
            op = "+"
        if u != v and (frozenset((u, v)) in is_) == (op == "-") and not any({u, v} == {a, b} for a, b, _ in rows):
            rows.append((u, v, op))
    return rows


for graph in graphs:
    with tempfile.TemporaryDirectory() as work:
        edges = edges_of(os.path.join(folder, graph))
        y, changes, today, whole, new = (os.path.join(work, n) for n in ("y.csv", "changes.csv", "today.csv", "whole.parquet", "new.parquet"))
        prepared, before = os.path.join(work, "y.bcg"), os.path.join(work, "y.parquet")

        def write(path, header, rows):
            with open(path, "w") as file:
                file.write(header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))

        write(y, "src,dst", edges)
        subprocess.run([command, "prepare", y, "-q", "-o", prepared], check=True)
        subprocess.run([command, y, "-q", "--engine", "cpu", "-o", before], check=True)
        for kind in ("20 leaves", "1 edge", "10 edges"):
            anew, since, ways, difference = [], [], [], 0
            for seed in range(1, 4):
                rows = change(kind, edges, random.Random(seed))
                gone = {frozenset(row[:2]) for row in rows if row[2] == "-"}
                write(changes, "src,dst,op", rows)
                write(today, "src,dst", [e for e in edges if frozenset(e) not in gone] + [row[:2] for row in rows if row[2] == "+"])
                anew.append(seconds(today, "--engine", "cpu", "-o", whole))
                stats = os.path.join(work, "stats.json")
                since.append(seconds(today, "--engine", "cpu", "--since", prepared + "," + before, "-o", new, "--stats", stats))
                with open(stats) as file:
                    ways.append(json.load(file)["since"]["way"])
                a, b = scores(whole), scores(new)
                assert a.keys() == b.keys()
                difference = max(difference, max(abs(a[v] - b[v]) for v in a) / max(a.values()))
            cost = statistics.median(since) / statistics.median(anew)
            print(graph, len(edges), kind, f"{statistics.median(anew):.2f}", f"{statistics.median(since):.2f}", f"{cost:.3f}",
                  f"{min(s / a for s, a in zip(since, anew)):.3f}-{max(s / a for s, a in zip(since, anew)):.3f}", " / ".join(ways), f"{difference:.1e}", sep="\t", flush=True)
