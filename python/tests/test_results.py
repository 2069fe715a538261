"""Results of calls, in other libraries, and as lazy frames."""

import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import pyarrow as pa

import bcstage
from bcstage import _scan
from support import PATH, SCORES, by_vertex, optional


class Results(unittest.TestCase):
    def test_stream(self):
        result = bcstage.betweenness(PATH)
        self.assertEqual(pa.table(result), result.to_arrow())
        self.assertEqual(by_vertex(pa.table(result)), SCORES)
        self.assertEqual(by_vertex(bcstage.merge(self.parts())), SCORES)

    def parts(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        for i in range(2):
            part = bcstage.betweenness(PATH, shard=f"{i}/2").to_arrow()
            with pa.ipc.new_file(os.path.join(folder, f"{i}.arrow"), part.schema) as file:
                file.write_table(part)
            yield os.path.join(folder, f"{i}.arrow")

    def test_statistics(self):
        given = {}
        result = bcstage.betweenness(PATH, stats=given)
        self.assertEqual((result.stats["n"], result.stats["m"]), (4, 3))
        self.assertIs(result.stats, given)
        self.assertEqual(bcstage.edge_betweenness(PATH).stats["m"], 3)
        self.assertEqual(bcstage.merge(list(self.parts())).stats["n"], 4)

    def test_as_the_table(self):
        result = bcstage.betweenness(PATH)
        self.assertEqual((len(result), result.column_names), (4, ["vertex", "betweenness_centrality"]))
        self.assertEqual(result, bcstage.betweenness(PATH))
        self.assertEqual(pickle.loads(pickle.dumps(result)), result)
        self.assertNotEqual(result, bcstage.closeness(PATH))
        self.assertNotEqual(result, 3)
        with self.assertRaises(AttributeError):
            result.no_such_thing

    def test_other_libraries(self):
        result = bcstage.betweenness({"src": ["a", "b"], "dst": ["b", "c"]})
        want = [("a", 0.0), ("b", 1.0), ("c", 0.0)]
        polars, pandas, duckdb = optional("polars"), optional("pandas"), optional("duckdb")
        self.assertEqual(result.to_polars().rows(), want)
        self.assertEqual(polars.DataFrame(result).rows(), want)
        self.assertEqual(list(result.to_pandas().itertuples(index=False, name=None)), want)
        self.assertIsInstance(result.to_pandas(), pandas.DataFrame)
        self.assertEqual(duckdb.sql("SELECT * FROM result").fetchall(), want)

    def test_report_takes_it(self):
        result = bcstage.betweenness(PATH)
        self.assertIn("<h2>Degree", bcstage.report(result, stats=result.stats, edges=PATH))
        self.assertEqual(by_vertex(bcstage.betweenness(PATH, vertices=result)), SCORES)

    def test_notebook(self):
        page = bcstage.betweenness({"src": ["<b>", "<b>", "c"], "dst": ["a", "c", "d"]})._repr_html_()
        self.assertLess(page.index("&lt;b&gt;"), page.index("<td>a</td>"))  # highest first
        self.assertNotIn("<b>", page)
        self.assertIn("<summary>Report</summary>", page)
        self.assertIn("bcstage.report(result)", bcstage.distances(PATH, [1])._repr_html_())
        self.assertIn("0 rows", bcstage.betweenness(PATH.slice(0, 0))._repr_html_())

    def test_shown(self):
        self.assertEqual(repr(bcstage.betweenness(PATH, top=1)), "<bcstage.Result: 1 rows>\nvertex: int64 betweenness_centrality: double\n2  2.0")

    def test_cut_short(self):
        with self.assertRaisesRegex(RuntimeError, "without a complete table"):
            bcstage.Result(bcstage.betweenness(PATH)._data[:-1], {})

    @unittest.skipIf(sys.platform == "win32", "links want a right there")
    def test_without_pyarrow(self):
        """Paths and frames of polars work without pyarrow; calls that need it say so."""
        polars = optional("polars")
        with tempfile.TemporaryDirectory() as folder:
            edges = os.path.join(folder, "edges.csv")
            with open(edges, "w") as file:
                file.write("src,dst\n1,2\n2,3\n3,4\n")
            program = f"""
import bcstage, polars
want = [(1, 0.0), (2, 2.0), (3, 2.0), (4, 0.0)]
result = bcstage.betweenness({edges!r})
assert result.to_polars().rows() == want
assert polars.DataFrame(result).rows() == want
frame = polars.DataFrame({{"src": [1, 2, 3], "dst": [2, 3, 4]}})
for given in frame, frame.lazy():
    assert bcstage.betweenness(given, vertices=polars.DataFrame({{"id": [1]}})).to_polars().rows() == want
assert bcstage.scan(frame).collect().rows() == want

assert len(bcstage.report(result)) > 1000
assert "bytes of Arrow" in repr(result) and "bytes of Arrow" in result._repr_html_()

try:
    result.to_arrow()
except ImportError as error:
    assert "pip install pyarrow" in str(error)
else:
    raise AssertionError
"""
            # All installed packages except pyarrow.
            for module in polars, bcstage:
                packages = os.path.dirname(os.path.dirname(module.__file__))
                for name in os.listdir(packages):
                    link = os.path.join(folder, name)
                    if not name.startswith("pyarrow") and not os.path.lexists(link):
                        os.symlink(os.path.join(packages, name), link)
            subprocess.run([sys.executable, "-S", "-c", program], check=True,
                           env={**os.environ, "PYTHONPATH": folder, "BCSTAGE_EXECUTABLE": bcstage.command_path()})


class Scan(unittest.TestCase):
    def setUp(self):
        optional("polars")
        self.runs = []
        real = _scan.table_of

        def counted(command, call, edges, options):
            self.runs.append(options)
            return real(command, call, edges, options)
        patch = unittest.mock.patch.object(_scan, "table_of", counted)
        patch.start()
        self.addCleanup(patch.stop)

    def searched(self):
        """The columns of the runs, without runs that only asked for types."""
        return [run["columns"] for run in self.runs if "sources" not in run]

    def test_columns_that_are_used(self):
        frame = bcstage.scan(PATH, columns=["betweenness", "closeness", "farness"])
        self.assertEqual(self.runs, [])
        self.assertEqual(frame.select("farness").collect().rows(), [(6,), (4,), (4,), (6,)])
        self.assertEqual(frame.filter(vertex=2).select("vertex", "betweenness_centrality").collect().rows(), [(2, 2.0)])
        self.assertEqual(frame.head(1).collect().rows(), [(1, 0.0, 0.5, 6)])
        self.assertEqual(frame.select("vertex").collect().rows(), [(1,), (2,), (3,), (4,)])
        self.assertEqual(self.searched(), [["farness"], ["betweenness"], ["betweenness", "closeness", "farness"], ["degree"]])
        self.assertEqual(len(self.runs), 5)  # types are asked for once

    def test_what_takes_one_column_from_another(self):
        self.assertEqual(bcstage.scan(PATH, columns=["betweenness", "farness"], top=2).select("farness").collect().rows(), [(4,), (4,)])
        self.assertEqual(bcstage.scan(PATH, columns=["betweenness", "rank"]).select("rank").collect().rows(), [(3,), (1,), (1,), (3,)])
        ends = bcstage.scan(PATH, estimate=True, way="sources", samples=4).select("lower").collect()
        self.assertEqual(ends.rows(), [(0.0,), (2.0,), (2.0,), (0.0,)])

    def test_kinds_of_edges(self):
        frame = optional("polars").DataFrame({"src": ["a", "b"], "dst": ["b", "c"]})
        for edges in frame, frame.lazy(), [("a", "b"), ("b", "c")], iter([("a", "b"), ("b", "c")]), frame.to_arrow().to_reader():
            with self.subTest(type(edges)):
                lazy = bcstage.scan(edges, directed=True)
                for _ in range(2):
                    self.assertEqual(lazy.collect().rows(), [("a", 0.0), ("b", 1.0), ("c", 0.0)])

    def test_schema(self):
        polars = optional("polars")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "edges.csv")
            with open(path, "w") as file:
                file.write("src,dst,day\n1,2,x\n2,3,x\n")
            lazy = bcstage.scan(path, columns=["eccentricity", "independent_set"], by="day", vertices={"day": ["x"], "id": [9], "name": ["i"]}, keep="name")
            self.assertEqual(lazy.collect().schema, lazy.collect_schema())
            self.assertEqual(lazy.collect_schema(), {"day": polars.String, "vertex": polars.Int64, "name": polars.String,
                                                     "eccentricity": polars.Int64, "independent_set": polars.Boolean})

    def test_refused(self):
        with self.assertRaisesRegex(TypeError, "no shard"):
            bcstage.scan(PATH, shard="0/2")
        with self.assertRaisesRegex(optional("polars").exceptions.ComputeError, "no column"):
            bcstage.scan(PATH, weight="length").collect()


if __name__ == "__main__":
    unittest.main()
