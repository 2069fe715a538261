#!/usr/bin/env python3
"""Makes graphs/: one small graph as the tools of icebug-disk and of GraphAr write it.

Run in this folder with both tools installed (pip install 'icebug-format[convert]' graphar);
the files here were made with icebug-format 1.1.0, duckdb 2.0.0 and graphar 0.13.0.dev1.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import duckdb

PEOPLE = "VALUES ('zoe', 1), ('ann', 2), ('bob', 3), ('cy d', 4), ('eve', 5)"
CITIES = "VALUES (30, 'Rome'), (10, 'Oslo'), (20, 'Bern')"
KNOWS = "VALUES ('ann', 'bob', 5), ('bob', 'cy d', 2), ('zoe', 'ann', 1), ('ann', 'zoe', 7)"
LIVES = "VALUES ('ann', 10), ('bob', 10), ('zoe', 30)"

shutil.rmtree("graphs", ignore_errors=True)
os.makedirs("graphs")
with tempfile.TemporaryDirectory() as work:
    def tool(name, *arguments):
        subprocess.run([os.path.join(os.path.dirname(sys.executable), name), *arguments], check=True, cwd=work, stdout=subprocess.DEVNULL)

    def inside(name):
        return os.path.join(work, name)

    with duckdb.connect(inside("travel.duckdb")) as db:
        db.sql(f"CREATE TABLE nodes_person AS FROM ({PEOPLE}) t(name, age)")
        db.sql(f"CREATE TABLE nodes_city AS FROM ({CITIES}) t(id, label)")
        db.sql(f"CREATE TABLE edges_knows AS FROM ({KNOWS}) t(source, target, minutes)")
        db.sql(f"CREATE TABLE edges_livesin AS FROM ({LIVES}) t(source, target)")
        # GraphAr's tool finds edge columns by the names that their ends have in the vertex
        # tables.
        for table in "nodes_person", "nodes_city", "(SELECT source AS name, target AS id, 1 AS years FROM edges_livesin)":
            db.sql(f"COPY {table} TO '{inside(table.split('_')[-1].rstrip(')'))}.parquet'")
    with open(inside("ends.cypher"), "w") as out:
        out.write("CREATE REL TABLE Knows(FROM Person TO Person, minutes INT64);\nCREATE REL TABLE LivesIn(FROM Person TO City);\n")
    tool("icebug-format", "--source-db", "travel.duckdb", "--schema", "ends.cypher")
    shutil.copytree(inside("travel_csr"), "graphs/icebug")

    with open(inside("import.yml"), "w") as out:
        out.write(f"""
graphar: {{path: {inside('graphar')}, name: travel, vertex_chunk_size: 2, edge_chunk_size: 2, file_type: parquet}}
import_schema:
  vertices:
    - type: person
      property_groups:
        - properties: [{{name: name, data_type: string, is_primary: true}}, {{name: age, data_type: int32}}]
      sources: [{{path: person.parquet, columns: {{name: name, age: age}}}}]
    - type: city
      property_groups:
        - properties: [{{name: id, data_type: int32, is_primary: true}}, {{name: label, data_type: string}}]
      sources: [{{path: city.parquet, columns: {{id: id, label: label}}}}]
  edges:
    - edge_type: lives
      src_type: person
      src_prop: name
      dst_type: city
      dst_prop: id
      property_groups:
        - properties: [{{name: years, data_type: int32}}]
      sources: [{{path: livesin.parquet, columns: {{name: name, id: id, years: years}}}}]
""")
    tool("graphar", "import", "-c", "import.yml")
    shutil.copytree(inside("graphar"), "graphs/graphar")
