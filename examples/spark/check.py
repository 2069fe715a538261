"""Runs bcstage.spark on this machine: check.py BCSTAGE FOLDER.

Two executors compute three graphs, the last through Spark Connect. The scores must have the bits of a single run,
although a task is killed and an executor is lost. An input that is refused is not tried again."""

import os
import pathlib
import subprocess
import sys

import pyarrow as pa
import pyspark
from pyspark.sql import SparkSession
from pyspark.sql.connect.session import SparkSession as Connect

import bcstage.spark
from bcstage._arguments import flags

SHARDS = 8

# Seconds after which one of Spark's processes gives up another: the default, 15, is too
# short on a busy machine.
PATIENCE = 300


def main(bcstage, folder):
    folder = pathlib.Path(folder)
    home = folder / "spark"  # executors write beside Spark's own files
    home.mkdir()
    for entry in pathlib.Path(pyspark.__file__).parent.iterdir():
        (home / entry.name).symlink_to(entry)
    os.environ |= {
        "SPARK_HOME": str(home), "SPARK_AUTH_SOCKET_TIMEOUT": str(PATIENCE), "BCSTAGE_EXECUTABLE": str(troubled(bcstage, folder)),
        "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # half the time of short jobs
    }
    spark = (
        SparkSession.builder.master("local-cluster[2,2,1024]")  # two executors of two cores
        .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
        .config("spark.plugins", "org.apache.spark.sql.connect.SparkConnectPlugin")
        .config("spark.connect.grpc.binding.address", "127.0.0.1").config("spark.connect.grpc.binding.port", "0")
        .config("spark.python.authenticate.socketTimeout", f"{PATIENCE}s").config("spark.network.timeout", f"{PATIENCE}s")
        .config("spark.local.dir", str(folder)).config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")  # the killed task is expected

    edges = folder / "edges.csv"
    subprocess.check_call([bcstage, "generate", "smallworld", "--n", "1200", "--k", "8", "--p", "0.1", "-o", edges])
    integers = spark.read.csv(edges.as_uri(), header=True, inferSchema=True)
    same(bcstage, integers, folder / "integers")
    ran = commands(folder)
    assert set(ran) == {"prepare", "merge", *map(str, range(SHARDS))}, ran
    assert ran.count("3") > 1 and ran.count("5") > 1 and len(ran) < 3 * SHARDS, f"{ran}: want shards 3 and 5 twice, and few others"

    words = integers.selectExpr("concat('v', src) AS a", "concat('v', dst) AS b").repartition(3)
    same(bcstage, words, folder / "words", "a", "b", estimate=True, samples=300, way="sources", scale="pairs")

    before = len(commands(folder))
    for question, kind in ({"cutoff": -1}, ValueError), ({"edge_scores": "e.parquet"}, TypeError):
        try:
            by_shards(integers, folder / "refused", **question)
        except kind as error:
            assert next(iter(question)) in str(error), error
        else:
            raise AssertionError(f"{question} is not refused")
    assert commands(folder)[before:] == ["prepare"], "a refused question is tried again"

    server = getattr(getattr(spark._jvm, "org.apache.spark.sql.connect.service.SparkConnectService$"), "MODULE$")
    remote = Connect.builder.remote(f"sc://127.0.0.1:{server.localPort()}").create()
    lengths = remote.read.csv(edges.as_uri(), header=True, inferSchema=True).selectExpr("src", "dst", "1 + (src + dst) % 7 AS km")
    same(bcstage, lengths, folder / "lengths", directed=True, weight="km", columns=["betweenness", "closeness_in"])
    remote.stop()
    spark.stop()


def troubled(bcstage, folder):
    """The command, with a log. Shard 3 kills its task's process once, and shard 5 its executor."""
    wrapper = folder / "troubled.sh"
    wrapper.write_text(f"""#!/bin/sh
echo "$*" >>'{folder}/log'
parent() {{ read -r _ _ _ parent _ <"/proc/$1/stat"; echo "$parent"; }}
case "$*" in
*--shard=3/*) if mkdir '{folder}/killed' 2>/dev/null; then kill -9 $PPID; exit 1; fi ;;
*--shard=5/*) if mkdir '{folder}/lost' 2>/dev/null; then kill -9 "$(parent "$(parent $PPID)")"; exit 1; fi ;;
esac
exec '{os.path.abspath(bcstage)}' "$@"
""")
    wrapper.chmod(0o755)
    return wrapper


def commands(folder):
    """The commands that ran: the number of a shard, or the name."""
    lines = (folder / "log").read_text().splitlines()
    return [line.split("--shard=")[1].split("/")[0] if "--shard=" in line else line.split()[0] for line in lines]


def by_shards(frame, folder, src="src", dst="dst", **question):
    return bcstage.spark.betweenness(frame, folder=folder, src=src, dst=dst, shards=SHARDS, **question)


def same(command, frame, folder, src="src", dst="dst", **question):
    """The scores of shards are those of one run over the edges that Spark wrote, bit for bit."""
    got = by_shards(frame, folder, src, dst, **question).toArrow()
    single = subprocess.check_output([command, folder / "edges", "--engine=cpu", "--format=arrow", "--quiet", *flags(src=src, dst=dst, **question)])
    want = pa.ipc.open_stream(single).read_all()
    assert got.column_names == want.column_names, f"columns {got.column_names}, want {want.column_names}"
    assert got.to_pydict() == want.to_pydict(), "other scores"
    print(f"{folder.name}: {got.num_rows} scores of {SHARDS} shards, bit for bit")


if __name__ == "__main__":
    main(*sys.argv[1:])
