"""Makes a Delta and an Iceberg table of four people, and deletes a row from each."""

import os

import deltalake
import pyarrow as pa
import pyiceberg.catalog

edges = pa.table({"src": ["ann", "bob", "cid", "dan"], "dst": ["bob", "cid", "dan", "ann"], "month": [1, 1, 2, 2]})

deltalake.write_deltalake("lake/follows", edges, partition_by=["month"])
deltalake.DeltaTable("lake/follows").delete("src = 'dan'")

os.makedirs("lake", exist_ok=True)
catalog = pyiceberg.catalog.load_catalog("lake")
catalog.create_namespace("graphs")
likes = catalog.create_table("graphs.likes", edges.schema)
likes.append(edges)
likes.delete("src = 'dan'")
