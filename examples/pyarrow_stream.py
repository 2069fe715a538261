"""Betweenness of Arrow record batches, streamed through bcstage and back.

    python examples/pyarrow_stream.py testdata/go-imports.csv

Needs pyarrow, and bcstage on the PATH.
"""
import subprocess
import sys

import pyarrow as pa
import pyarrow.csv


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


if __name__ == "__main__":
    scores = betweenness(pyarrow.csv.open_csv(sys.argv[1]))
    print(scores.sort_by([("betweenness_centrality", "descending")]).slice(0, 5).to_pydict())
    print(scores.schema.metadata[b"bcstage:normalisation"].decode())
