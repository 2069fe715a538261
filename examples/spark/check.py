"""Runs the job of betweenness.py in local mode: check.py BCSTAGE FOLDER [EDGES...].

The scores must have the bits of a single run: exact, estimated or with another measure, for
the given graphs or generated ones. Only a killed task is repeated, and a missing partial is
named."""

import os
import pathlib
import subprocess
import sys
import time

import pyarrow as pa
from pyspark.sql import SparkSession

import betweenness

SHARDS = 8

# Seconds after which one of Spark's processes gives up another: the default, 15, is too
# short on a busy machine.
PATIENCE = 300
os.environ["SPARK_AUTH_SOCKET_TIMEOUT"] = str(PATIENCE)


def main(bcstage, folder, *graphs):
    folder = pathlib.Path(folder)
    spark = (
        SparkSession.builder.master("local[4,3]")  # 4 tasks at once, each tried up to 3 times
        .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
        .config("spark.python.authenticate.socketTimeout", f"{PATIENCE}s").config("spark.network.timeout", f"{PATIENCE}s")
        .config("spark.local.dir", str(folder)).config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")  # the killed task is expected
    if not graphs:
        graphs = [folder / "integers.csv", folder / "words.csv"]
        subprocess.check_call([bcstage, "generate", "smallworld", "--n", "1200", "--k", "8", "--p", "0.1", "-o", graphs[0]])
        with open(graphs[0]) as integers, open(graphs[1], "w") as words:
            words.write(next(integers))
            words.writelines(f"v{line.strip().replace(',', ',v')}\n" for line in integers)
    for number, edges in enumerate(graphs):
        graph = folder / f"{number}.bcg"
        subprocess.check_call([bcstage, "prepare", edges, "-o", graph, "--quiet"])
        single = table(subprocess.check_output([bcstage, graph, "--engine", "cpu", "--format", "arrow", "--quiet"]))
        began = time.monotonic()
        if number == 0:
            killing(bcstage, graph, single, folder / "killing", spark)
        through_main(bcstage, graph, single, folder / f"scores-{number}", spark)
        for sample in (["--samples", "300"], ["--samples", "3000", "--way", "pairs"]):
            way = [] if "--way" in sample else ["--way", "sources"]
            single = table(subprocess.check_output([bcstage, graph, "--engine", "cpu", "--format", "arrow", "--quiet", "--estimate", "--seed", "1", *way, *sample]))
            through_main(bcstage, graph, single, folder / f"estimate-{number}-{sample[-1]}", spark, *sample)
        measures = ["--columns", "betweenness,closeness"]
        graph = folder / f"{number}-measures.bcg"
        subprocess.check_call([bcstage, "prepare", edges, "-o", graph, "--quiet", *measures])
        single = table(subprocess.check_output([bcstage, graph, "--engine", "cpu", "--format", "arrow", "--quiet", *measures]))
        assert single.column_names == ["vertex", "betweenness_centrality", "closeness_centrality"], single.column_names
        through_main(bcstage, graph, single, folder / f"measures-{number}", spark, *measures)
        print(f"{edges}: {single.num_rows} scores of {SHARDS} shards, bit for bit, in {time.monotonic() - began:.0f} s")
    spark.stop()


def table(data):
    return pa.ipc.open_stream(data).read_all()


def killing(bcstage, graph, single, folder, spark):
    """Shard 3 sends half of its partial and kills the process of its task, once."""
    folder.mkdir()
    wrapper, log = folder / f"{folder.name}.sh", folder / "log"
    wrapper.write_text(f"""#!/bin/sh
case "$*" in
*--shard*) echo "$*" >>'{log}' ;;
esac
case "$*" in
*"--shard 3/{SHARDS} "*)
	if mkdir '{folder}/killed' 2>/dev/null; then
		'{os.path.abspath(bcstage)}' "$@" | head -c 6000
		kill -9 $PPID
		exit 1
	fi ;;
esac
exec '{os.path.abspath(bcstage)}' "$@"
""")
    wrapper.chmod(0o755)
    partials = betweenness.partials(spark, str(wrapper), str(graph), SHARDS).persist()
    same(betweenness.scores(bcstage, betweenness.add(partials)), single)

    ran = [line.split("--shard ")[1].split("/")[0] for line in log.read_text().splitlines()]
    want = sorted([str(shard) for shard in range(SHARDS)] + ["3"])
    assert (folder / "killed").is_dir() and sorted(ran) == want, f"shards {ran} ran, want {want}"

    missing = betweenness.add(partials.where("shard <> 5"))
    refused(bcstage, missing, f"are missing: shard 5 of {SHARDS}")
    double = betweenness.add(partials.unionAll(partials.where("shard = 2")))
    refused(bcstage, double, "twice")
    partials.unpersist()


def refused(bcstage, sums, why):
    try:
        betweenness.scores(bcstage, sums)
    except ValueError as error:
        assert why in str(error), error
    else:
        raise AssertionError(f"merged, but {why}")


def through_main(bcstage, graph, single, output, spark, *more):
    betweenness.main([str(graph), str(output), "--shards", str(SHARDS), "--bcstage", str(bcstage), *more])
    assert list(output.glob("part-*.parquet")), "no Parquet partitions"
    same(spark.read.parquet(str(output)).toArrow(), single)


def same(got, want):
    assert got.column_names == want.column_names, f"columns {got.column_names}, want {want.column_names}"
    got, want = ({row["vertex"]: row for row in t.to_pylist()} for t in (got, want))
    assert got == want, "other scores"


if __name__ == "__main__":
    main(*sys.argv[1:])
