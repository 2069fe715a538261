"""Runs a block of docs about a table lake/edges, and prints its scores in bc.*.

    python check_uses.py airflow|dagster|ray|sql FILE

Airflow and Dagster take minutes to install. If they are missing, the few lines below replace their
decorators and call the decorated functions at once; the same holds for DuckDB's extension nanoarrow. Ray is
always replaced, since it gives up starting on a busy machine. Its bucket is the folder lake.
"""
import functools
import pathlib
import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace

import duckdb
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet


def module(name, **members):
    sys.modules[name] = ModuleType(name)
    vars(sys.modules[name]).update(members)


def airflow(path):
    """Import a DAG like a scheduler, and run its tasks."""
    if find_spec("airflow"):
        runpy.run_path(path)["centralities"]().test()
        return
    decorator = lambda **options: lambda function: functools.wraps(function)(lambda: function())
    module("airflow")
    module("airflow.sdk", dag=decorator, task=decorator)
    module("airflow.exceptions", AirflowFailException=type("AirflowFailException", (Exception,), {}))
    runpy.run_path(path)


def dagster(path):
    """Materialise an asset, and print its metadata."""
    if find_spec("dagster"):
        import dagster
        materialised = dagster.materialize(list(runpy.run_path(path)["definitions"].assets))
        told = materialised.asset_materializations_for_node("betweenness")[0].metadata
        print("vertices", told["vertices"].value)
        return
    class Definitions(list):
        def __init__(self, assets):
            super().__init__(assets)
    module("dagster", asset=lambda function: function, Definitions=Definitions, MaterializeResult=lambda metadata: metadata)
    for asset in runpy.run_path(path)["definitions"]:
        print("vertices", asset()["vertices"])


def ray(path):
    """Run the tasks one after another."""
    def remote(**options):
        return lambda function: SimpleNamespace(remote=function)
    module("ray", remote=remote, get=list)
    text = pathlib.Path(path).read_text()
    pathlib.Path(path).write_text(text.replace("s3://bucket/", "lake/").replace("lake/bc.parquet", "bc.parquet"))
    runpy.run_path(path)


def sql(path):
    """Run lines of SQL, with the command between writing and reading."""
    db = duckdb.connect()
    try:
        db.execute("INSTALL nanoarrow FROM community")
        installed = True
    except duckdb.Error:  # unreachable, or not available for this version
        installed = False
    for line in filter(None, map(str.strip, re.sub("--.*", "", open(path).read()).split(";"))):
        copy = re.fullmatch(r"COPY \((.*)\) TO '(.*)' \(FORMAT arrows\)", line)
        if copy and not installed:
            table = db.sql(copy[1]).to_arrow_table()
            with pa.OSFile(copy[2], "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
                stream.write_table(table)
        elif not installed and line == "LOAD nanoarrow":
            pass
        elif not installed and "read_arrow('bc.arrows')" in line:
            scores = pa.ipc.open_stream(pa.OSFile("bc.arrows")).read_all()
            print(db.sql(line.replace("read_arrow('bc.arrows')", "scores")).fetchall())
        elif copy or line == "LOAD nanoarrow":
            db.execute(line)
        else:
            print(db.sql(line).fetchall())
        if copy:
            subprocess.run(["bcstage", copy[2], "-o", "bc.arrows"], check=True)


globals()[sys.argv[1]](sys.argv[2])
if sys.argv[1] != "sql":
    scores = pyarrow.parquet.read_table("bc.parquet")
    print(sorted(zip(*scores.to_pydict().values())))
