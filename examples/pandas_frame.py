"""Betweenness of a pandas frame.

    python examples/pandas_frame.py testdata/go-imports.csv

Needs bcstage and pandas.
"""
import sys

import pandas as pd

import bcstage

if __name__ == "__main__":
    edges = pd.read_csv(sys.argv[1])
    scores = bcstage.betweenness(edges).to_pandas().set_index("vertex")
    scores["importers"] = edges["to"].value_counts()  # joined by the index
    print(scores.nlargest(5, "betweenness_centrality"))
