"""Betweenness centrality under Apache Spark (4.0 or later).

    bcstage prepare edges.parquet -o graph.bcg
    spark-submit betweenness.py graph.bcg scores.parquet --shards 64
    spark-submit betweenness.py graph.bcg estimate.parquet --shards 64 --samples 5000

    bcstage prepare edges.parquet --columns betweenness,closeness -o measures.bcg
    spark-submit betweenness.py measures.bcg measures.parquet --shards 64 --columns betweenness,closeness

Each task computes one shard with the command bcstage and sends its partial
result on as Arrow batches. Spark adds the partials, column by column, and
repeats lost tasks. bcstage merge checks that the sums contain every batch of
the graph once, and turns them into scores. The bits are those of a single run,
for any number of shards, executors and retries.

With --samples scores are estimated from so many sources, or with --way pairs from so
many pairs, with intervals in the columns lower and upper. --columns adds measures from
the same searches; the graph must be prepared for them. Partials of both have more
columns, for stages or measures. Spark does not add these; the driver passes them to
bcstage merge unchanged.

The graph and the command are sent to the executors by addFile. Give a task the
cores of one executor (spark.task.cpus): each task has the graph in memory.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import BinaryType, IntegerType, LongType, StringType, StructField, StructType

NUMBERS = ["closed_form", "sum_0", "sum_1", "sum_2", "sum_3"]
PREFIX = b"bcstage:"


def partials(spark: SparkSession, bcstage: str, graph: str, shards: int) -> DataFrame:
    """The partial results of all shards, one task each, as rows: the rows of the
    partial, and one without vertex for its metadata as JSON."""
    about = json.loads(subprocess.check_output([bcstage, "info", "--json", graph]))
    ids = pa.type_for_alias(about["id_type"].split(" of ")[-1])  # a dictionary's values
    for file in (bcstage, graph):
        spark.sparkContext.addFile(os.path.abspath(file))
    command, graph = os.path.basename(bcstage), os.path.basename(graph)
    threads = spark.conf.get("spark.task.cpus", "1")
    columns = pa.schema([("shard", pa.int32()), ("vertex", ids), *((name, pa.int64()) for name in NUMBERS), ("metadata", pa.string())])

    def task(batches):
        for batch in batches:
            for shard in batch.column("id").to_pylist():
                yield from rows(shard)

    def rows(shard):
        arguments = ["--engine", "cpu", "--threads", threads, "--shard", f"{shard}/{shards}", "--progress", "never"]
        with subprocess.Popen([SparkFiles.get(command), SparkFiles.get(graph), *arguments], stdout=subprocess.PIPE) as process:
            reader = pa.ipc.open_stream(process.stdout)
            if reader.schema.names[0] != "vertex":
                raise ValueError("a graph prepared with --by or --bipartite: its vertices need several columns, which this example does not support")
            for batch in reader:
                yield pa.RecordBatch.from_arrays([
                    pa.repeat(pa.scalar(shard, pa.int32()), len(batch)),
                    batch.column("vertex").cast(ids),
                    *(batch.column(name) for name in NUMBERS),
                    pa.nulls(len(batch), pa.string()),
                ], schema=columns)
        if process.returncode != 0:
            raise RuntimeError(f"shard {shard} of {shards}: bcstage ended with {process.returncode}")
        metadata = {key.removeprefix(PREFIX).decode(): value.decode() for key, value in reader.schema.metadata.items()}
        yield pa.RecordBatch.from_pylist([{"shard": shard, "metadata": json.dumps(metadata)}], schema=columns)

    schema = StructType([
        StructField("shard", IntegerType()),
        StructField("vertex", from_arrow_type(ids)),
        *(StructField(name, LongType()) for name in NUMBERS),
        StructField("metadata", StringType()),
    ])
    return spark.range(0, shards, 1, shards).mapInArrow(task, schema)


def add(partials: DataFrame) -> pa.Table:
    """The sum of partials, which is a partial (rules: docs/prepared.md)."""
    sums = partials.groupBy("vertex").agg(
        F.max("closed_form").alias("closed_form"),  # the same in all
        *(F.sum(name).alias(name) for name in NUMBERS[1:]),
        F.collect_list("metadata").alias("metadata"),  # of rows without vertex
    ).toArrow()
    heads = sums.filter(sums["vertex"].is_null())["metadata"].to_pylist()
    parts = [json.loads(text) for text in (heads[0] if heads else [])]
    if not parts:
        raise ValueError("no partial results")
    for key in ("partial", "fingerprint", "precision", "n", "m", "batches", "fraction"):
        if len({part[key] for part in parts}) > 1:
            raise ValueError(f"partial results differ in {key}: {[part[key] for part in parts]}")
    metadata = parts[0] | {
        "done": ",".join(part["done"] for part in parts if part["done"]),
        "total": f"{sum(int(part['total'], 16) for part in parts) % 2**128:032x}",
        "shard": ",".join(dict.fromkeys(part["shard"].split("/")[0] for part in parts)) + "/" + parts[0]["shard"].split("/")[1],
        "checked_sources": str(sum(int(part["checked_sources"]) for part in parts)),
        "recomputed": str(sum(int(part["recomputed"]) for part in parts)),
        "largest_relative_difference": str(max(float(part["largest_relative_difference"]) for part in parts)),
        "checksum": "none",
    }
    rows = sums.filter(sums["vertex"].is_valid()).select(["vertex", *NUMBERS])
    return rows.replace_schema_metadata({PREFIX + key.encode(): value.encode() for key, value in metadata.items()})


def scores(bcstage: str, sums: pa.Table, scale: str = "raw") -> pa.Table:
    """The scores of the sum of all partials."""
    stream = pa.BufferOutputStream()
    with pa.ipc.new_stream(stream, sums.schema) as writer:
        writer.write_table(sums)
    merged = subprocess.run([bcstage, "merge", "-", "--scale", scale], input=stream.getvalue(), capture_output=True)
    if merged.returncode != 0:
        raise ValueError(merged.stderr.decode().strip())
    return pa.ipc.open_stream(merged.stdout).read_all()


def estimate(spark: SparkSession, bcstage: str, graph: str, shards: int, samples: int, way: str = "sources", seed: int = 1, scale: str = "raw") -> pa.Table:
    """Scores from so many sources, or pairs, a share of every stage in each task."""
    return handed(spark, bcstage, graph, shards, ["--estimate", "--way", way, "--samples", str(samples), "--seed", str(seed)], scale)


def handed(spark: SparkSession, bcstage: str, graph: str, shards: int, asked: list[str], scale: str = "raw") -> pa.Table:
    """Scores of runs with these flags; bcstage merge gets their partials unchanged."""
    for file in (bcstage, graph):
        spark.sparkContext.addFile(os.path.abspath(file))
    command, graph = os.path.basename(bcstage), os.path.basename(graph)
    threads = spark.conf.get("spark.task.cpus", "1")
    columns = pa.schema([("shard", pa.int32()), ("partial", pa.binary())])

    def task(batches):
        for batch in batches:
            for shard in batch.column("id").to_pylist():
                arguments = ["--engine", "cpu", "--threads", threads, "--shard", f"{shard}/{shards}", "--progress", "never", *asked]
                partial = subprocess.check_output([SparkFiles.get(command), SparkFiles.get(graph), *arguments])
                yield pa.RecordBatch.from_pylist([{"shard": shard, "partial": partial}], schema=columns)

    schema = StructType([StructField("shard", IntegerType()), StructField("partial", BinaryType())])
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for row in spark.range(0, shards, 1, shards).mapInArrow(task, schema).toLocalIterator():
            files.append(pathlib.Path(folder, f"{row.shard}.arrows"))
            files[-1].write_bytes(row.partial)
        merged = subprocess.run([bcstage, "merge", *files, "--scale", scale, "--format", "arrow"], capture_output=True)
    if merged.returncode != 0:
        raise ValueError(merged.stderr.decode().strip())
    return pa.ipc.open_stream(merged.stdout).read_all()


def main(arguments=None):
    parser = argparse.ArgumentParser(description="betweenness centrality, a Spark task per shard")
    parser.add_argument("graph", help="file that bcstage prepare wrote")
    parser.add_argument("output", help="where the Parquet partitions go, as Spark writes them")
    parser.add_argument("--shards", type=int, default=8, help="tasks; a few for each executor")
    parser.add_argument("--bcstage", default="./bcstage", help="the command, for the executors' system")
    parser.add_argument("--scale", default="raw", help="as of bcstage merge, for example pairs")
    parser.add_argument("--samples", type=int, help="estimate scores from so many sources, or pairs")
    parser.add_argument("--columns", help="measures, such as betweenness,closeness; the graph is prepared for them")
    parser.add_argument("--way", default="sources", choices=["sources", "sources-raw", "pairs"], help="what --samples are")
    given = parser.parse_args(arguments)
    if given.samples and given.columns:
        parser.error("--samples and --columns: other measures are not estimated here")

    spark = SparkSession.builder.appName("betweenness").getOrCreate()
    if given.samples:
        table = estimate(spark, given.bcstage, given.graph, given.shards, given.samples, given.way, scale=given.scale)
    elif given.columns:
        table = handed(spark, given.bcstage, given.graph, given.shards, ["--columns", given.columns], given.scale)
    else:
        table = scores(given.bcstage, add(partials(spark, given.bcstage, given.graph, given.shards)), given.scale)
    spark.createDataFrame(table).write.mode("overwrite").parquet(given.output)


if __name__ == "__main__":
    main()
