#!/usr/bin/env python3
"""Makes columnar/: small edge tables as real writers write them, and
columnar/expected.json: what a reader must find in them.

Run in this folder with pyarrow, polars, duckdb and pandas installed; the files
here were made with pyarrow 26.0.1, polars 2.1.0, duckdb 2.0.0, pandas 3.1.1.
"""

import decimal
import json
import os
import random
import shutil
import uuid

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

FOLDER = "columnar"
shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER)
random.seed(20)


def some(ids, rows):
    return [[random.choice(ids), random.choice(ids)] for _ in range(rows)]


WORDS = ["", "a", "exactly12byt", "thirteen byte", "Zürich", "a/long/path/to/a/vertex", "a/long/path/to/another"]
TABLES = {
    "signed": some(list(range(-128, 128)), 90),
    "wide": [[-(2**63), 2**63 - 1]] + some([-(2**40), -1, 0, 1, 2**31, 2**40], 40),
    "unsigned": some(list(range(0, 200)), 90),
    "large": [[2**64 - 1, 2**63]] + some([0, 1, 2**33, 2**64 - 2], 40),
    "words": some(WORDS + ["vertex %d" % i for i in range(40)], 90),
    "codes": some(["%06d" % i for i in range(50)], 60),
    "dense": [[i, i + 1 + i % 3] for i in range(240)],
    "none": [],
    "uuids": some([str(uuid.uuid5(uuid.NAMESPACE_DNS, "vertex %d" % i)) for i in range(20)] + [str(uuid.UUID(int=0)), str(uuid.UUID(int=2**128 - 1))], 40),
}
expected = {"tables": {name: [[str(a), str(b)] for a, b in rows] for name, rows in TABLES.items()}, "files": {}}


def name(file, table, go_type, nulls=0):
    """Registers a file and returns its path."""
    expected["files"][file] = {"table": table, "type": go_type, "nulls": nulls}
    return os.path.join(FOLDER, file)


def refused(file, says):
    expected["files"][file] = {"refused": says}
    return os.path.join(FOLDER, file)


def columns(table, holes=False):
    """The two columns; with holes, every fifth row is joined by one with a null."""
    rows = []
    for i, (a, b) in enumerate(TABLES[table]):
        rows.append((a, b))
        if holes and i % 5 == 0:
            rows.append((None, b) if i % 2 else (a, None))
    nulls = len(rows) - len(TABLES[table])
    return [a for a, _ in rows], [b for _, b in rows], nulls


def arrow(table, typ, holes=False, required=False):
    """A table with other columns around the two, the first of them nested."""
    src, dst, nulls = columns(table, holes)
    extra = pa.array([[str(i)] * (i % 3) for i in range(len(src))], pa.list_(pa.string()))
    when = pa.array(range(len(src)), pa.timestamp("us"))
    fields = [
        pa.field("tags", extra.type),
        pa.field("src", typ, nullable=not required),
        pa.field("when", when.type),
        pa.field("dst", typ, nullable=not required),
    ]
    if pa.types.is_dictionary(typ):
        make = lambda ids: pa.array(ids, typ.value_type).dictionary_encode().cast(typ)
    elif typ == pa.uuid():
        make = lambda ids: pa.array([None if i is None else uuid.UUID(i).bytes for i in ids], typ)
    elif pa.types.is_binary(typ) or pa.types.is_large_binary(typ) or pa.types.is_fixed_size_binary(typ):
        make = lambda ids: pa.array([None if i is None else str(i).encode() for i in ids], typ)
    else:
        make = lambda ids: pa.array(ids, typ)
    return pa.table([extra, make(src), when, make(dst)], schema=pa.schema(fields)), nulls


def parquet(file, table, typ, go_type, holes=False, required=False, **options):
    data, nulls = arrow(table, typ, holes, required)
    pq.write_table(data, name(file, table, go_type, nulls), **options)


# Parquet by pyarrow: every integer type, codec, page version and encoding.
for bits in (8, 16, 32, 64):
    parquet(f"int{bits}.parquet", "signed", getattr(pa, f"int{bits}")(), f"int{bits}", compression="none")
    parquet(f"uint{bits}.parquet", "unsigned", getattr(pa, f"uint{bits}")(), f"uint{bits}", compression="none")
parquet("wide.parquet", "wide", pa.int64(), "int64", use_dictionary=False, compression="none")
parquet("large.parquet", "large", pa.uint64(), "uint64")
parquet("large_v1.parquet", "large", pa.uint64(), "uint64", version="1.0")
parquet("uint32_v1.parquet", "unsigned", pa.uint32(), "int64", version="1.0")  # version 1 has no uint32
for codec in ("snappy", "gzip", "brotli", "zstd", "lz4"):
    for page in ("1.0", "2.0"):
        parquet(f"{codec}_page{page[0]}.parquet", "words", pa.string(), "utf8", compression=codec, data_page_version=page, holes=True)
for page in ("1.0", "2.0"):
    plain = dict(use_dictionary=False, data_page_version=page, compression="zstd")
    for typ in (pa.int32(), pa.int64()):
        each = lambda encoding: {"column_encoding": {"src": encoding, "dst": encoding}, **plain}
        parquet(f"delta_{typ}_page{page[0]}.parquet", "dense", typ, str(typ), **each("DELTA_BINARY_PACKED"))
        parquet(f"delta_holes_{typ}_page{page[0]}.parquet", "signed", typ, str(typ), holes=True, **each("DELTA_BINARY_PACKED"))
        parquet(f"split_{typ}_page{page[0]}.parquet", "signed", typ, str(typ), holes=True, **each("BYTE_STREAM_SPLIT"))
    parquet(f"delta_wide_page{page[0]}.parquet", "wide", pa.int64(), "int64", **each("DELTA_BINARY_PACKED"))
    parquet(f"delta_length_page{page[0]}.parquet", "words", pa.string(), "utf8", holes=True, **each("DELTA_LENGTH_BYTE_ARRAY"))
    parquet(f"delta_bytes_page{page[0]}.parquet", "words", pa.string(), "utf8", holes=True, **each("DELTA_BYTE_ARRAY"))
    parquet(f"delta_fixed_page{page[0]}.parquet", "codes", pa.binary(6), "fixed_size_binary[6]", **each("DELTA_BYTE_ARRAY"))
    parquet(f"split_fixed_page{page[0]}.parquet", "codes", pa.binary(6), "fixed_size_binary[6]", holes=True, **each("BYTE_STREAM_SPLIT"))
    parquet(f"split_uint8_page{page[0]}.parquet", "unsigned", pa.uint8(), "uint8", **each("BYTE_STREAM_SPLIT"))
    parquet(f"uuid_page{page[0]}.parquet", "uuids", pa.uuid(), "uuid", holes=True, data_page_version=page)
    parquet(f"split_uuid_page{page[0]}.parquet", "uuids", pa.uuid(), "uuid", holes=True, data_page_size=100, write_batch_size=8, **each("BYTE_STREAM_SPLIT"))
    parquet(f"delta_uuid_page{page[0]}.parquet", "uuids", pa.uuid(), "uuid", required=True, **each("DELTA_BYTE_ARRAY"))
    parquet(f"required_page{page[0]}.parquet", "signed", pa.int64(), "int64", required=True, data_page_version=page)
    parquet(f"required_words_page{page[0]}.parquet", "words", pa.string(), "utf8", required=True, data_page_version=page)
small = dict(data_page_size=200, write_batch_size=20, row_group_size=150, write_statistics=False)
parquet("many_pages.parquet", "dense", pa.int64(), "int64", use_dictionary=False, compression="none", **small)
parquet("many_pages_words.parquet", "words", pa.string(), "utf8", holes=True, **small)
parquet("fallback.parquet", "dense", pa.int64(), "int64", dictionary_pagesize_limit=256, write_batch_size=48, compression="none")
parquet("fallback_words.parquet", "words", pa.string(), "utf8", dictionary_pagesize_limit=64, write_batch_size=8, holes=True)
parquet("checksum.parquet", "words", pa.string(), "utf8", write_page_checksum=True)
parquet("checksum_page2.parquet", "dense", pa.int64(), "int64", write_page_checksum=True, data_page_version="2.0", row_group_size=100, use_dictionary=False)
parquet("no_rows.parquet", "none", pa.int64(), "int64")
for typ, go_type in (
    (pa.large_string(), "large_utf8"),
    (pa.string_view(), "string_view"),
    (pa.binary(), "binary"),
    (pa.large_binary(), "large_binary"),
    (pa.dictionary(pa.int8(), pa.string()), "dictionary<values=utf8, indices=int8, ordered=false>"),
    (pa.dictionary(pa.uint16(), pa.large_string()), "dictionary<values=large_utf8, indices=uint16, ordered=false>"),
):
    parquet(f"{typ}.parquet".replace("<", "_").replace(">", "").replace("=", "_").replace(", ", "_"), "words", typ, go_type)
all_null = pa.table({"src": pa.array([None] * 5, pa.int32()), "dst": pa.array([1] * 5, pa.int32())})
pq.write_table(all_null, name("all_null.parquet", "none", "int32", 5))

# Before version 21, pyarrow wrote UUIDs without Parquet's logical type: only the Arrow schema beside it
# tells.
data, nulls = arrow("uuids", pa.uuid(), holes=True)
data = data.drop_columns("tags")
named = {"ARROW:extension:name": "arrow.uuid", "ARROW:extension:metadata": ""}
fields = [pa.field(f.name, pa.binary(16), metadata=named) if f.type == pa.uuid() else f for f in data.schema]
plain = [data[f.name].cast(pa.binary(16)) if f.metadata else data[f.name] for f in fields]
pq.write_table(pa.table(plain, pa.schema(fields)), name("uuid_arrow_schema.parquet", "uuids", "uuid", nulls))

# Arrow by pyarrow.
def stream(file, table, typ, go_type, holes=False, options=None, chunk=30, container=ipc.new_stream):
    data, nulls = arrow(table, typ, holes)
    with container(name(file, table, go_type, nulls), data.schema, options=options) as writer:
        writer.write_table(data, max_chunksize=chunk)


for codec in ("lz4", "zstd"):
    options = ipc.IpcWriteOptions(compression=codec)
    stream(f"words_{codec}.arrows", "words", pa.string(), "utf8", holes=True, options=options)
    stream(f"signed_{codec}.arrow", "signed", pa.int16(), "int16", holes=True, options=options, container=ipc.new_file)
stream("large.arrows", "large", pa.uint64(), "uint64")
stream("large_words.arrows", "words", pa.large_string(), "large_utf8")
stream("view_words.arrows", "words", pa.string_view(), "string_view", holes=True)
stream("fixed.arrow", "codes", pa.binary(6), "fixed_size_binary[6]", container=ipc.new_file)
stream("uuid.arrows", "uuids", pa.uuid(), "uuid", holes=True)
stream("uuid.arrow", "uuids", pa.uuid(), "uuid", container=ipc.new_file)
stream("dictionary.arrow", "words", pa.dictionary(pa.int32(), pa.string()), "dictionary<values=utf8, indices=int32, ordered=false>", container=ipc.new_file)
dictionary = pa.dictionary(pa.int8(), pa.string())
for deltas in (False, True):
    schema = pa.schema([("source", dictionary), ("target", dictionary)])
    options = ipc.IpcWriteOptions(emit_dictionary_deltas=deltas)
    file = name("dictionary_deltas.arrows" if deltas else "dictionary_replaced.arrows", "words", "dictionary<values=utf8, indices=int8, ordered=false>")
    with ipc.new_stream(file, schema, options=options) as writer:
        seen = []  # grows, so that each dictionary begins with the one before it
        for at in range(0, len(TABLES["words"]), 30):
            rows = TABLES["words"][at : at + 30]
            seen += [word for row in rows for word in row if word not in seen]
            seen = list(dict.fromkeys(seen))
            values = pa.array(seen, pa.string())
            ids = [pa.DictionaryArray.from_arrays(pa.array([seen.index(row[i]) for row in rows], pa.int8()), values) for i in (0, 1)]
            writer.write_batch(pa.record_batch(ids, schema=schema))

# polars, duckdb, pandas.
def frame(table, holes=False, **schema):
    src, dst, nulls = columns(table, holes)
    return pl.DataFrame({"source": src, "target": dst}, schema={"source": schema["typ"], "target": schema["typ"]}), nulls


data, nulls = frame("words", True, typ=pl.String)
data.write_parquet(name("polars_words.parquet", "words", "large_utf8", nulls))
data.write_ipc(name("polars_words.arrow", "words", "string_view", nulls), compression="zstd")
data.write_ipc_stream(name("polars_words.arrows", "words", "string_view", nulls), compression="lz4")
data.write_ipc(name("polars_large_words.arrow", "words", "large_utf8", nulls), compat_level=pl.CompatLevel.oldest())
data, _ = frame("unsigned", typ=pl.UInt32)
data.write_parquet(name("polars_uint32.parquet", "unsigned", "uint32"), compression="lz4")
data.write_ipc(name("polars_uint32.arrow", "unsigned", "uint32"))
data, _ = frame("words", typ=pl.Categorical)
categorical = "dictionary<values=string_view, indices=uint32, ordered=false>"
data.write_ipc_stream(name("polars_categorical.arrows", "words", categorical))
data.write_parquet(name("polars_categorical.parquet", "words", categorical.replace("string_view", "large_utf8")))

connection = duckdb.connect()
for table, typ, go_type in (("wide", "BIGINT", "int64"), ("large", "UBIGINT", "uint64"), ("signed", "TINYINT", "int8"), ("words", "VARCHAR", "utf8"), ("uuids", "UUID", "uuid")):
    connection.execute(f"CREATE OR REPLACE TABLE edges (u {typ}, v {typ})")
    connection.executemany("INSERT INTO edges VALUES (?, ?)", TABLES[table])
    for version in ("V1", "V2"):
        file = name(f"duckdb_{table}_{version.lower()}.parquet", table, go_type)
        connection.execute(f"COPY edges TO '{file}' (FORMAT parquet, PARQUET_VERSION {version})")

connection.execute("SET arrow_lossless_conversion = true")
data = connection.sql("SELECT * FROM edges").to_arrow_table()
with ipc.new_stream(name("duckdb_uuids.arrows", "uuids", "uuid"), data.schema) as writer:
    writer.write_table(data)

data = pd.DataFrame(TABLES["wide"], columns=["from", "to"], index=pd.Index(range(7, 7 + len(TABLES["wide"])), name="row"))
data.to_parquet(name("pandas.parquet", "wide", "int64"))
feather.write_feather(pa.table({"from": pa.array([a for a, _ in TABLES["signed"]]), "to": pa.array([b for _, b in TABLES["signed"]])}), name("feather2.feather", "signed", "int64"))

# Types that cannot be ids.
for label, typ, value, says in (
    ("double", pa.float64(), 1.0, "ids of type"),
    ("bool", pa.bool_(), True, "ids of type"),
    ("timestamp", pa.timestamp("ms"), 1, "ids of type"),
    ("date", pa.date32(), 1, "ids of type"),
    ("decimal", pa.decimal128(9, 2), decimal.Decimal(1), "ids of type"),
    ("float16", pa.float16(), 1.0, "ids of type"),
    ("null", pa.null(), None, "ids of type"),
    ("list", pa.list_(pa.int64()), [1], "ids of"),
    ("struct", pa.struct([("id", pa.int64())]), {"id": 1}, "ids of"),
):
    data = pa.table({"src": pa.array([value], typ), "dst": pa.array([1], pa.int64())})
    pq.write_table(data, refused(f"refused_{label}.parquet", says))
    with ipc.new_stream(refused(f"refused_{label}.arrows", says), data.schema) as writer:
        writer.write_table(data)
mixed = pa.table({"src": pa.array([1], pa.int64()), "dst": pa.array(["1"], pa.string())})
pq.write_table(mixed, refused("refused_mixed.parquet", "ids are strings"))
half = pa.table({"src": pa.array([str(uuid.UUID(int=1))]), "dst": pa.array([uuid.UUID(int=1).bytes], pa.uuid())})
pq.write_table(half, refused("refused_uuid_text.parquet", "ids are UUIDs, but those of standard input are strings"))
weighted = pa.table({"src": [1], "dst": [2], "weight": [0.5]})
pq.write_table(weighted, refused("refused_weight.parquet", "weight"))

with open(os.path.join(FOLDER, "expected.json"), "w") as file:
    for part, separator in (("files", "{"), ("tables", ",")):
        lines = [f"  {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in sorted(expected[part].items())]
        file.write(separator + f'\n "{part}": {{\n' + ",\n".join(lines) + "\n }")
    file.write("\n}\n")
for entry in os.listdir(FOLDER):
    size = os.path.getsize(os.path.join(FOLDER, entry))
    assert size < 10_000 or entry == "expected.json", (entry, size)
