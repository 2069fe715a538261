"""Runs a block of docs/uses.md about a table lake/edges, and prints the scores that it leaves in bc.*.

    python check_uses.py airflow|dagster|sql FILE

Airflow and Dagster take minutes to install. Where they are missing, their decorators are stood in for by
the few lines below, which call what they decorate at once, and so is the extension nanoarrow of DuckDB.
"""
import functools
import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from types import ModuleType

import duckdb
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet


def module(name, **members):
    sys.modules[name] = ModuleType(name)
    vars(sys.modules[name]).update(members)


def airflow(path):
    """A DAG, imported as a scheduler does; its tasks, run."""
    if find_spec("airflow"):
        runpy.run_path(path)["centralities"]().test()
        return
    decorator = lambda **options: lambda function: functools.wraps(function)(lambda: function())
    module("airflow")
    module("airflow.sdk", dag=decorator, task=decorator)
    module("airflow.exceptions", AirflowFailException=type("AirflowFailException", (Exception,), {}))
    runpy.run_path(path)


def dagster(path):
    """An asset, materialised; what it tells of itself, printed."""
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


def sql(path):
    """Lines of SQL, with the command between those that write and those that read."""
    db = duckdb.connect()
    try:
        db.execute("INSTALL nanoarrow FROM community")
        installed = True
    except duckdb.Error:  # no way to it from here, or none for this version
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
