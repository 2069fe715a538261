"""Columns of distances of real graphs beside igraph's: the largest relative difference, over vertices drawn.

    measure columns BCSTAGE FOLDER [NAME ...]

A line for each graph and question: hops, arcs, within 3, and lengths from 1 to 100. igraph answers for 300 vertices.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile

import graphs

QUESTIONS = {"hops": [], "directed": ["--directed"], "cutoff 3": ["--cutoff", "3"], "lengths": ["--weight", "length"], "directed lengths": ["--directed", "--weight", "length"]}


def compare(bcstage, path, n, edges, lengths, question, work):
    """The largest difference of closeness_classic, harmonic and eccentricity, for all modes."""
    import igraph
    directed = question.startswith("directed")
    graph = igraph.Graph(n=n, edges=edges, directed=directed)
    modes = {"_in": "in", "_out": "out"} if directed else {"": "all"}
    columns = [m + mode for m in ("closeness_classic", "harmonic", "eccentricity") for mode in modes]
    out = os.path.join(work, "out.csv")
    flags = QUESTIONS[question] if "lengths" in question else [*QUESTIONS[question], "--ignore-weight"]
    subprocess.run([bcstage, path, *flags, "--engine", "cpu", "--threads", "2", "-q", "--columns", ",".join(columns), "-o", out], check=True)
    with open(out) as file:
        rows = {int(row[0]): [float(x) for x in row[1:]] for row in list(csv.reader(file))[1:]}
    some, worst = sorted({i * n // 300 for i in range(300)}), 0.0
    options = {"weights": lengths if "lengths" in question else None}
    for j, mode in enumerate(modes.values()):
        limit = {"cutoff": 3} if question == "cutoff 3" else {}
        want = [[0.0 if math.isnan(x) else x for x in graph.closeness(some, mode=mode, **limit, **options)],
                [x * (n - 1) for x in graph.harmonic_centrality(some, mode=mode, **limit, **options)]]
        if not limit:
            want.append(graph.eccentricity(some, mode=mode, **options))
        for i, column in enumerate(want):
            got = (rows[v][i * len(modes) + j] for v in some)
            worst = max([worst, *(abs(a - b) / max(abs(b), 1e-300) for a, b in zip(got, column) if a or b)])
    return worst


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    bcstage, folder, *names = arguments
    print("graph", "n", "question", "difference", sep="\t")
    for file in sorted(os.listdir(folder)):
        if not file.endswith(".gz") or names and file.split(".")[0] not in names:
            continue
        with tempfile.TemporaryDirectory() as work:
            n, edges, arcs = graphs.simple(os.path.join(folder, file))
            for directed, ends in ((False, edges), (True, arcs)):
                path = graphs.table(os.path.join(work, "edges.csv"), ends)
                with open(path) as rows:
                    lengths = [int(row[2]) for row in list(csv.reader(rows))[1:]]
                for question in (q for q in QUESTIONS if q.startswith("directed") == directed and ("lengths" not in q or len(ends) < 250_000)):
                    worst = compare(bcstage, path, n, ends, lengths, question, work)
                    print(file.split(".")[0], n, question, f"{worst:.1e}", sep="\t", flush=True)
