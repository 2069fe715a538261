"""The package in its users' calls. Run with the wheel installed: python -m unittest discover python/tests."""

import contextlib
import doctest
import importlib.metadata
import inspect
import io
import os
import re
import subprocess
import sys
import tempfile
import threading
import traceback
import typing
import unittest
import unittest.mock
import warnings

import pyarrow as pa
import pyarrow.dataset as dataset
import pyarrow.parquet as pq

import bcstage
from support import PATH, SCORES, by_vertex, optional


class Inputs(unittest.TestCase):
    def test_pyarrow(self):
        self.assertEqual(by_vertex(bcstage.betweenness(PATH)), SCORES)
        self.assertEqual(by_vertex(bcstage.betweenness(PATH.to_reader())), SCORES)

    def test_chosen_ends(self):
        want = {1: 0.0, 2: 0.5, 3: 0.5, 4: 0.0}
        self.assertEqual(by_vertex(bcstage.betweenness(PATH, sources=[1], targets=pa.array([4]))), want)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ids.txt")
            with open(path, "w") as file:
                file.write("1\n")
            self.assertEqual(by_vertex(bcstage.betweenness(PATH, sources=path, targets=[4, 4])), want)
        self.assertEqual(set(by_vertex(bcstage.betweenness(PATH, sources=[])).values()), {0.0})
        with self.assertRaisesRegex(bcstage.InputError, "1 of 2 ids are not in the graph"):
            bcstage.betweenness(PATH, sources=[1, 9])

    def test_flows(self):
        zones = pa.table({"id": [1, 2, 3, 4], "people": [2, 0, 1, 5], "jobs": [0.5, 1.0, 0.25, 0.0]})
        table = bcstage.betweenness(PATH, vertices=zones, origins="people", destinations="jobs")
        self.assertEqual(table.column_names, ["vertex", "flow"])
        self.assertEqual(table["flow"].to_pylist(), [0.0, 2 * 0.25 + (1 + 5) * 0.5, 5 * (0.5 + 1), 0.0])
        self.assertEqual(table.schema.metadata[b"bcstage:flow_unit"], b"people x jobs")
        edges = bcstage.edge_betweenness(PATH, vertices=zones, origins="people")
        self.assertEqual(edges["flow"].to_pylist(), [6.0 + 2 * 3, 2 * 2 + 6 * 2, 3 + 5 * 3])
        with self.assertRaisesRegex(ValueError, "there is no vertex table"):
            bcstage.betweenness(PATH, origins="people")

    def test_flows_call(self):
        nodes = {"id": [1, 2, 3, 4], "people": [2, 0, 1, 5]}
        table = bcstage.flows(PATH, nodes=nodes, origins="people", radii=[1, 2], decay="exp:0")
        self.assertEqual(table.to_pydict(), {"vertex": [1, 2, 3, 4], "flow_1": [0.0] * 4, "flow_2": [0.0, 3.0, 5.0, 0.0]})
        table = bcstage.flows(PATH, trips={"origin": [1, 1], "destination": [4, 3], "trips": [7, 2]}, radii=2)
        self.assertEqual(table["flow"].to_pylist(), [0.0, 2.0, 0.0, 0.0])
        spread = bcstage.flows(PATH, nodes=nodes, origins="people", destinations="people", constrained="origins", columns=["betweenness", "access"])
        self.assertEqual(spread["access"].to_pylist(), [6.0, 8.0, 7.0, 3.0])
        for wrong, error in (({}, "nothing flows"), ({"nodes": nodes}, "nothing flows"), ({"origins": "people"}, "origins='people'"),
                             ({"nodes": nodes, "vertices": nodes, "origins": "people"}, "nodes and vertices")):
            with self.assertRaisesRegex(bcstage.UsageError, error):
                bcstage.flows(PATH, **wrong)

    def test_trips(self):
        trips = {"home": [1, 1, 4, 2], "work": [4, 3, 1, 2], "people": [2, 1, 0.5, 9]}
        with tempfile.TemporaryDirectory() as folder:
            lost = os.path.join(folder, "lost.csv")
            table = bcstage.betweenness(PATH, trips=trips, trips_columns=["home", "work", "people"], unrouted=lost)
            self.assertEqual(table["flow"].to_pylist(), [0.0, 3.5, 2.5, 0.0])
            with open(lost, encoding="utf-8") as file:
                self.assertEqual(file.read().split(), ["home,work,people", "2,2,9"])

    def test_since(self):
        with tempfile.TemporaryDirectory() as folder:
            before = [os.path.join(folder, name) for name in ("graph.bcg", "scores.parquet")]
            edges = os.path.join(folder, "edges.parquet")
            pq.write_table(PATH, edges)
            subprocess.run([bcstage._command.command_path(), "prepare", edges, "-q", "-o", before[0]], check=True)
            pq.write_table(bcstage.betweenness(PATH).to_arrow(), before[1])
            changes = {"src": [4, 1], "dst": [5, 2], "op": ["+", "-"]}
            table = bcstage.betweenness(None, since=before, changes=changes)
            self.assertEqual(by_vertex(table), {2: 0.0, 3: 2.0, 4: 2.0, 5: 0.0})
            self.assertEqual(bcstage.info(None, since=before, changes=changes)["since"]["edges_removed"], 1)
            same = bcstage.betweenness(pa.table({"src": [4, 2, 3], "dst": [3, 1, 2]}), since=before)
            self.assertEqual(by_vertex(same), SCORES)
            self.assertEqual(same.stats["since"]["way"], "unchanged")
            moved = bcstage.betweenness(None, since=before, changes=changes, estimate=True)
            self.assertEqual(moved.stats["estimate"]["way"], "exact")
            for column in ("change", "change_lower", "change_upper"):
                self.assertEqual(dict(zip(moved["vertex"].to_pylist(), moved[column].to_pylist())), {2: -2.0, 3: 0.0, 4: 2.0, 5: 0.0})
        with self.assertRaisesRegex(TypeError, "edges"):
            bcstage.betweenness(None)

    def test_cutoffs(self):
        table = bcstage.betweenness(PATH, cutoff=[1000.0, 2])
        self.assertEqual(table.column_names, ["vertex", "betweenness_2", "betweenness_1000"])
        self.assertEqual(table["betweenness_2"].to_pylist(), bcstage.betweenness(PATH, cutoff=2)["betweenness_centrality"].to_pylist())
        self.assertEqual(table["betweenness_1000"].to_pylist(), [0.0, 2.0, 2.0, 0.0])

    def test_repeats_kept(self):
        square = {"src": [0, 0, 1, 0, 2], "dst": [1, 1, 3, 2, 3]}
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "edges.arrow")
            table = bcstage.betweenness(square, repeats="keep", edge_scores=file)
            edges = pa.ipc.open_file(file).read_all()
        self.assertEqual(table["vertex"].to_pylist(), [0, 1, 3, 2])
        for score, thirds in zip(table["betweenness_centrality"].to_pylist(), [2, 2, 1, 1]):
            self.assertAlmostEqual(score, thirds / 3)
        for score, sixths in zip(edges["edge_betweenness_centrality"].to_pylist(), [7, 7, 12, 12, 10], strict=True):
            self.assertAlmostEqual(score, sixths / 6)

    def test_decay(self):
        table = bcstage.betweenness(PATH, decay="power:1", decay_floor=0.4)
        self.assertEqual(table["betweenness_centrality"].to_pylist(), [0.0, 0.5, 0.5, 0.0])
        with self.assertRaisesRegex(ValueError, "want exp:NUMBER"):
            bcstage.betweenness(PATH, decay="log:2")
        shares = {"distance": [2, 2.5, 4], "share": [1, 0.5, 0.25]}
        same = bcstage.betweenness(PATH, decay="table:2=1,2.5=0.5,4=0.25")
        self.assertEqual(bcstage.betweenness(PATH, decay=shares).to_pydict(), same.to_pydict())
        with self.assertRaisesRegex(bcstage.InputError, "decay: row 2: a distance of 2 behind 2.5"):
            bcstage.betweenness(PATH, decay={"distance": [2.5, 2], "share": [1, 1]})

    def test_gravity(self):
        table = bcstage.betweenness(PATH, constrained="origins", stay=3.0, columns=["betweenness", "access"])
        self.assertEqual([round(x, 12) for x in table["flow"].to_pylist()], [0.0, round(2 / 3, 12), round(2 / 3, 12), 0.0])
        self.assertEqual(table["access"].to_pylist(), [3.0, 3.0, 3.0, 3.0])
        with self.assertRaisesRegex(ValueError, "constrained"):
            bcstage.betweenness(PATH, constrained="destinations")

    def test_polars(self):
        polars = optional("polars")
        frame = polars.DataFrame({"a": ["x", "y", "z"], "b": ["y", "z", "w"]})
        table = bcstage.betweenness(frame, src="a", dst="b")
        self.assertEqual(by_vertex(table), {"x": 0.0, "y": 2.0, "z": 2.0, "w": 0.0})
        joined = frame.join(table.to_polars(), left_on="a", right_on="vertex")
        self.assertEqual(joined["betweenness_centrality"].to_list(), [0.0, 2.0, 2.0])

    def test_duckdb(self):
        duckdb = optional("duckdb")
        relation = duckdb.sql("SELECT * FROM (VALUES (1, 2), (2, 3), (3, 4)) t(src, dst)")
        self.assertEqual(by_vertex(bcstage.betweenness(relation)), SCORES)

    def test_pandas(self):
        pandas = optional("pandas")
        self.assertEqual(by_vertex(bcstage.betweenness(pandas.DataFrame({"src": [1, 2, 3], "dst": [2, 3, 4]}))), SCORES)

    def test_delta(self):
        """The log of a Delta table defines it, not the files of its folder."""
        deltalake, polars = optional("deltalake"), optional("polars")
        with tempfile.TemporaryDirectory() as folder:
            deltalake.write_deltalake(folder, pa.concat_tables([PATH, pa.table({"src": [3], "dst": [9]})]))
            deltalake.DeltaTable(folder).delete("dst = 9")
            self.assertEqual(by_vertex(bcstage.betweenness(polars.scan_delta(folder).select("src", "dst").collect())), SCORES)
            with self.assertRaisesRegex(bcstage.InputError, "a Delta table"):
                bcstage.betweenness(folder)

    def test_iceberg(self):
        catalogs = optional("pyiceberg.catalog.sql").catalog.sql
        with tempfile.TemporaryDirectory() as folder:
            catalog = catalogs.SqlCatalog("test", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/lake")
            catalog.create_namespace("lake")
            table = catalog.create_table("lake.edges", schema=PATH.schema)
            table.append(pa.concat_tables([PATH, pa.table({"src": [3], "dst": [9]})]))
            table.delete("dst = 9")
            self.assertEqual(by_vertex(bcstage.betweenness(table.scan(selected_fields=("src", "dst")).to_arrow_batch_reader())), SCORES)
            with self.assertRaisesRegex(bcstage.InputError, "an Iceberg table"):
                bcstage.betweenness(os.path.join(folder, "lake", "lake", "edges"))

    def test_paths(self):
        with tempfile.TemporaryDirectory() as folder:
            parts = [os.path.join(folder, f"part {i}.parquet") for i in range(2)]
            pq.write_table(PATH.slice(0, 2), parts[0])
            pq.write_table(PATH.slice(2), parts[1])
            self.assertEqual(by_vertex(bcstage.betweenness(parts)), SCORES)
            self.assertEqual(by_vertex(bcstage.betweenness(folder)), SCORES)

    def test_others_are_refused(self):
        for edges in (3, [], [3], "-", None):
            with self.subTest(edges), self.assertRaises((TypeError, ValueError)):
                bcstage.betweenness(edges)


class Answers(unittest.TestCase):
    def test_options(self):
        stats = {}
        top = bcstage.betweenness(PATH, normalized=True, sort="score", stats=stats)
        self.assertEqual(top["betweenness_centrality"].to_pylist(), [2 / 3, 2 / 3, 0.0, 0.0])
        self.assertEqual((stats["n"], stats["m"]), (4, 3))
        self.assertIn(b"bcstage:version", top.schema.metadata)

    def test_estimate(self):
        ring = pa.table({"src": list(range(400)), "dst": [(i * 7 + 3) % 400 for i in range(400)]})
        edges = pa.concat_tables([ring, pa.table({"src": list(range(400)), "dst": [(i + 1) % 400 for i in range(400)]})])
        exact, stats = by_vertex(bcstage.betweenness(edges)), {}
        table = bcstage.betweenness(edges, estimate=True, way="sources", samples=128, seed=3, confidence=0.99, stats=stats)
        self.assertEqual(table.column_names, ["vertex", "betweenness_centrality", "lower", "upper"])
        for row in table.to_pylist():
            self.assertTrue(row["lower"] <= row["betweenness_centrality"] <= row["upper"])
            self.assertTrue(row["lower"] - 1e-6 <= exact[row["vertex"]] <= row["upper"] + 1e-6)
        self.assertEqual((stats["estimate"]["draws"], stats["estimate"]["seed"]), (128, 3))
        with self.assertRaisesRegex(bcstage.UsageError, "^eps= needs estimate=True"):
            bcstage.betweenness(edges, eps=0.1)

    def test_weights(self):
        table = pa.table({"src": ["a", "b", "a", "d"], "dst": ["b", "c", "d", "c"], "km": [0.1, 0.2, 0.15, 0.15]})
        stats = {}
        scores = bcstage.betweenness(table, weight="km", stats=stats)
        self.assertEqual(scores["betweenness_centrality"].to_pylist(), [1, 0.5, 0, 0.5])
        self.assertEqual(stats["lengths"]["unit"], "10^-2")
        with self.assertRaises(bcstage.InputError):
            bcstage.betweenness(table, weight="miles")

    def test_info(self):
        self.assertEqual(bcstage.info(PATH)["n"], 4)

    def test_columns(self):
        table = bcstage.betweenness(PATH, columns=["farness", "betweenness"])
        self.assertEqual(table["farness"].to_pylist(), [6, 4, 4, 6])
        self.assertEqual(by_vertex(table), SCORES)

    def test_edges(self):
        table = bcstage.edge_betweenness(PATH)
        self.assertEqual(table.column_names, ["src", "dst", "edge_betweenness_centrality"])
        self.assertEqual(table.to_pydict(), {"src": [1, 2, 3], "dst": [2, 3, 4], "edge_betweenness_centrality": [3.0, 4.0, 3.0]})
        self.assertEqual(bcstage.edge_betweenness(PATH, normalized=True)["edge_betweenness_centrality"].to_pylist(), [0.5, 4 / 6, 0.5])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "edges.parquet")
            self.assertEqual(by_vertex(bcstage.betweenness(PATH, edge_scores=path)), SCORES)
            self.assertEqual(pq.read_table(path).to_pydict(), table.to_pydict())

    def test_columns_of_the_vertex_table(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "vertices.parquet")
            pq.write_table(pa.table({"id": [4, 9], "opened": pa.array([7, None], pa.timestamp("us", "UTC")), "name": ["d", "i"]}), path)
            table = bcstage.betweenness(PATH, vertices=path, keep=["opened", "name"])
        self.assertEqual(table.column_names, ["vertex", "opened", "name", "betweenness_centrality"])
        self.assertEqual(table["opened"].type, pa.timestamp("us", "UTC"))
        self.assertEqual(dict(zip(table["vertex"].to_pylist(), table["name"].to_pylist())), {4: "d", 9: "i", 1: None, 2: None, 3: None})

    def test_parts_of_the_question(self):
        self.assertEqual(by_vertex(bcstage.betweenness(PATH, directed=True, cutoff=2)), {1: 0.0, 2: 1.0, 3: 1.0, 4: 0.0})
        self.assertEqual(by_vertex(bcstage.betweenness(PATH, sources=[1], targets=pa.array([4]), scale="ordered")), {1: 0.0, 2: 1.0, 3: 1.0, 4: 0.0})
        self.assertEqual(by_vertex(bcstage.betweenness(PATH, endpoints=True)), {1: 3.0, 2: 5.0, 3: 5.0, 4: 3.0})

    def test_distances(self):
        table = bcstage.distances(PATH, [1, 3], directed=True, paths=True)
        self.assertEqual(list(zip(*(table[name].to_pylist() for name in ("source", "vertex", "distance")))),
                         [(1, 1, 0), (1, 2, 1), (1, 3, 2), (1, 4, 3), (3, 3, 0), (3, 4, 1)])
        batches = bcstage.distance_batches(PATH, [1, 3], directed=True)
        self.assertEqual(pa.Table.from_batches(batches), table.select(["source", "vertex", "distance"]))
        pairs = pa.table({"origin": [1, 3, 4], "destination": [4, 3, 1], "trips": [1, 1, 1]})
        self.assertEqual(bcstage.distances(PATH, trips=pairs, directed=True).to_pydict(), {"source": [1, 3], "vertex": [4, 3], "distance": [3, 0]})
        with self.assertRaises(TypeError):
            bcstage.distances(PATH)
        with self.assertRaises(bcstage.InputError):
            bcstage.distances(PATH, [9])
        with self.assertRaises(bcstage.InputError):
            next(bcstage.distance_batches(PATH, [9]))

    def test_whatif(self):
        ring = [(1, 2), (2, 3), (3, 1), (3, 4)]
        table = bcstage.whatif(ring, remove_edges=pa.table({"src": [4, 1], "dst": [3, 2]}), each=True)
        self.assertEqual(list(zip(*(table[name].to_pylist() for name in ("src", "dst", "total_betweenness", "reach", "reach_change", "mean_distance")))),
                         [(4, 3, 0.0, 6, -6, 1.0), (1, 2, 3.0, 12, 0, 1.5)])
        table = bcstage.whatif(ring, remove_vertices=[3, 4], directed=True, stats=(stats := {}))
        self.assertEqual([table[name].to_pylist() for name in ("edges_removed", "vertices_removed", "reach")], [[3], [2], [1]])
        self.assertEqual(stats["what_if"], {"rows": 1, "repeats": 0, "by_block": 0})
        with self.assertRaisesRegex(bcstage.InputError, 'row 2: "2" and "4": the graph has no such edge'):
            bcstage.whatif(ring, remove_edges=[(1, 2), (2, 4)])
        with self.assertRaises(bcstage.UsageError):
            bcstage.whatif(ring)

    def test_distances_given_up(self):
        """A dropped iterator leaves no process and no thread."""
        before = set(threading.enumerate())
        edges = pa.table({"src": range(3000), "dst": range(1, 3001)})
        batches = bcstage.distance_batches(edges, list(range(3000)))
        self.assertGreater(next(batches).num_rows, 0)
        batches.close()
        self.assertEqual(set(threading.enumerate()), before)
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    def test_shards_merge(self):
        with tempfile.TemporaryDirectory() as folder:
            edges = os.path.join(folder, "edges.csv")
            subprocess.run([bcstage.command_path(), "generate", "grid", "--rows", "20", "--cols", "30", "-o", edges], check=True)
            parts = [os.path.join(folder, f"{i}.arrow") for i in range(3)]
            for i, part in enumerate(parts):
                subprocess.run([bcstage.command_path(), edges, "--shard", f"{i}/3", "-o", part, "--quiet"], check=True)
            self.assertEqual(by_vertex(bcstage.merge(parts)), by_vertex(bcstage.betweenness(edges)))
            with self.assertRaises(bcstage.InputError) as missing:
                bcstage.merge(parts[:2])
            self.assertIn("2 of 3", str(missing.exception))

    def test_progress(self):
        messages = []
        bcstage.betweenness(PATH, progress=messages.append)
        self.assertIn("read", [message["stage"] for message in messages])

    def test_errors_of_callbacks(self):
        """An exception of a callback, or of a filter of warnings, ends the call; otherwise nobody would read the messages."""
        with self.assertRaises(ZeroDivisionError):
            bcstage.betweenness(PATH, progress=lambda message: 1 / 0)
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            edges = os.path.join(folder, "edges.csv")
            with open(edges, "w") as file:
                file.write("u,v\na,b\n")
            warnings.simplefilter("error", bcstage.Notice)
            with self.assertRaisesRegex(bcstage.Notice, "header"):
                bcstage.betweenness(edges)

    def test_no_tqdm(self):
        with unittest.mock.patch.dict(sys.modules, {"tqdm.auto": None}), self.assertRaisesRegex(ImportError, r"bcstage\[progress\]"):
            bcstage.betweenness(PATH, progress=True)

    def test_report(self):
        with tempfile.TemporaryDirectory() as folder:
            scores = os.path.join(folder, "scores.parquet")
            pq.write_table(bcstage.betweenness(PATH).to_arrow(), scores)
            page = bcstage.report(scores, output=os.path.join(folder, "page.html"))
            self.assertIn("<html", page)
            with open(os.path.join(folder, "page.html"), encoding="utf-8") as file:
                self.assertEqual(file.read(), page)

    def test_no_input_is_overwritten(self):
        """Regression: an output that is an input replaced it silently."""
        with tempfile.TemporaryDirectory() as folder:
            edges, scores = os.path.join(folder, "edges.csv"), os.path.join(folder, "scores.parquet")
            with open(edges, "w") as file:
                file.write("src,dst\n1,2\n2,3\n")
            pq.write_table(bcstage.betweenness(edges).to_arrow(), scores)
            for path, call in (
                (scores, lambda: bcstage.report(scores, output=scores)),
                (edges, lambda: bcstage.report(scores, edges=edges, output=os.path.join(folder, ".", "edges.csv"))),
                (edges, lambda: bcstage.betweenness(edges, edge_scores=edges, checkpoint=os.path.join(folder, "work"))),
                (edges, lambda: bcstage.betweenness(folder, checkpoint=os.path.join(folder, "work"))),
                (edges, lambda: bcstage.betweenness(PATH, vertices=edges, metrics=edges)),
                (edges, lambda: bcstage.betweenness(dataset.dataset(edges, format="csv"), edge_scores=edges)),
                (edges, lambda: bcstage.closeness(PATH, sources=dataset.dataset(edges, format="csv"), metrics=edges)),
            ):
                with open(path, "rb") as file:
                    before = file.read()
                with self.assertRaisesRegex(bcstage.UsageError, "read") as caught:
                    call()
                self.assertNotIn("--", str(caught.exception))
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), before)
            page = bcstage.report(scores, output=os.path.join(folder, "page.html"))
            self.assertIn("<html", page)
            if sys.platform != "win32":
                self.assertIn("<html", bcstage.report(scores, output=os.devnull))

    def test_report_of_tables(self):
        stats = {}
        scores = bcstage.betweenness(PATH, stats=stats)
        page = bcstage.report(scores, stats=stats, edges=PATH, top=2)
        self.assertEqual(page, page._repr_html_())  # for notebooks
        self.assertIn("<h2>Degree", page)
        self.assertIn("Cost of the run", page)
        self.assertNotIn("<h2>Degree", bcstage.report(scores))


class Failures(unittest.TestCase):
    def test_credentials_are_masked(self):
        for call in (
            lambda: bcstage.betweenness("s3://AKIAEXAMPLE1:abc/defghi@bucket/edges.csv"),
            lambda: bcstage.betweenness("https://me:defghi@host/edges.csv?X-Amz-Signature=defghi"),
            lambda: bcstage.betweenness(["./defghi", "s3://AKIAEXAMPLE1:defghi@bucket/edges.csv"]),
            lambda: bcstage.betweenness(PATH, vertices="s3://AKIAEXAMPLE1:abc/defghi@bucket/vertices.csv"),
            lambda: bcstage.betweenness(PATH, src="https://me:defghi@host/a", dst="dst"),
            lambda: bcstage.edge_betweenness("s3://AKIAEXAMPLE1:defghi@bucket/edges.csv"),
            lambda: bcstage.info("s3://AKIAEXAMPLE1:defghi@bucket/edges.csv"),
            lambda: bcstage.report("s3://AKIAEXAMPLE1:defghi@bucket/scores.parquet"),
            lambda: bcstage.merge(["s3://AKIAEXAMPLE1:defghi@bucket/0.arrow"]),
        ):
            with self.assertRaises(bcstage.Error) as caught:
                call()
            said = "".join(traceback.format_exception(caught.exception)) + repr(caught.exception) + repr(vars(caught.exception))
            said = "\n".join(line for line in said.splitlines() if "lambda:" not in line)  # the call itself
            self.assertIn("***", said)
            self.assertNotIn("defghi", said)
            self.assertNotIn("AKIA", said)

    def test_classes(self):
        for error, also, call in (
            (bcstage.UsageError, ValueError, lambda: bcstage.betweenness(PATH, engine="warp")),
            (bcstage.InputError, ValueError, lambda: bcstage.betweenness(pa.table({"a": [1], "b": [2]}))),
            (bcstage.MissingInputError, FileNotFoundError, lambda: bcstage.betweenness("no such file.csv")),
            (bcstage.OutOfMemoryError, MemoryError, lambda: bcstage.betweenness(pa.table({"src": range(99999), "dst": range(1, 100000)}), memory="1M")),
        ):
            with self.subTest(error), self.assertRaises(error) as caught:
                call()
            self.assertIsInstance(caught.exception, also)
            self.assertNotIn("ended with exit code", str(caught.exception))

    def test_hint(self):
        with self.assertRaises(bcstage.InputError) as caught:
            bcstage.betweenness(pa.table({"a": [1], "b": [2]}))
        self.assertEqual(caught.exception.hint, "give src='a' and dst='b' if these are the ends")

    def test_messages_name_arguments(self):
        """Messages name arguments, not flags, with their values as given."""
        for options, says, hint in (
            ({"samples": 3}, "samples= needs estimate=True", "see help(bcstage.betweenness)"),
            ({"estimate": True, "samples": -3}, "samples=-3: want 0 or more", ""),
            ({"engine": "warp"}, "engine='warp': want one of auto, cpu, gpu", "see help(bcstage.betweenness)"),
            ({"scale": "component", "directed": True}, "scale='component' together with directed=True: vertices of a component need not reach each other; scale='pairs' divides", ""),
            ({"resume": True}, "resume=True needs checkpoint=", ""),
            ({"keep": ["name"]}, 'keep=["name"] needs a vertex table; name it with vertices=', ""),
            ({"directed": True, "columns": ["closeness"]}, "columns=['closeness'] of a directed graph", ""),
            ({"weight": "km"}, 'no column "km"', ""),
        ):
            with self.subTest(options), self.assertRaises(bcstage.Error) as caught:
                bcstage.betweenness(PATH, **options)
            self.assertIn(says, caught.exception.message)
            self.assertIn(hint, caught.exception.hint)
            self.assertNotIn("--", str(caught.exception))
        with self.assertRaises(bcstage.InputError) as caught:
            bcstage.betweenness(PATH.append_column("weight", pa.array([1, 2, 3])))
        self.assertEqual(caught.exception.message, 'edges: column "weight" is a weight')
        self.assertEqual(caught.exception.hint, "weight='weight' measures paths by them, ignore_weight=True reads the edges without")
        with self.assertRaisesRegex(bcstage.UsageError, r"see help\(bcstage\.closeness\)"):
            bcstage.closeness(PATH, engine="warp")

    def test_wrong_keywords(self):
        """A wrong keyword is a TypeError with a suggestion, in every call, before anything is read."""
        for call, wrong, guess in (
            (bcstage.betweenness, "normalised", "normalized"), (bcstage.betweenness, "smaples", "samples"), (bcstage.centralities, "column", "columns"),
            (bcstage.closeness, "tops", "top"), (bcstage.harmonic, "souces", "sources"), (bcstage.eccentricity, "weights", "weight"),
            (bcstage.components, "vertex", "vertices"), (bcstage.edge_betweenness, "weighted", "weight"), (bcstage.info, "thread", "threads"),
            (bcstage.merge, "sorted", "sort"), (bcstage.report, "edge", "edges"), (bcstage.distances, "path", "paths"), (bcstage.distance_batches, "cut_off", "cutoff"),
            (bcstage.whatif, "remove_edge", "remove_edges"),
        ):
            with self.subTest(wrong), self.assertRaisesRegex(TypeError, rf"^{call.__name__}\(\) got an unexpected keyword argument '{wrong}'\. Did you mean '{guess}'\?$"):
                call("no such file.csv", **{wrong: 1})
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'output'$"):
            bcstage.betweenness(PATH, output="scores.csv")
        with self.assertRaises(TypeError):  # columns are required
            bcstage.closeness(PATH, estimate=True)

    def test_help_spells_keywords_out(self):
        parameters = inspect.signature(bcstage.closeness).parameters
        self.assertEqual((parameters["edges"].kind.name, parameters["weight"].kind.name, parameters["directed"].default), ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY", False))
        self.assertNotIn("options", parameters)
        self.assertIn("Examples", bcstage.closeness.__doc__)

    def test_the_callers_stream_fails(self):
        def batches():
            yield PATH.to_batches()[0]
            raise KeyError("the 2nd batch")

        with self.assertRaises((KeyError, pa.ArrowException, OSError)):
            bcstage.betweenness(pa.RecordBatchReader.from_batches(PATH.schema, batches()))

    def test_nothing_is_left(self):
        before = set(threading.enumerate())
        with contextlib.suppress(bcstage.Error):
            bcstage.betweenness(pa.table({"a": [1], "b": [2]}))
        bcstage.betweenness(PATH)
        self.assertEqual(set(threading.enumerate()), before)

    @unittest.skipIf(sys.platform == "win32", "signals are POSIX's")
    def test_interrupt(self):
        """Ctrl-C while the command waits for endless edges: KeyboardInterrupt, and no process is left."""
        script = (
            "import bcstage, os, pyarrow as pa, signal, threading\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # which a shell's background jobs ignore
            "batch = pa.RecordBatch.from_pydict({'src': [1], 'dst': [2]})\n"
            "def endless():\n"
            "    yield batch\n"
            "    signal.pthread_kill(threading.get_ident(), signal.SIGINT)\n"  # this thread receives it, and the waiting thread is not woken
            "    while True: yield batch\n"
            "try: bcstage.betweenness(pa.RecordBatchReader.from_batches(batch.schema, endless()))\n"
            "except KeyboardInterrupt: print('interrupted')\n"
            "try: print(os.waitpid(-1, os.WNOHANG))\n"
            "except ChildProcessError: print('no child')\n")
        out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertEqual(out.stdout.split("\n")[:2], ["interrupted", "no child"], out.stderr)

    @unittest.skipIf(sys.platform == "win32", "signals are POSIX's")
    def test_interrupt_while_the_caller_blocks(self):
        """Nothing ends a generator that waits for its source; the call and Python end all the same."""
        script = (
            "import bcstage, os, signal, threading\n"
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "def blocked():\n"
            "    yield {'src': [1], 'dst': [2]}\n"
            "    os.kill(os.getpid(), signal.SIGINT)\n"
            "    threading.Event().wait()\n"
            "try: bcstage.betweenness(blocked())\n"
            "except KeyboardInterrupt: print('interrupted')\n"
            "try: print(os.waitpid(-1, os.WNOHANG))\n"
            "except ChildProcessError: print('no child')\n")
        out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
        self.assertEqual(out.stdout.split("\n")[:2], ["interrupted", "no child"], out.stderr)

    def test_refused_while_the_caller_blocks(self):
        """Errors about options are raised even if edges never come."""
        over = threading.Event()

        def blocked():
            yield {"src": [1], "dst": [2]}
            over.wait()

        with self.assertRaises(bcstage.UsageError):
            bcstage.betweenness(blocked(), engine="warp")
        over.set()


class Names(unittest.TestCase):
    """Calls of single measures."""

    def test_measures(self):
        for call, column in ((bcstage.closeness, "closeness"), (bcstage.harmonic, "harmonic"), (bcstage.eccentricity, "eccentricity")):
            with self.subTest(column):
                self.assertEqual(call(PATH), bcstage.centralities(PATH, columns=column))
                default = "out" if column == "eccentricity" else "in"
                self.assertEqual(call(PATH, directed=True), bcstage.centralities(PATH, directed=True, columns=f"{column}_{default}"))
                for direction in ("in", "out"):
                    self.assertEqual(call(PATH, directed=True, direction=direction), bcstage.centralities(PATH, directed=True, columns=[f"{column}_{direction}"]))
                self.assertNotEqual(call(PATH, directed=True, direction="in"), call(PATH, directed=True, direction="out"))
                with self.assertRaisesRegex(bcstage.UsageError, "directed=True"):
                    call(PATH, direction="in")

    def test_components(self):
        table = bcstage.components([(1, 2), (7, 8), (2, 3)], vertices=[9])
        self.assertEqual(sorted(zip(*(column.to_pylist() for column in table.columns))), [(1, 1, 3), (2, 1, 3), (3, 1, 3), (7, 2, 2), (8, 2, 2), (9, 0, 1)])
        self.assertEqual(bcstage.components(PATH, directed=True)["component_size"].to_pylist(), [4] * 4)

    def test_centralities(self):
        table = bcstage.centralities(PATH, columns=["degree", "betweenness"], normalized=True)
        self.assertEqual(table.column_names, ["vertex", "degree", "betweenness_centrality"])
        with self.assertRaises(TypeError):
            bcstage.centralities(PATH)

    def test_every_measure_is_known(self):
        """The measures for type checkers are those of the command."""
        text = subprocess.run([bcstage.command_path(), "run", "--help"], capture_output=True, text=True, check=True).stdout
        listed = re.search(r"betweenness if\s+not\s+given: ([\w,\s]+)\n\s+-", text)[1]
        names = {name.strip() for name in listed.split(",")}
        known = set(typing.get_args(bcstage._keywords.Measure))
        self.assertEqual({name for name in known if not name.endswith(("_in", "_out"))}, names)
        for name in known:
            directed = name.endswith(("_in", "_out"))
            columns = ["degree", name] if name == "rank" else [name]
            self.assertEqual(bcstage.centralities(PATH, columns=columns, directed=directed).num_columns, 1 + len(columns))

    def test_examples(self):
        """The examples of the documentation run unchanged."""
        for name in bcstage.__all__:
            call = getattr(bcstage, name)
            if not inspect.isfunction(call) or name in ("version", "command_path"):
                continue
            with self.subTest(name):
                if name == "scan":
                    optional("polars")
                test = doctest.DocTestParser().get_doctest(inspect.getdoc(call), {}, name, None, None)
                runner, report = doctest.DocTestRunner(), io.StringIO()
                runner.run(test, out=report.write)
                self.assertEqual((runner.failures, runner.tries > 1), (0, True), report.getvalue())

    def test_version(self):
        """The version is spelled alike in the package, the command, and its files."""
        written = bcstage.betweenness(PATH).schema.metadata[b"bcstage:version"].decode()
        self.assertEqual(bcstage.version(), written)
        try:
            installed = importlib.metadata.version("bcstage")
        except importlib.metadata.PackageNotFoundError:
            return  # from a checkout
        self.assertEqual((bcstage.__version__, installed), (written, written))


if __name__ == "__main__":
    unittest.main()
