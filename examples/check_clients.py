"""Compares results of the clients of this folder with igraph and NetworkX.

    python check_clients.py EDGES CASE...

clients_test.go runs it. Each case makes its edges with the real
writer of a library, in one of its types.
"""
import sys
import tempfile
from pathlib import Path

import duckdb
import igraph
import networkx
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv

import bcstage

SQUARE = [(1, 2), (2, 3), (3, 4), (4, 1), (4, 5), (5, 4), (2, 2)]
OFTEN = 50  # repeats of the edges, a batch each


def check(vertices, scores, pairs):
    """Compare scores of vertices with igraph, and with NetworkX on small graphs."""
    names = list(dict.fromkeys(end for pair in pairs for end in pair))
    number = {name: i for i, name in enumerate(names)}
    graph = igraph.Graph(n=len(names), edges=[(number[u], number[v]) for u, v in pairs]).simplify()
    peers = [graph.betweenness(directed=False)]
    if len(names) < 100:
        graph = networkx.Graph((number[u], number[v]) for u, v in pairs if u != v)
        graph.add_nodes_from(range(len(names)))
        peers.append(networkx.betweenness_centrality(graph, normalized=False))
    got = dict(zip(vertices, scores, strict=True))
    assert len(got) == len(vertices) and list(got) == names, f"vertices {list(got)[:9]}, want {names[:9]}"
    for name in names:
        for peer in peers:
            want = peer[number[name]]
            assert abs(got[name] - want) <= 1e-9 * max(1, want), f"{name!r}: {got[name]}, want {want}"


def through_pyarrow(values, kind, pairs=SQUARE):
    """Edges whose vertex i is values[i], as columns of an Arrow type."""
    named = [(values[u], values[v]) for u, v in pairs]
    columns = [[pair[end] for pair in named] for end in (0, 1)]
    if isinstance(kind, pa.DictionaryType):
        columns = [pa.array(column, kind.value_type).dictionary_encode().cast(kind) for column in columns]
    else:
        columns = [pa.array(column, kind) for column in columns]
    batch = pa.record_batch(columns, names=["src", "dst"])
    reader = pa.RecordBatchReader.from_batches(batch.schema, [batch] * OFTEN)
    scores = bcstage.betweenness(reader)
    check(scores["vertex"].to_pylist(), scores["betweenness_centrality"].to_pylist(), named)
    return scores.schema.field("vertex").type


NAMES = [None, "añb", "", "c,\"d", "e" * 40, "日本"]
NUMBERS = [None, 7, 0, 100, 3, 5]


def pyarrow_ints(_):
    for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()):
        assert through_pyarrow(NUMBERS, kind) == kind, kind


def pyarrow_negative(_):
    for kind in pa.int8(), pa.int64():
        assert through_pyarrow([None, -1, -128, 0, 127, 5], kind) == kind
    assert through_pyarrow([None, -1, -2**63, 0, 2**63 - 1, 5], pa.int64()) == pa.int64()


def pyarrow_uint64(_):
    assert through_pyarrow([None, 2**63, 2**64 - 1, 0, 2**63 - 1, 5], pa.uint64()) == pa.uint64()


def pyarrow_strings(_):
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        got, want = through_pyarrow(NAMES, kind), pa.large_string() if kind == pa.string_view() else kind
        assert got == want, f"{kind} came back as {got}"


def pyarrow_dictionary(_):
    for kind in (pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.int8(), pa.large_string())):
        got = through_pyarrow(NAMES, kind)
        assert got in (kind, kind.value_type), f"{kind} came back as {got}"
    got = through_pyarrow(NUMBERS, pa.dictionary(pa.int16(), pa.int64()))
    assert got in (pa.int64(), pa.dictionary(pa.int16(), pa.int64())), got


def pyarrow_nulls(_):
    batch = pa.record_batch({"src": [1, None, 2, 3], "dst": [2, 4, 3, None]})
    reader = lambda: pa.RecordBatchReader.from_batches(batch.schema, [batch])
    refused(lambda: bcstage.betweenness(reader()))
    scores = bcstage.betweenness(reader(), nulls="drop")
    check(scores["vertex"].to_pylist(), scores["betweenness_centrality"].to_pylist(), [(1, 2), (2, 3)])


def refused(run):
    """The command refuses its input, and the client raises the error."""
    try:
        run()
    except bcstage.InputError:
        pass
    else:
        raise AssertionError("a null id was accepted")


def check_measures(measures, of_edges, pairs):
    """Compare tables of two measures, and of scores of edges, with NetworkX."""
    graph = networkx.Graph(pairs)
    assert list(measures) == ["vertex", "betweenness_centrality", "closeness_centrality"], list(measures)
    check(measures["vertex"], measures["betweenness_centrality"], pairs)
    alike(dict(zip(measures["vertex"], measures["closeness_centrality"], strict=True)), networkx.closeness_centrality(graph))
    assert list(of_edges) == ["src", "dst", "edge_betweenness_centrality"], list(of_edges)
    got = {frozenset(edge): score for *edge, score in zip(*of_edges.values(), strict=True)}
    assert len(got) == len(of_edges["src"]), "an edge twice"
    graph.remove_edges_from(list(networkx.selfloop_edges(graph)))
    alike(got, {frozenset(edge): score for edge, score in networkx.edge_betweenness_centrality(graph, normalized=False).items()})


def alike(got, want):
    assert got.keys() == want.keys(), got.keys() ^ want.keys()
    for name, score in want.items():
        assert abs(got[name] - score) <= 1e-9 * max(1, score), f"{name!r}: {got[name]}, want {score}"


def both(edges):
    """Two measures of vertices, and the betweenness of edges."""
    return bcstage.centralities(edges, columns=["betweenness", "closeness"]), bcstage.edge_betweenness(edges)


def pyarrow_measures(edges):
    for reader in pyarrow.csv.open_csv(edges), pa.table(dict(zip(("src", "dst"), zip(*SQUARE)))).to_reader():
        table = reader.read_all()
        tables = both(table)
        check_measures(*(t.to_pydict() for t in tables), list(zip(*table.to_pydict().values())))


def polars_measures(edges):
    for frame in pl.read_csv(edges), pl.DataFrame(SQUARE, schema=["src", "dst"], orient="row"):
        check_measures(*(t.to_polars().to_dict(as_series=False) for t in both(frame)), frame.rows())


def pyarrow_table(edges):
    """A real table, streamed from CSV."""
    table = pyarrow.csv.read_csv(edges)
    scores = bcstage.betweenness(pyarrow.csv.open_csv(edges))
    check(scores["vertex"].to_pylist(), scores["betweenness_centrality"].to_pylist(), list(zip(*table.to_pydict().values())))


def polars_stream(edges):
    frame = pl.read_csv(edges)
    for kind in pl.String, pl.Categorical:
        scores = bcstage.betweenness(frame.cast(kind)).to_polars()
        check(scores["vertex"].cast(pl.String).to_list(), scores["betweenness_centrality"].to_list(), frame.rows())
    for kind in pl.Int32, pl.UInt64:
        square = pl.DataFrame(SQUARE, schema={"src": kind, "dst": kind}, orient="row")
        scores = bcstage.betweenness(square).to_polars()
        assert scores["vertex"].dtype == kind, scores
        check(scores["vertex"].to_list(), scores["betweenness_centrality"].to_list(), SQUARE)
    nulls = pl.DataFrame({"src": ["a", None, "b"], "dst": ["b", "c", None]})
    refused(lambda: bcstage.betweenness(nulls))
    assert bcstage.betweenness(nulls, nulls="drop").to_polars()["vertex"].to_list() == ["a", "b"]


def polars_parquet(edges):
    with tempfile.TemporaryDirectory() as folder:
        frame = pl.scan_csv(edges)
        for kind in pl.String, pl.Categorical:
            path = Path(folder) / "edges.parquet"
            frame.cast(kind).sink_parquet(path)
            scores = bcstage.scan(path).collect()
            check(scores["vertex"].cast(pl.String).to_list(), scores["betweenness_centrality"].to_list(), frame.collect().rows())


def duckdb_table(edges):
    db = duckdb.connect()
    db.execute('CREATE TABLE imports AS SELECT "from" AS src, "to" AS dst FROM read_csv(?)', [str(edges)])
    return db


def duckdb_pipe(edges):
    db = duckdb_table(edges)
    pairs = db.execute("SELECT src, dst FROM imports WHERE dst <> 'unsafe'").fetchall()
    for view in "false", "true":
        db.execute(f"SET produce_arrow_string_view = {view}")
        scores = bcstage.betweenness(db.sql("SELECT src, dst FROM imports WHERE dst <> 'unsafe'"))
        check(scores["vertex"].to_pylist(), scores["betweenness_centrality"].to_pylist(), pairs)
    # An ENUM is a dictionary; hash() is an unsigned 64-bit number, often above 2^63.
    db.execute("CREATE TYPE package AS ENUM (SELECT src FROM imports UNION SELECT dst FROM imports)")
    scores = bcstage.betweenness(db.sql("SELECT src::package AS src, dst::package AS dst FROM imports WHERE dst <> 'unsafe'"))
    check(scores["vertex"].to_pylist(), scores["betweenness_centrality"].to_pylist(), pairs)
    query = "SELECT hash(src) AS src, hash(dst) AS dst FROM imports"
    scores = bcstage.betweenness(db.sql(query))
    assert scores.schema.field("vertex").type == pa.uint64()
    check(scores["vertex"].to_pylist(), scores["betweenness_centrality"].to_pylist(), db.execute(query).fetchall())


def duckdb_parquet(edges):
    db = duckdb_table(edges)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.parquet"
        for query in ("SELECT src, dst FROM imports", "SELECT hash(src) AS src, hash(dst) AS dst FROM imports",
                      "SELECT -length(src) AS src, length(dst)::TINYINT AS dst FROM imports"):
            db.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
            scores = bcstage.betweenness(path)
            rows = db.sql("FROM scores").fetchall()
            check([row[0] for row in rows], [row[1] for row in rows], db.execute(query).fetchall())


def pandas_frames(edges):
    frame = pd.read_csv(edges)
    pairs = list(frame.itertuples(index=False, name=None))
    for kind in "str", "category", "string[pyarrow]":
        scores = bcstage.betweenness(frame.astype(kind)).to_pandas().set_index("vertex")
        check(scores.index.astype("str").to_list(), scores["betweenness_centrality"].to_list(), pairs)
    for kind in "int32", "uint64", "Int64":
        scores = bcstage.betweenness(pd.DataFrame(SQUARE, columns=["src", "dst"]).astype(kind)).to_pandas().set_index("vertex")
        check(scores.index.to_list(), scores["betweenness_centrality"].to_list(), SQUARE)
    refused(lambda: bcstage.betweenness(pd.DataFrame({"src": ["a", None], "dst": ["b", "c"]})))


if __name__ == "__main__":
    for case in sys.argv[2:]:
        globals()[case](sys.argv[1])
