"""Betweenness of a pandas frame, as Parquet through a pipe.

    python examples/pandas_frame.py testdata/go-imports.csv

Needs pandas with pyarrow, and bcstage on the PATH.
"""
import io
import subprocess
import sys

import pandas as pd


def betweenness(edges: pd.DataFrame, *flags: str) -> pd.DataFrame:
    """Scores of a frame, indexed by vertex."""
    stage = subprocess.run(["bcstage", "--format", "parquet", *flags],
                           input=edges.to_parquet(index=False), stdout=subprocess.PIPE, check=True)
    return pd.read_parquet(io.BytesIO(stage.stdout)).set_index("vertex")


if __name__ == "__main__":
    print(betweenness(pd.read_csv(sys.argv[1])).nlargest(5, "betweenness_centrality"))
