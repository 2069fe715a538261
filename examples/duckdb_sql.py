"""Betweenness of edges that SQL selects, in DuckDB: piped, and as Parquet files.

    python examples/duckdb_sql.py testdata/go-imports.csv

Needs duckdb, pyarrow, and bcstage on the PATH.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pyarrow as pa

from pyarrow_stream import betweenness


def betweenness_of(db: duckdb.DuckDBPyConnection, query: str, *flags: str) -> pa.Table:
    """Scores of the edges that a query selects, piped as they are found."""
    return betweenness(db.sql(query).to_arrow_reader(), *flags)


def betweenness_to(db: duckdb.DuckDBPyConnection, query: str, scores: Path, *flags: str) -> None:
    """The same as files: a Parquet file of edges in, one of scores out."""
    edges = scores.with_suffix(".edges.parquet")
    db.execute(f"COPY ({query}) TO '{edges}' (FORMAT parquet)")
    subprocess.run(["bcstage", edges, "-o", scores, *flags], check=True)


if __name__ == "__main__":
    db = duckdb.connect()
    db.execute('CREATE TABLE imports AS SELECT "from" AS src, "to" AS dst FROM read_csv(?)', [sys.argv[1]])

    # DuckDB finds an Arrow table by the name of its Python variable.
    scores = betweenness_of(db, "FROM imports")
    db.sql("FROM scores ORDER BY betweenness_centrality DESC LIMIT 5").show()

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.parquet"
        betweenness_to(db, "SELECT src, dst FROM imports WHERE dst <> 'unsafe'", path)
        db.sql(f"""SELECT vertex, betweenness_centrality, count(*) AS importers
            FROM '{path}' JOIN imports ON vertex = dst
            GROUP BY ALL ORDER BY betweenness_centrality DESC LIMIT 5""").show()
