"""Forms of edges and vertices: tables of many libraries, ids in any container, and refusals with the line that converts."""

import datetime
import os
import re
import subprocess
import tempfile
import unittest
from decimal import Decimal

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

import bcstage
from support import PATH, SCORES, by_vertex, optional


class Edges(unittest.TestCase):
    def agree(self, edges, **options):
        self.assertEqual(by_vertex(bcstage.betweenness(edges, **options)), SCORES)

    def test_python(self):
        """Pairs and columns, at once or one after the other."""
        pairs = [(1, 2), (2, 3), (3, 4)]
        for edges in (pairs, tuple(map(list, pairs)), iter(pairs), (pair for pair in pairs), {"src": [1, 2, 3], "dst": [2, 3, 4]}, {"src": range(1, 4), "dst": (2, 3, 4)}):
            with self.subTest(type(edges)):
                self.agree(edges)
        named = bcstage.betweenness([("a", "b"), ("b", "c")])
        self.assertEqual(by_vertex(named), {"a": 0.0, "b": 1.0, "c": 0.0})
        long = bcstage.components((i, i + 1) for i in range(200_000))  # several batches
        self.assertEqual(long.num_rows, 200_001)

    def test_generators_of_tables(self):
        self.agree(PATH.slice(i, 1) for i in range(3))
        self.agree(batch for batch in PATH.to_batches(max_chunksize=2))
        self.agree({"src": [i], "dst": [i + 1]} for i in (1, 2, 3))
        pandas = optional("pandas")
        self.agree(pandas.DataFrame({"src": [i], "dst": [i + 1]}) for i in (1, 2, 3))

    def test_batches_and_datasets(self):
        self.agree(PATH.to_batches()[0])
        with tempfile.TemporaryDirectory() as folder:
            pq.write_table(PATH, os.path.join(folder, "0.parquet"))
            self.agree(ds.dataset(folder))
            self.agree(ds.dataset(folder).scanner(columns=["src", "dst"]))

    def test_lazy_frames(self):
        polars = optional("polars")
        self.agree(polars.LazyFrame({"src": [1, 2, 3, 7], "dst": [2, 3, 4, 8]}).filter(polars.col("src") < 5))

    def test_numpy(self):
        numpy = optional("numpy")
        self.agree(numpy.array([[1, 2], [2, 3], [3, 4]]))
        self.agree(numpy.array([[1, 2, 3], [2, 3, 4]], numpy.uint8).T)
        self.agree({"src": numpy.arange(1, 4), "dst": numpy.arange(2, 5)})
        for shape in ((3,), (3, 3), (2, 2, 2)):
            with self.subTest(shape), self.assertRaisesRegex(TypeError, r"want \(m, 2\)"):
                bcstage.betweenness(numpy.zeros(shape, int))

    def test_delta_tables(self):
        """Deleted rows are deleted."""
        deltalake = optional("deltalake")
        with tempfile.TemporaryDirectory() as folder:
            deltalake.write_deltalake(folder, pa.concat_tables([PATH, pa.table({"src": [3], "dst": [9]})]))
            table = deltalake.DeltaTable(folder)
            table.delete("dst = 9")
            self.agree(table)

    def test_iceberg_tables(self):
        catalogs = optional("pyiceberg.catalog.sql").catalog.sql
        with tempfile.TemporaryDirectory() as folder:
            catalog = catalogs.SqlCatalog("test", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}/lake")
            catalog.create_namespace("lake")
            table = catalog.create_table("lake.edges", schema=PATH.schema)
            table.append(pa.concat_tables([PATH, pa.table({"src": [3], "dst": [9]})]))
            table.delete("dst = 9")
            self.agree(table)
            self.agree(table.scan(selected_fields=("src", "dst")))

    def test_places(self):
        """Streets as osmnx has them: ends in the index, a geometry each."""
        geopandas, shapely, pandas = optional("geopandas"), optional("shapely"), optional("pandas")
        index = pandas.MultiIndex.from_tuples([(1, 2, 0), (2, 3, 0), (3, 4, 0)], names=["u", "v", "key"])
        lines = [shapely.LineString([(i, 0), (i + 1, 0)]) for i in range(3)]
        streets = geopandas.GeoDataFrame({"metres": [1.5, 2.5, 3.5]}, geometry=lines, index=index, crs="EPSG:3857")
        self.agree(streets, weight="metres")
        places = geopandas.GeoDataFrame({"id": [1, 9], "name": ["a", "i"]}, geometry=geopandas.points_from_xy([0, 1], [0, 1]))
        table = bcstage.betweenness(streets, weight="metres", vertices=places, keep=["name"])
        self.assertEqual(dict(zip(table["vertex"].to_pylist(), table["name"].to_pylist())), {1: "a", 9: "i", 2: None, 3: None, 4: None})

    def test_geometries_are_kept(self):
        """A table of places becomes a map of scores; GeoParquet's metadata of geometries is kept."""
        geopandas, shapely = optional("geopandas"), optional("shapely")
        points = geopandas.points_from_xy([0, 1, 2], [0, 1, 2])
        places = geopandas.GeoDataFrame({"id": [1, 2, 3], "name": ["a", "b", "c"]}, geometry=points, crs="EPSG:3857").rename_geometry("place")
        with tempfile.TemporaryDirectory() as folder:
            edges, vertices = os.path.join(folder, "edges.csv"), os.path.join(folder, "places.parquet")
            with open(edges, "w") as file:
                file.write("src,dst\n1,2\n2,3\n3,4\n")
            places.to_parquet(vertices)
            for ending, read in ("parquet", geopandas.read_parquet), ("feather", geopandas.read_feather):
                output = os.path.join(folder, "scores." + ending)
                subprocess.run([bcstage.command_path(), edges, "--vertices", vertices, "--keep", "name,place", "-o", output, "--quiet"], check=True)
                scored = read(output)
                self.assertEqual((scored.geometry.name, scored.crs.to_epsg()), ("place", 3857))
                self.assertEqual(list(scored.geometry), [*(shapely.Point(i, i) for i in range(3)), None])
                self.assertEqual(list(scored["betweenness_centrality"]), [0, 2, 2, 0])

    def test_a_map_of_places(self):
        """A report draws kept places, also from frames without metadata, and edges between their ends."""
        geopandas, polars = optional("geopandas"), optional("polars")
        places = geopandas.GeoDataFrame({"id": [1, 2, 3]}, geometry=geopandas.points_from_xy([0, 1, 2], [0, 1, 2]))
        path = [(1, 2), (2, 3), (3, 4)]
        scores = bcstage.betweenness(path, vertices=places, keep="geometry")
        for table in scores, scores.to_pandas(), polars.DataFrame(scores):
            self.assertIn("1 of 4 vertices have no place", bcstage.report(table))
        self.assertIn("1 of 3 edges have no place", bcstage.report(bcstage.edge_betweenness(path), vertices=scores))

    def test_graphs_and_matrices(self):
        """Graphs are refused with the line that converts them, and that line works."""
        made = {
            "networkx": lambda networkx: networkx.path_graph(4),
            "igraph": lambda igraph: igraph.Graph([(0, 1), (1, 2), (2, 3)]),
            "scipy.sparse": lambda scipy: scipy.sparse.csr_matrix(([1, 1, 1], ([0, 1, 2], [1, 2, 3])), shape=(4, 4)),
        }
        for name, make in made.items():
            module = optional(name)
            edges = make(module)
            with self.subTest(name):
                with self.assertRaises(TypeError) as refused:
                    bcstage.betweenness(edges)
                line = re.search(r"convert it:\n    (.*)\n", str(refused.exception))[1]
                names = {"edges": edges, module.__name__: module}
                exec(line, names)
                self.assertEqual(list(by_vertex(bcstage.betweenness(names["table"])).values()), [0.0, 2.0, 2.0, 0.0])
                with self.assertRaisesRegex(TypeError, r"table = |coo = "):
                    bcstage.betweenness(PATH, sources=edges)

    def test_others_are_refused(self):
        for edges in (3, None, b"edges.csv", [3], [[1, 2, 3]], [(1, 2), (3,)], [(1, "a"), ("b", 2)], [(1, 2), "ab"], ["a.csv", 3], object()):
            with self.subTest(edges), self.assertRaisesRegex(TypeError, "^edges: "):
                bcstage.betweenness(edges)
        for edges in ([], "-", iter(())):
            with self.subTest(edges), self.assertRaises(ValueError):
                bcstage.betweenness(edges)

    def test_dicts_and_columns_that_are_no_table(self):
        """Regression: such dicts ended in errors of pyarrow, without an argument or a hint."""
        for edges, line in (
            ({1: [2, 3], 2: [3]}, "pairs = [(u, v) for u, near in edges.items() for v in near]"),
            ({"a": ["b", "c"], "b": ["c"]}, "pairs = [(u, v) for u, near in edges.items() for v in near]"),
            ({(1, 2): 0.5, (2, 3): 1.5}, "pairs = list(edges)"),
            ([{"src": 1, "dst": 2}], "table = pyarrow.Table.from_pylist(list(edges))"),
            (pa.array([1, 2]), "one column: want a table of two"),
        ):
            with self.subTest(edges), self.assertRaisesRegex(TypeError, "^edges: ") as caught:
                bcstage.betweenness(edges)
            self.assertIn(line, str(caught.exception))
        with self.assertRaisesRegex(TypeError, r"^vertices: dict is neither .* for its keys give list\(vertices\)"):
            bcstage.betweenness(PATH, vertices={1: None, 9: None})

    def test_text_that_is_no_file(self):
        for what in ("sources", "targets", "vertices"):
            with self.assertRaises(bcstage.MissingInputError) as missing:
                bcstage.betweenness(PATH, **{what: "Rome"})
            self.assertEqual((missing.exception.message, missing.exception.hint), (f"{what}: Rome: no such file or directory", f"give ids as a list: {what}=['Rome']"))
        with self.assertRaisesRegex(bcstage.MissingInputError, "^Rome: no such file"):
            bcstage.betweenness("Rome")
        with self.assertRaisesRegex(bcstage.MissingInputError, "^sources: Rome: no such file"):
            bcstage.distances(PATH, "Rome")


class Ids(unittest.TestCase):
    def containers(self):
        """The ids 1 and 9 in every form, tables also with another column."""
        yield from ([1, 9], (1, 9), {1, 9}, {1: "a", 9: "i"}.keys(), range(1, 10, 8), iter([1, 9]), (i for i in (1, 9)))
        yield from (pa.array([1, 9]), pa.chunked_array([[1], [9]]))
        table = {"id": [1, 9], "name": ["a", "i"]}
        yield from (table, pa.table(table), pa.table(table).to_reader(), pa.table(table).to_batches()[0])
        for name, more in (("numpy", ("array",)), ("pandas", ("Series", "Index", "DataFrame")), ("polars", ("Series", "DataFrame", "LazyFrame"))):
            try:
                module = optional(name)
            except unittest.SkipTest:
                continue
            yield from (getattr(module, kind)(table if "Frame" in kind else [1, 9]) for kind in more)

    def test_vertices(self):
        for ids in self.containers():
            with self.subTest(type(ids)):
                self.assertEqual(by_vertex(bcstage.betweenness(PATH, vertices=ids)), {**SCORES, 9: 0.0})

    def test_kept_columns(self):
        kept = 0
        for ids in self.containers():
            if isinstance(ids, (dict, pa.Table, pa.RecordBatch, pa.RecordBatchReader)) or "Frame" in type(ids).__name__:
                kept += 1
                with self.subTest(type(ids)):
                    table = bcstage.betweenness(PATH, vertices=ids, keep="name")
                    self.assertEqual(dict(zip(table["vertex"].to_pylist(), table["name"].to_pylist())), {1: "a", 9: "i", 2: None, 3: None, 4: None})
        self.assertGreaterEqual(kept, 4)

    def test_ends(self):
        edges = pa.table({"src": [1, 2, 3, 9], "dst": [2, 3, 4, 4]})
        want = by_vertex(bcstage.betweenness(edges, sources=[1, 9]))
        for ids in self.containers():
            with self.subTest(type(ids)):
                self.assertEqual(by_vertex(bcstage.betweenness(edges, sources=ids)), want)
        for ids in self.containers():
            with self.subTest(type(ids)):
                self.assertEqual(by_vertex(bcstage.betweenness(edges, targets=ids)), want)
        for ids in self.containers():
            with self.subTest(type(ids)):
                self.assertEqual(set(bcstage.distances(edges, ids)["source"].to_pylist()), {1, 9})
        self.assertEqual(bcstage.distances(edges, [1], targets=(i for i in (4,))).to_pydict(), {"source": [1], "vertex": [4], "distance": [3]})

    def test_others_are_refused(self):
        for ids in (3, [1, "a"], [(1, 2)], b"1", object()):
            for what in ("vertices", "sources", "targets"):
                with self.subTest(ids), self.assertRaises((TypeError, bcstage.InputError)) as refused:
                    bcstage.betweenness(PATH, **{what: ids})
                self.assertRegex(str(refused.exception), f"^{what}: ")

    def test_errors_name_the_argument(self):
        """Errors name the argument, not its temporary file."""
        with self.assertRaisesRegex(bcstage.InputError, "^sources: .*1 of 2 ids are not in the graph"):
            bcstage.betweenness(PATH, sources=[1, 9])
        with self.assertRaisesRegex(bcstage.InputError, "^vertices: .*no column \"place\""):
            bcstage.betweenness(PATH, vertices={"id": [1], "name": ["a"]}, keep="place")


class Pandas(unittest.TestCase):
    def test_missing_ids(self):
        """pandas turns integers into floating-point numbers if some are missing."""
        pandas = optional("pandas")
        frame = pandas.DataFrame({"src": [1, 2, None, 3], "dst": [2, 3, 4, 4], "length": [1.0, 2.5, 3, 4]})
        with self.assertRaises(bcstage.InputError) as refused:
            bcstage.betweenness(frame)
        self.assertIn("convert_dtypes()", refused.exception.hint)
        self.assertEqual(bcstage.betweenness(frame, nulls="drop", weight="length").schema.field("vertex").type, pa.int64())
        self.assertEqual(by_vertex(bcstage.betweenness(frame, nulls="drop", weight="length")), SCORES)
        self.assertEqual(by_vertex(bcstage.betweenness(frame.convert_dtypes(), nulls="drop", weight="length")), SCORES)
        some = pandas.Series([1, None, 2])
        for ids in some, some.to_frame("id"):
            self.assertEqual(by_vertex(bcstage.betweenness(PATH, nulls="drop", sources=ids)), {1: 0, 2: 1, 3: 1, 4: 0})
            self.assertEqual(by_vertex(bcstage.betweenness(PATH, nulls="drop", vertices=ids)), SCORES)

    def test_ids_that_are_not_whole(self):
        pandas = optional("pandas")
        for wrong in (2.5, 2.0**60):
            frame = pandas.DataFrame({"src": [1, wrong, None], "dst": [2, 3, 4]})
            with self.subTest(wrong), self.assertRaisesRegex(bcstage.InputError, 'column "src": ids of type float64'):
                bcstage.betweenness(frame, nulls="drop")


class Values(unittest.TestCase):
    def test_names_with_commas(self):
        graphs = pa.table({"src": [1, 2, 1], "dst": [2, 3, 3], "day, month": ["1, 2", "1, 2", '"x"']})
        table = bcstage.betweenness(graphs, by="day, month")
        self.assertEqual(table.column_names, ["day, month", "vertex", "betweenness_centrality"])
        self.assertEqual(table, bcstage.betweenness(graphs, by=["day, month"]))
        names = {"id": [1], "street, number": ["Way, 1"], 'a "b"': [2], "plain": [3]}
        kept = bcstage.betweenness(PATH, vertices=names, keep=["street, number", 'a "b"', "plain"])
        self.assertEqual(kept.column_names, ["vertex", "street, number", 'a "b"', "plain", "betweenness_centrality"])

    def test_empty_lists_are_not_given(self):
        self.assertEqual(by_vertex(bcstage.betweenness(PATH, by=[], keep=())), SCORES)
        with self.assertRaisesRegex(bcstage.UsageError, "weight=''.*want a value"):
            bcstage.betweenness(PATH, weight="")

    def test_small_numbers(self):
        edges = {"src": [1, 2, 3], "dst": [2, 3, 4], "km": [0.000004, 0.000006, 0.000001]}
        for cutoff in (1e-5, Decimal("1e-5"), "0.00001"):
            with self.subTest(cutoff):
                self.assertEqual(bcstage.distances(edges, [1], weight="km", cutoff=cutoff)["vertex"].to_pylist(), [1, 2, 3])
        self.assertEqual(bcstage.distances({"src": [1], "dst": [2], "km": [10**16]}, [1], weight="km", cutoff=1e16).num_rows, 2)

    def test_values_of_numpy(self):
        numpy = optional("numpy")
        self.assertEqual(bcstage.betweenness(PATH, top=numpy.int64(1), normalized=numpy.True_, directed=numpy.False_).num_rows, 1)
        self.assertEqual(bcstage.distances(PATH, [1], cutoff=numpy.float64(1)).num_rows, 2)

    def test_times(self):
        ring = {"src": range(50), "dst": [(i + 1) % 50 for i in range(50)]}
        self.assertEqual(bcstage.betweenness(ring, estimate=True, within=datetime.timedelta(minutes=1)).column_names[2:], ["lower", "upper"])


if __name__ == "__main__":
    unittest.main()
