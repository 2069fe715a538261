"""Betweenness of a polars frame: scores as a frame, or as a lazy one in a query.

    python examples/polars_frame.py testdata/go-imports.csv

Needs bcstage and polars.
"""
import sys

import polars as pl

import bcstage

if __name__ == "__main__":
    edges = pl.read_csv(sys.argv[1])
    scores = bcstage.betweenness(edges).to_polars()
    print(scores.top_k(5, by="betweenness_centrality"))

    # Two measures from the same searches, and the betweenness of every edge.
    measures = bcstage.centralities(edges, columns=["betweenness", "closeness"]).to_polars()
    print(measures.top_k(5, by="closeness_centrality"))
    print(bcstage.edge_betweenness(edges).to_polars().top_k(5, by="edge_betweenness_centrality"))

    # A lazy frame of edges in, one of scores out: the run begins when the query is collected.
    lazy = pl.scan_csv(sys.argv[1]).filter(pl.col("to") != "unsafe")
    importers = lazy.group_by(vertex="to").len("importers")
    print(bcstage.scan(lazy).join(importers, on="vertex").top_k(5, by="betweenness_centrality").collect())
