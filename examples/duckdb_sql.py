"""Betweenness of edges that SQL selects, in DuckDB, joined back in SQL.

    python examples/duckdb_sql.py testdata/go-imports.csv

Needs bcstage and duckdb.
"""
import sys

import duckdb

import bcstage

if __name__ == "__main__":
    db = duckdb.connect()
    db.execute('CREATE TABLE imports AS SELECT "from" AS src, "to" AS dst FROM read_csv(?)', [sys.argv[1]])

    # Rows are streamed to the command while DuckDB finds them. SQL names a result by its variable.
    scores = bcstage.betweenness(db.sql("FROM imports"))
    db.sql("FROM scores ORDER BY betweenness_centrality DESC LIMIT 5").show()

    scores = bcstage.betweenness(db.sql("FROM imports WHERE dst <> 'unsafe'"))
    db.sql("""SELECT vertex, any_value(betweenness_centrality) AS score, count(*) AS importers
        FROM scores JOIN imports ON vertex = dst GROUP BY ALL ORDER BY score DESC LIMIT 5""").show()
