"""Betweenness of a stream of Arrow record batches, without a table in memory.

    python examples/pyarrow_stream.py testdata/go-imports.csv

Needs bcstage and pyarrow.
"""
import sys

import pyarrow.csv

import bcstage

if __name__ == "__main__":
    scores = bcstage.betweenness(pyarrow.csv.open_csv(sys.argv[1])).to_arrow()
    print(scores.sort_by([("betweenness_centrality", "descending")]).slice(0, 5).to_pydict())
    print(scores.schema.metadata[b"bcstage:normalisation"].decode())

    # Two measures from the same searches.
    measures = bcstage.centralities(pyarrow.csv.open_csv(sys.argv[1]), columns=["betweenness", "closeness"]).to_arrow()
    print(measures.sort_by([("closeness_centrality", "descending")]).slice(0, 5).to_pydict())
