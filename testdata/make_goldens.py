#!/usr/bin/env python3
"""Makes every *.golden.csv here from the *.csv beside it with NetworkX
(betweenness_centrality, normalized=False): vertices in first-seen order,
scores with all digits. Run by hand; tests read the goldens.

    pip install networkx && python3 testdata/make_goldens.py
"""
import csv
import pathlib

import networkx

folder = pathlib.Path(__file__).parent
for path in sorted(folder.glob("*.csv")):
    if path.name.endswith(".golden.csv"):
        continue
    graph = networkx.Graph()
    with path.open() as file:
        rows = csv.reader(file)
        next(rows)
        for u, v in rows:
            graph.add_node(u)
            graph.add_node(v)
            if u != v:
                graph.add_edge(u, v)
    scores = networkx.betweenness_centrality(graph, normalized=False)
    with path.with_suffix(".golden.csv").open("w") as file:
        file.write("vertex,betweenness_centrality\n")
        for vertex, score in scores.items():
            file.write(f"{vertex},{score!r}\n")
