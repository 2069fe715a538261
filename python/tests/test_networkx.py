"""The backend against NetworkX itself, with the wheel installed."""

import itertools
import os
import random
import subprocess
import sys
import unittest

try:
    import networkx as nx
except ImportError:
    if os.environ.get("BCSTAGE_REQUIRE_CLIENTS"):
        raise
    raise unittest.SkipTest("networkx is not installed")

nx.config.warnings_to_ignore.add("cache")


def graphs():
    """Graphs of every kind, with components, loops, isolated nodes and names of text; lengths on some edges."""
    rng = random.Random(1)
    for seed, kind in itertools.product(range(2), (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)):
        graph = kind(nx.gnm_random_graph(40, 50 + 20 * seed, seed=seed, directed=kind().is_directed()))
        graph.add_edges_from((rng.randrange(40), rng.randrange(40)) for _ in range(10))
        graph.add_edges_from([("loop", "loop"), (("a", 1), "loop"), (0, "loop")])
        graph.add_nodes_from(["alone", ("b", 2.5)])
        for u, v, data in graph.edges(data=True):
            if rng.random() < 0.8:
                data["length"] = rng.choice([1, 2, 3, 5])
        yield graph
    yield from (nx.empty_graph(n) for n in range(4))
    yield from (nx.path_graph(n) for n in range(2, 5))
    yield from (nx.path_graph(n, nx.DiGraph) for n in range(2, 5))


class Backend(unittest.TestCase):
    def agree(self, call, graph, *args, **options):
        with self.subTest(call.__name__, graph=str(graph), **options):
            want = call(graph, *args, **options)
            got = call(graph, *args, backend="bcstage", **options)
            self.assertEqual(set(got), set(want))
            for node, score in want.items():
                if score != score:
                    self.assertNotEqual(got[node], got[node])  # nan
                else:
                    self.assertAlmostEqual(got[node], score, delta=1e-12 * max(1, abs(score)))

    def test_betweenness(self):
        for graph in graphs():
            for normalized, weight in itertools.product((False, True), (None, "length")):
                self.agree(nx.betweenness_centrality, graph, normalized=normalized, weight=weight)
                self.agree(nx.betweenness_centrality, graph, normalized=normalized, weight=weight, endpoints=True)

    def test_edges(self):
        """Scores of edges are equal; parallel edges of equal length share a score."""
        for graph in graphs():
            for normalized, weight in itertools.product((False, True), (None, "length")):
                self.agree(nx.edge_betweenness_centrality, graph, normalized=normalized, weight=weight)
                for k in {1, 2, 7, len(graph)} & set(range(1, len(graph) + 1)):
                    self.agree(nx.edge_betweenness_centrality, graph, k=k, seed=5, normalized=normalized, weight=weight)
            self.assertEqual(list(nx.edge_betweenness_centrality(graph, backend="bcstage")), list(nx.edge_betweenness_centrality(graph)))
        parallel = nx.MultiGraph([(0, 1, {"length": 2}), (0, 1, {"length": 1}), (0, 1, {"length": 1}), (1, 2)])
        for weight in (None, "length"):
            self.agree(nx.edge_betweenness_centrality, parallel, weight=weight, normalized=False)

    def test_samples(self):
        """Equal seeds draw equal nodes; a generator is advanced equally, too."""
        for graph in graphs():
            for k in {1, 2, 7, len(graph)} & set(range(1, len(graph) + 1)):
                for normalized, endpoints in itertools.product((False, True), repeat=2):
                    self.agree(nx.betweenness_centrality, graph, k=k, seed=5, normalized=normalized, endpoints=endpoints)
                self.agree(nx.betweenness_centrality, graph, k=k, seed=5, weight="length")
        one, other = random.Random(3), random.Random(3)
        nx.betweenness_centrality(nx.path_graph(9), k=4, seed=one)
        nx.betweenness_centrality(nx.path_graph(9), k=4, seed=other, backend="bcstage")
        self.assertEqual(one.random(), other.random())
        with self.assertRaises(ValueError):
            nx.betweenness_centrality(nx.path_graph(5), k=6, backend="bcstage")

    def test_subset(self):
        for graph in graphs():
            nodes = list(graph)
            for sources, targets in ((nodes[::2], nodes[1::3]), (nodes[:5], nodes), (nodes, set(nodes[:3])), ([], nodes), (nodes, [])):
                for normalized, weight in ((False, None), (True, None), (False, "length")):
                    self.agree(nx.betweenness_centrality_subset, graph, sources, targets, normalized=normalized, weight=weight)

    def test_distances(self):
        for graph in graphs():
            for length in (None, "length"):
                self.agree(nx.closeness_centrality, graph, distance=length)
                self.agree(nx.closeness_centrality, graph, distance=length, wf_improved=False)
                self.agree(nx.harmonic_centrality, graph, distance=length)
                if not len(graph):
                    continue
                if (nx.is_strongly_connected if graph.is_directed() else nx.is_connected)(graph):
                    self.agree(nx.eccentricity, graph, weight=length)
                    self.assertEqual({type(d) for d in nx.eccentricity(graph, weight=length, backend="bcstage").values()}, {int})
                else:
                    for backend in ("networkx", "bcstage"):
                        with self.assertRaisesRegex(nx.NetworkXError, "not (strongly )?connected"):
                            nx.eccentricity(graph, weight=length, backend=backend)

    def whole_graphs(self):
        """Connected graphs, with and without lengths; the last ones have three nodes, two, and one."""
        for kind in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
            graph = kind(nx.gnm_random_graph(40, 90, seed=4, directed=kind().is_directed()))
            graph.add_edges_from((node, (node + 1) % 40) for node in range(40))
            graph.add_edges_from([("loop", "loop"), (3, "loop"), ("loop", 3)])
            for i, (_, _, data) in enumerate(graph.edges(data=True)):
                if i % 5:
                    data["length"] = 1 + i % 7
                data["half"] = 1 + i % 9 / 2
            yield graph
        yield from (nx.cycle_graph(3), nx.path_graph(2), nx.empty_graph(1), nx.complete_graph(2, nx.DiGraph), nx.empty_graph(1, nx.DiGraph))

    def same(self, call, graph, **options):
        with self.subTest(call.__name__, graph=str(graph), **options):
            want, got = call(graph, **options), call(graph, backend="bcstage", **options)
            if isinstance(want, list):
                self.assertEqual(got, want)
            else:
                self.assertEqual(type(got), type(want))
                self.assertTrue(got == want or got != got and want != want or abs(got - want) <= 1e-12 * abs(want), (got, want))

    def test_sums_and_extremes(self):
        calls = (nx.diameter, nx.radius, nx.center, nx.periphery, nx.barycenter, nx.wiener_index, nx.average_shortest_path_length)
        for graph in self.whole_graphs():
            for call, weight in itertools.product(calls, (None, "length", "half")):
                tree = call in (nx.center, nx.barycenter) and not weight and not graph.is_directed() and graph.number_of_edges() == len(graph) - 1
                if tree:
                    with self.assertRaises(NotImplementedError):
                        call(graph, backend="bcstage")
                    continue
                self.same(call, graph, weight=weight)
            for weight in (None, "length"):
                self.same(nx.harmonic_diameter, graph, weight=weight)
            if not graph.is_directed():
                self.same(nx.global_efficiency, graph)

    def test_sums_of_parts(self):
        """Disconnected graphs."""
        for graph in graphs():
            self.same(nx.harmonic_diameter, graph, weight="length")
            if not graph.is_directed():
                self.same(nx.global_efficiency, graph)
            if not len(graph):
                for call in (nx.diameter, nx.radius, nx.center, nx.periphery, nx.barycenter, nx.wiener_index, nx.average_shortest_path_length):
                    with self.assertRaises(NotImplementedError):
                        call(graph, backend="bcstage")
            elif not (nx.is_strongly_connected if graph.is_directed() else nx.is_connected)(graph):
                self.same(nx.wiener_index, graph)
                for call, error in ((nx.diameter, nx.NetworkXError), (nx.average_shortest_path_length, nx.NetworkXError), (nx.barycenter, nx.NetworkXNoPath)):
                    for backend in ("networkx", "bcstage"):
                        if call is nx.barycenter and not graph.is_directed() and graph.number_of_edges() == len(graph) - 1:
                            continue
                        with self.subTest(call.__name__, graph=str(graph)), self.assertRaises(error):
                            call(graph, backend=backend)

    def test_distances_of_pairs(self):
        for graph in graphs():
            for cutoff in (None, 0, 2):
                want = dict(nx.all_pairs_shortest_path_length(graph, cutoff))
                got = dict(nx.all_pairs_shortest_path_length(graph, cutoff, backend="bcstage"))
                self.assertEqual((got, list(got)), (want, list(want)))
                self.assertTrue(all(list(reached.values()) == sorted(reached.values()) for reached in got.values()))
                for node in list(graph)[:3]:
                    self.assertEqual(nx.single_source_shortest_path_length(graph, node, cutoff, backend="bcstage"), want[node])

    def test_one_node(self):
        for graph in itertools.chain(graphs(), self.whole_graphs()):
            for node, length in itertools.product(list(graph)[-3:], (None, "length")):
                self.same(nx.closeness_centrality, graph, u=node, distance=length)
                self.same(nx.closeness_centrality, graph, u=node, distance=length, wf_improved=False)
        for graph in self.whole_graphs():
            for length in (None, "length"):
                self.same(nx.eccentricity, graph, v=list(graph)[0], weight=length)
                self.agree(nx.eccentricity, graph, v=list(graph)[:3], weight=length)
        for backend in ("networkx", "bcstage"):
            with self.assertRaises(nx.NetworkXError):
                nx.eccentricity(nx.empty_graph(3), v=1, backend=backend)

    def test_bipartite(self):
        from networkx.algorithms import bipartite

        for seed, directed in itertools.product(range(3), (False, True)):
            graph = bipartite.random_graph(12, 9 + seed, 0.2, seed=seed, directed=directed)
            top = [node for node, side in graph.nodes(data="bipartite") if not side]
            self.agree(bipartite.betweenness_centrality, graph, top)
            for normalized in (False, True):
                self.agree(bipartite.closeness_centrality, graph, set(top), normalized=normalized)
        for nodes in ([], list(graph), ["nowhere"], iter(top)):
            with self.assertRaises(NotImplementedError):
                bipartite.betweenness_centrality(graph, nodes, backend="bcstage")

    def test_told(self):
        """get_info lists the functions of the backend, with their supported arguments."""
        from bcstage.networkx import Backend
        from bcstage.networkx_info import get_info

        functions = {name for name in dir(Backend) if not name.startswith("_")} - {"convert_from_nx", "convert_to_nx", "can_run", "should_run"}
        self.assertEqual(set(get_info()["functions"]), functions)
        for name, about in get_info()["functions"].items():
            self.assertTrue(about["additional_docs"], name)

    def test_no_numpy(self):
        """The message names the package to install."""
        script = ("import sys; sys.modules['numpy'] = None\n"
                  "import networkx as nx\n"
                  "try: nx.betweenness_centrality(nx.path_graph(3), backend='bcstage')\n"
                  "except ImportError as error: print(error)\n")
        out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        self.assertEqual(out.stdout, "bcstage as a backend of NetworkX needs NumPy: pip install 'bcstage[networkx]'\n", out.stderr)

    def test_harmonic_of_some(self):
        """Distances to some nodes, from some, or both: one node, any collection, missing, repeated or isolated nodes."""
        for graph in graphs():
            nodes = list(graph)
            several = [nodes[::3], set(nodes[1::2]), dict.fromkeys(nodes[:7]), nodes[:3] + ["nowhere"] + nodes[:2], (), nodes[-2:]]
            several += [node for node in nodes if node in (0, "loop", ("a", 1))]
            lengths = itertools.cycle((None, "length", "length", None))
            for some, others in zip(several, several[2:] + several[:2]):
                self.agree(nx.harmonic_centrality, graph, nbunch=some, distance=next(lengths))
                self.agree(nx.harmonic_centrality, graph, sources=some, distance=next(lengths))
                self.agree(nx.harmonic_centrality, graph, nbunch=some, sources=others, distance=next(lengths))
        for some in ("nbunch", "sources"):
            with self.assertRaises(NotImplementedError):  # NetworkX raises the error
                nx.harmonic_centrality(nx.path_graph(3), backend="bcstage", **{some: 9})

    def test_strongly_connected(self):
        """The farthest node is farthest from a node, not to it."""
        graph = nx.gn_graph(40, seed=3).reverse()
        graph.add_edges_from((node, 0) for node in list(graph) if node % 3)
        graph.add_edges_from((node, (node + 1) % 40) for node in range(40))
        for i, (_, _, data) in enumerate(graph.edges(data=True)):
            data["length"] = 1 + i % 7 / 4
        for length in (None, "length"):
            self.agree(nx.eccentricity, graph, weight=length)
            self.agree(nx.closeness_centrality, graph, distance=length)

    def test_decimal_lengths(self):
        """0.1 + 0.2 is as long as 0.3: two shortest paths, where a sum of floats has one."""
        graph = nx.Graph()
        graph.add_weighted_edges_from([(0, 1, 0.1), (1, 2, 0.2), (0, 3, 0.15), (3, 2, 0.15)])
        scores = nx.betweenness_centrality(graph, weight="weight", normalized=False, backend="bcstage")
        self.assertEqual(scores[1], 0.5)

    def test_what_it_does_not_answer(self):
        graph = nx.path_graph(5)
        for call, options in (
            (nx.betweenness_centrality, {"weight": lambda u, v, data: 1}),
            (nx.betweenness_centrality_subset, {"sources": [1, 1], "targets": [2]}),
            (nx.betweenness_centrality_subset, {"sources": [9], "targets": [2]}),
            (nx.betweenness_centrality_subset, {"sources": iter([1]), "targets": [2]}),
            (nx.closeness_centrality, {"u": 9}),
            (nx.single_source_shortest_path_length, {"source": 9}),
            (nx.single_source_shortest_path_length, {"source": 1, "cutoff": 1.5}),
            (nx.average_shortest_path_length, {"method": "floyd-warshall"}),
            (nx.diameter, {"usebounds": True}),
            (nx.barycenter, {"attr": "sum"}),
            (nx.harmonic_centrality, {"nbunch": iter([1])}),
            (nx.harmonic_centrality, {"sources": iter([1])}),
            (nx.eccentricity, {"v": iter([1])}),
            (nx.eccentricity, {"sp": dict(nx.all_pairs_shortest_path_length(graph))}),
        ):
            with self.subTest(call.__name__, options=options), self.assertRaises(NotImplementedError):
                call(graph, backend="bcstage", **options)
        with self.assertRaises(NotImplementedError):
            nx.eccentricity(nx.empty_graph(0), backend="bcstage")
        for length in (0, -1, True, 2**63, float("nan"), float("inf"), "1", None):
            graph.edges[0, 1]["length"] = length
            with self.subTest(length=length), self.assertRaises(NotImplementedError):
                nx.betweenness_centrality(graph, weight="length", backend="bcstage")

    def test_kept(self):
        """A graph is converted once for each requested attribute, and again after a change."""
        graph = nx.path_graph(4)
        self.assertEqual(nx.betweenness_centrality(graph, normalized=False, backend="bcstage")[1], 2)
        graph.add_edge(0, 2)
        self.assertEqual(nx.betweenness_centrality(graph, normalized=False, backend="bcstage")[1], 0)
        graph.edges[0, 2]["length"] = 9
        self.assertEqual(nx.betweenness_centrality(graph, normalized=False, weight="length", backend="bcstage")[1], 2)


if __name__ == "__main__":
    unittest.main()
