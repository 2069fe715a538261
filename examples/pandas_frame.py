"""Betweenness of a pandas frame, through a pipe: Parquet in, an Arrow stream back.

    python examples/pandas_frame.py testdata/go-imports.csv

Needs pandas with pyarrow, and bcstage on the PATH.
"""
import subprocess
import sys

import pandas as pd
import pyarrow.ipc


def betweenness(edges: pd.DataFrame, *flags: str) -> pd.DataFrame:
    """Scores of a frame, indexed by vertex."""
    stage = subprocess.run(["bcstage", "--format", "arrow", *flags],
                           input=edges.to_parquet(index=False), stdout=subprocess.PIPE, check=True)
    return pyarrow.ipc.open_stream(stage.stdout).read_pandas().set_index("vertex")


if __name__ == "__main__":
    print(betweenness(pd.read_csv(sys.argv[1])).nlargest(5, "betweenness_centrality"))
