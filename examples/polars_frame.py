"""Betweenness of a polars frame: through a pipe, and from Parquet to Parquet.

    python examples/polars_frame.py testdata/go-imports.csv

Needs polars, and bcstage on the PATH.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl


def betweenness(edges: pl.DataFrame, *flags: str) -> pl.DataFrame:
    """Scores of a frame in memory, through a pipe of Arrow IPC streams."""
    stream = edges.write_ipc_stream(None).getvalue()
    stage = subprocess.run(["bcstage", *flags], input=stream, stdout=subprocess.PIPE, check=True)
    return pl.read_ipc_stream(stage.stdout)


def betweenness_lazy(edges: pl.LazyFrame, folder: Path, *flags: str) -> pl.LazyFrame:
    """Scores of a frame that need not fit into memory, through files in a folder."""
    edges.sink_parquet(folder / "edges.parquet")
    subprocess.run(["bcstage", folder / "edges.parquet", "-o", folder / "scores.parquet", *flags], check=True)
    return pl.scan_parquet(folder / "scores.parquet")


def edge_betweenness(edges: pl.DataFrame, *flags: str) -> pl.DataFrame:
    """Scores of a frame's edges: columns src, dst and edge_betweenness_centrality."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.parquet"
        betweenness(edges, "--edge-scores", str(path), *flags)
        return pl.read_parquet(path)


if __name__ == "__main__":
    print(betweenness(pl.read_csv(sys.argv[1])).top_k(5, by="betweenness_centrality"))
    with tempfile.TemporaryDirectory() as folder:
        edges = pl.scan_csv(sys.argv[1]).filter(pl.col("to") != "unsafe")
        print(betweenness_lazy(edges, Path(folder)).top_k(5, by="betweenness_centrality").collect())

    # Two measures from the same searches; and every edge by how much passes over it.
    frame = pl.read_csv(sys.argv[1])
    print(betweenness(frame, "--columns", "betweenness,closeness").top_k(5, by="closeness_centrality"))
    print(edge_betweenness(frame).top_k(5, by="edge_betweenness_centrality"))
