"""Shards as tasks of Apache Spark, 4.0 or later, with Spark Connect or without it.

    import bcstage.spark
    scores = bcstage.spark.betweenness(df, folder="s3a://bucket/run-1", src="src", dst="dst", shards=64)

bcstage must be installed where executors run: ``pip install bcstage[spark]``. All data goes through ``folder``, never
through the driver.
"""

from __future__ import annotations

import os
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession

from bcstage._arguments import names
from bcstage._command import ERRORS, Error, Run
from bcstage._run import read

# The parts of a question, by the commands that take them.
PREPARING = ("by", "bipartite", "nulls", "ids", "ignore_weight", "repeats", "lanes")
ASKING = ("directed", "weight", "endpoints", "cutoff", "sources", "targets", "columns", "memory", "io_timeout")
SEARCHING = ("precision", "estimate", "eps", "samples", "certain", "way", "confidence", "seed")
MERGING = ("scale", "normalized", "sort", "top")

# Exit codes with which another attempt ends, too: all errors of a class but that of storage.
FINAL = set(ERRORS) - {6}


def betweenness(df: DataFrame, *, folder: str | os.PathLike[str], src: str, dst: str, shards: int, profile: Any = None, **question: Any) -> DataFrame:
    """Betweenness centrality of every vertex, by a Spark task per shard: the bits of a single run on cores.

    Executors write the edges to ``folder/edges``. One task prepares ``folder/graph.bcg``, ``shards`` tasks compute
    ``folder/part-*.arrow``, and one task merges them into ``folder/scores.parquet``. The call returns when this is done.

    Parameters
    ----------
    df
        The edges, of any source.
    folder
        A folder that does not exist yet, and that all executors reach. ``s3a://BUCKET/KEY``, or as your Spark
        names it ``s3://``, with credentials of AWS in the environment of executors. Or a path of a shared file system.
        Nothing in it is removed; the scores are read from it.
    src, dst
        The columns of an edge's ends.
    shards
        The number of tasks: a few times the number that run at once. Each has the graph in memory, which
        tasks of a machine share, and as many threads as it has cores (``spark.task.cpus``).
    profile
        A ``ResourceProfile`` of all tasks: cores, memory, GPUs. The GPUs of a task become its devices.
    question
        As of :func:`bcstage.betweenness`: by, bipartite, nulls, ids, ignore_weight, repeats, lanes, directed, weight,
        endpoints, cutoff, sources, targets, columns, memory, io_timeout, precision, estimate, eps, samples, certain,
        way, confidence, seed, scale, normalized, sort, top. ``sources`` and ``targets`` are paths of tables.

    Raises
    ------
    UsageError, InputError, MissingInputError, DeviceError, OutOfMemoryError
        The command refused its input; no task is repeated. After other failures Spark repeats the task.
    """
    unknown = set(question) - {*PREPARING, *ASKING, *SEARCHING, *MERGING}
    if unknown:
        raise TypeError(f"betweenness() got an unexpected keyword argument {min(unknown)!r}")
    place = os.fspath(folder)
    if "://" not in place:
        place = pathlib.Path(place).absolute().as_uri()
    by = names(question.get("by")) or []
    df.select(src, dst, *by, *filter(None, [question.get("weight")])).write.parquet(f"{place}/edges")

    here = re.sub("^s3[an]:", "s3:", place)  # the command's name for it
    asked = {name: question.get(name) for name in ASKING}
    _run(df.sparkSession, 1, profile, "prepare", [f"{here}/edges"],
         {**asked, **{name: question.get(name) for name in PREPARING}, "by": by, "src": src, "dst": dst, "output": f"{here}/graph.bcg"})
    _run(df.sparkSession, shards, profile, "run", [f"{here}/graph.bcg"], {**asked, **{name: question.get(name) for name in SEARCHING}})
    _run(df.sparkSession, 1, profile, "merge", [f"{here}/part-*.arrow"],
         {**{name: question.get(name) for name in MERGING}, "io_timeout": question.get("io_timeout"), "output": f"{here}/scores.parquet"})
    return df.sparkSession.read.parquet(f"{place}/scores.parquet")


def _run(spark: SparkSession, tasks: int, profile: Any, command: str, files: list[str], options: dict[str, Any]) -> None:
    """Run the command in so many tasks. A task's row is its failure, if another attempt would fail, too."""
    schema = pa.schema([("code", pa.int32()), ("message", pa.string()), ("hint", pa.string())])

    def task(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        assert context  # this is a task
        for batch in batches:
            for number in batch.column("id").to_pylist():
                given = {**options, "threads": context.cpus()}
                if command == "run":
                    gpus = context.resources().get("gpu")
                    given["engine"] = "gpu" if gpus else "cpu"
                    given["device"] = ",".join(gpus.addresses) if gpus else None
                    given["shard"], given["output"] = f"{number}/{tasks}", f"{os.path.dirname(files[0])}/part-{number}.arrow"
                try:
                    # The command writes progress, so it ends when Spark kills this process.
                    with Run(command, given, files, progress=lambda message: None, call="betweenness") as run:
                        read(run)
                except Error as error:
                    if error.code not in FINAL:
                        raise
                    yield pa.RecordBatch.from_pylist([{"code": error.code, "message": error.message, "hint": error.hint}], schema)

    failures = spark.range(0, tasks, 1, tasks).mapInArrow(task, "code int, message string, hint string", profile=profile).collect()
    for row in failures[:1]:
        raise ERRORS[row.code](row.message, row.hint, row.code)
