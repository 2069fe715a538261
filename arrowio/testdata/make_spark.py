#!/usr/bin/env python3
"""Makes spark/: small edge tables as Spark, that is parquet-mr, writes them,
and spark/expected.json: what a reader must find in them.

Run in this folder with pyspark installed and Java on the path; the files here
were made with pyspark 4.3.0. Spark names its files at random: they are renamed.
"""

import json
import os
import random
import re
import shutil

from pyspark.sql import SparkSession

FOLDER = "spark"
shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER)
random.seed(21)

WORDS = ["", "Zürich", "a/long/path/to/a/vertex", "a/long/path/to/another"] + ["vertex %d" % i for i in range(20)]
INTS = [-(2**63), 2**63 - 1, -1, 0, 1, 2**31, 2**40] + list(range(100, 120))
TABLES = {
    "ints": [[random.choice(INTS), random.choice(INTS)] for _ in range(60)],
    "small": [[random.randint(-128, 127), random.randint(-128, 127)] for _ in range(60)],
    "dense": [[i, i + 1 + i % 3] for i in range(300)],
    "words": [[random.choice(WORDS), random.choice(WORDS)] for _ in range(60)],
}
expected = {"tables": {name: [[str(a), str(b)] for a, b in rows] for name, rows in TABLES.items()}, "files": {}}

spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.session.timeZone", "UTC")
    .config("spark.sql.shuffle.partitions", "1")
    .getOrCreate()
)


def frame(table, typ, holes=False):
    """The table with a column of strings before its ids, and how many rows have a null."""
    rows = []
    for i, (a, b) in enumerate(TABLES[table]):
        rows.append((f"edge {i}", a, b))
        if holes and i % 5 == 0:
            rows.append(("hole", None, b) if i % 2 else ("hole", a, None))
    data = spark.createDataFrame(rows, f"label string, src {typ}, dst {typ}")
    return data.coalesce(1), len(rows) - len(TABLES[table])


def stable(name):
    return re.sub(r"-[0-9a-f]{8}-[0-9a-f-]{27}(-c000|\.c000)?", r"\1", name)


def write(name, table, typ, go_type, holes=False, **options):
    """Writes one file, without the folder that Spark makes around it."""
    data, nulls = frame(table, typ, holes)
    data.write.mode("overwrite").options(**options).parquet("made")
    (part,) = [file for file in os.listdir("made") if file.endswith(".parquet")]
    shutil.move(os.path.join("made", part), os.path.join(FOLDER, name))
    shutil.rmtree("made")
    expected["files"][name] = {"table": table, "type": go_type, "nulls": nulls}


for codec in ("none", "snappy", "gzip", "zstd", "lz4", "lz4_raw"):
    write(f"words_{codec}.parquet", "words", "string", "utf8", holes=True, compression=codec)
for version in ("v1", "v2"):
    both = {"parquet.writer.version": version}
    plain = {"parquet.enable.dictionary": "false", **both}
    write(f"ints_{version}.parquet", "ints", "bigint", "int64", **both)
    write(f"ints_plain_{version}.parquet", "ints", "bigint", "int64", holes=True, **plain)
    write(f"dense_plain_{version}.parquet", "dense", "int", "int32", **plain)
    write(f"small_{version}.parquet", "small", "tinyint", "int8", holes=True, **both)
    write(f"words_plain_{version}.parquet", "words", "string", "utf8", holes=True, compression="zstd", **plain)
    pages = {"parquet.page.row.count.limit": "50", "parquet.page.size": "256", **both}
    write(f"pages_{version}.parquet", "dense", "bigint", "int64", **pages)

# A folder as Spark leaves it: several files for each month, checksums, _SUCCESS.
data, _ = frame("words", "string")
months = data.selectExpr("*", "concat('2024-0', 1 + length(dst) % 3) AS month").repartition(2)
months.write.mode("overwrite").partitionBy("month").parquet(os.path.join(FOLDER, "partitioned"))
for folder, _, files in os.walk(os.path.join(FOLDER, "partitioned")):
    for file in files:
        os.rename(os.path.join(folder, file), os.path.join(folder, stable(file)))
expected["files"]["partitioned"] = {"table": "words", "type": "utf8", "nulls": 0}

with open(os.path.join(FOLDER, "expected.json"), "w") as file:
    for part, separator in (("files", "{"), ("tables", ",")):
        lines = [f"  {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in sorted(expected[part].items())]
        file.write(separator + f'\n "{part}": {{\n' + ",\n".join(lines) + "\n }")
    file.write("\n}\n")
