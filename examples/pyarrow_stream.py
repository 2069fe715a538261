"""Betweenness of Arrow record batches, streamed through bcstage and back.

    python examples/pyarrow_stream.py testdata/go-imports.csv

Needs pyarrow, and bcstage on the PATH.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet


def betweenness(edges: pa.RecordBatchReader, *flags: str) -> pa.Table:
    """Scores of edges that never have to be in Python's memory all at once.

    bcstage reads every edge before it writes the first score, so writing first
    and reading then cannot block. Its messages go to this process's stderr.
    """
    with subprocess.Popen(["bcstage", *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as stage:
        try:
            with pa.ipc.new_stream(stage.stdin, edges.schema) as stream:
                for batch in edges:
                    stream.write_batch(batch)
            stage.stdin.close()
            scores = pa.ipc.open_stream(stage.stdout).read_all()
        except (BrokenPipeError, pa.ArrowInvalid):  # it has ended early
            raise subprocess.CalledProcessError(stage.wait(), stage.args) from None
    if stage.returncode:
        raise subprocess.CalledProcessError(stage.returncode, stage.args)
    return scores


def with_edges(edges: pa.RecordBatchReader, *flags: str) -> tuple[pa.Table, pa.Table]:
    """Scores of vertices, and of edges: columns src, dst and edge_betweenness_centrality, from the same searches."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.parquet"
        return betweenness(edges, "--edge-scores", str(path), *flags), pyarrow.parquet.read_table(path)


if __name__ == "__main__":
    scores = betweenness(pyarrow.csv.open_csv(sys.argv[1]))
    print(scores.sort_by([("betweenness_centrality", "descending")]).slice(0, 5).to_pydict())
    print(scores.schema.metadata[b"bcstage:normalisation"].decode())

    # Two measures from the same searches, and the scores of edges beside them.
    measures, of_edges = with_edges(pyarrow.csv.open_csv(sys.argv[1]), "--columns", "betweenness,closeness")
    print(measures.sort_by([("closeness_centrality", "descending")]).slice(0, 5).to_pydict())
    print(of_edges.sort_by([("edge_betweenness_centrality", "descending")]).slice(0, 5).to_pydict())
