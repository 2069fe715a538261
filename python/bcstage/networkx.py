"""bcstage as a backend of NetworkX: ``nx.betweenness_centrality(G, backend="bcstage")``.

NetworkX converts a graph once and keeps it (``G.__networkx_cache__``); what is
kept here is two arrays of node numbers, and one of each length that was asked
for, which are streamed to the command. ``can_run`` tells NetworkX truthfully
what is answered here; everything else is NetworkX's own.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

import bcstage

# Below it a process takes longer than NetworkX does: it costs 14 ms at least.
FEWEST_NODES = 100

LONGEST = 2.0**63  # of an edge

# The NetworkX since which a sample of sources is scaled as in _scaled.
SAMPLES_SINCE = (3, 5)


class Graph:
    """A NetworkX graph as arrays: every edge once, by the numbers of its ends, with the lengths that were asked for."""

    __networkx_backend__ = "bcstage"

    def __init__(self, graph: Any, lengths: Mapping[str, float] | None = None):
        self.original = graph
        self.nodes = list(graph)
        self.number = {node: i for i, node in enumerate(self.nodes)}
        neighbours = [row for _, row in graph.adjacency()]
        degrees = np.fromiter(map(len, neighbours), np.int64, len(neighbours))
        ends = np.fromiter(map(self.number.__getitem__, itertools.chain.from_iterable(neighbours)), np.int32, int(degrees.sum()))
        starts = np.repeat(np.arange(len(neighbours), dtype=np.int32), degrees)
        # Of an undirected graph each edge is there from both its ends.
        once = np.ones(len(starts), bool) if graph.is_directed() else starts < ends
        self.src, self.dst = starts[once], ends[once]
        self.lengths: dict[str, np.ndarray] = {}
        for attribute, default in (lengths or {}).items():
            values = np.array(list(_lengths(graph, neighbours, attribute, default)))
            if values.dtype.kind not in "iuf" and len(values) or not ((values > 0) & (values < LONGEST)).all():
                raise NotImplementedError(f"{attribute}: lengths that are no positive numbers below 2^63 are not supported")
            self.lengths[attribute] = values[once]

    def is_directed(self) -> bool:
        return bool(self.original.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.original.is_multigraph())

    def __len__(self) -> int:
        return len(self.nodes)

    def by_node(self, values: np.ndarray) -> dict[Any, Any]:
        return dict(zip(self.nodes, values.tolist()))

    def columns(self, *names: str, way: str = "", weight: str | None = None, sources: Iterable[Any] | None = None,
                targets: Iterable[Any] | None = None, endpoints: bool = False) -> list[np.ndarray]:
        """Measures by number of the node, of a directed graph those of distances to it ("in") or from it ("out"); nodes without edges have 0."""
        if self.is_directed() and way:
            names = tuple(f"{name}_{way}" for name in names)
        found = [np.zeros(len(self.nodes)) for _ in names]
        edges = self._edges(weight)
        some = {name: self._connected(nodes) for name, nodes in (("sources", sources), ("targets", targets)) if nodes is not None}
        if len(self.src) and all(map(len, some.values())):
            table = bcstage.betweenness(edges, directed=self.is_directed(), columns=names, weight="length" if weight else None,
                                        endpoints=endpoints, **some, **_options())
            vertices = table["vertex"].to_numpy()
            for values, column in zip(found, table.columns[1:]):
                values[vertices] = column.to_numpy()
        return found

    def edge_scores(self, weight: str | None = None, sources: Iterable[Any] | None = None) -> dict[Any, float]:
        """Raw scores by edge, in the order and with the ends that NetworkX has; loops have 0."""
        scores = dict.fromkeys(self.original.edges(), 0.0)
        some = {} if sources is None else {"sources": self._connected(sources)}
        if len(self.src) and all(map(len, some.values())):
            table = bcstage.edge_betweenness(self._edges(weight), directed=self.is_directed(), weight="length" if weight else None, **some, **_options())
            for src, dst, score in zip(*(column.to_pylist() for column in table.columns)):
                scores[self.nodes[src], self.nodes[dst]] = score
        return scores

    def bunch(self, nodes: Any) -> list[Any]:
        """The nodes that NetworkX understands by one, or by a collection: those of the graph, each once."""
        return list(dict.fromkeys(self.original.nbunch_iter(nodes)))

    def _edges(self, weight: str | None) -> pa.Table:
        return pa.table({"src": self.src, "dst": self.dst} | ({"length": self.lengths[weight]} if weight else {}))

    def _connected(self, nodes: Iterable[Any]) -> pa.Array:
        """The numbers of those of the nodes that have edges: the command knows no others."""
        numbers = np.array([self.number[node] for node in nodes if node in self.number], np.int32)
        return pa.array(numbers[np.isin(numbers, self.src) | np.isin(numbers, self.dst)])


def _lengths(graph: Any, neighbours: list[Any], attribute: str, default: float) -> Iterator[Any]:
    """What NetworkX measures edges by; of parallel edges the shortest."""
    if graph.is_multigraph():
        return (min(data.get(attribute, default) for data in edges.values()) for row in neighbours for edges in row.values())
    return (data.get(attribute, default) for row in neighbours for data in row.values())


class Backend:
    """The interface that NetworkX calls."""

    @staticmethod
    def convert_from_nx(graph: Any, *args: Any, edge_attrs: Mapping[str, float] | None = None, **kwargs: Any) -> Graph:
        return graph if isinstance(graph, Graph) else Graph(graph, edge_attrs)

    @staticmethod
    def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
        return result.original if isinstance(result, Graph) else result

    @staticmethod
    def betweenness_centrality(G: Graph, k: int | None = None, normalized: bool = True, weight: str | None = None,
                               endpoints: bool = False, seed: Any = None) -> dict[Any, float]:
        drawn = _drawn(G, k, seed)
        [scores] = G.columns("betweenness", weight=weight, sources=drawn, endpoints=endpoints)
        return G.by_node(_scaled(G, scores, normalized, endpoints, drawn))

    @staticmethod
    def edge_betweenness_centrality(G: Graph, k: int | None = None, normalized: bool = True, weight: str | None = None,
                                    seed: Any = None) -> dict[Any, float]:
        drawn = _drawn(G, k, seed)
        scores = G.edge_scores(weight, drawn)
        if len(G) < 2:
            return scores
        begun, unordered = len(G) if drawn is None else len(drawn), 1 if G.is_directed() else 2
        scale = unordered / (begun * (len(G) - 1)) if normalized else len(G) / begun
        return {edge: score * scale for edge, score in scores.items()}

    @staticmethod
    def betweenness_centrality_subset(G: Graph, sources: Iterable[Any], targets: Iterable[Any], normalized: bool = False,
                                      weight: str | None = None) -> dict[Any, float]:
        [scores] = G.columns("betweenness", weight=weight, sources=sources, targets=targets)
        return G.by_node(_scaled(G, scores, normalized))

    @staticmethod
    def closeness_centrality(G: Graph, u: None = None, distance: str | None = None, wf_improved: bool = True, *,
                             sp: None = None) -> dict[Any, float]:
        farness, reached = G.columns("farness", "reach", way="in", weight=distance)
        scores = np.divide(reached, farness, out=np.zeros(len(G)), where=farness > 0)
        if wf_improved and len(G) > 1:
            scores *= reached / (len(G) - 1)
        return G.by_node(scores)

    @staticmethod
    def harmonic_centrality(G: Graph, nbunch: Any = None, distance: str | None = None, sources: Any = None) -> dict[Any, float]:
        to, begun = (None if nodes is None else G.bunch(nodes) for nodes in (nbunch, sources))
        scores = G.by_node(G.columns("harmonic", way="in", weight=distance, sources=begun, targets=to)[0])
        return scores if to is None else {node: scores[node] for node in to}

    @staticmethod
    def eccentricity(G: Graph, v: None = None, sp: None = None, weight: str | None = None) -> dict[Any, float]:
        farthest, reached = G.columns("eccentricity", "reach", way="out", weight=weight)
        if not (reached == len(G) - 1).all():
            from networkx import NetworkXError
            strongly = "strongly " if G.is_directed() else ""
            raise NetworkXError(f"Found infinite path length because the {'di' * bool(strongly)}graph is not {strongly}connected")
        whole = weight is None or not len(G.src) or G.lengths[weight].dtype.kind in "iu"
        return G.by_node(farthest.astype(np.int64) if whole else farthest)

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """True, or why not."""
        try:
            call = inspect.signature(getattr(Backend, name)).bind(*args, **kwargs).arguments
        except TypeError as error:
            return str(error)
        graph, k, weight = call["G"], call.get("k"), call.get("weight") or call.get("distance")
        for argument in ("u", "v"):
            if call.get(argument) is not None:
                return f"{argument}: an answer for some nodes is left to NetworkX"
        if call.get("sp") is not None:
            return "sp: distances that are known already are left to NetworkX"
        if name == "eccentricity" and not len(graph):
            return "a graph without nodes: NetworkX says what that is"
        if name == "edge_betweenness_centrality" and graph.is_multigraph():
            return "scores of parallel edges are left to NetworkX"
        if k is not None and k != len(graph):
            if k == 0:
                return "k: NetworkX says what none is"
            if not _samples_alike():
                return "k: samples are scaled as NetworkX {}.{} does".format(*SAMPLES_SINCE)
        if name == "harmonic_centrality":
            for argument in ("nbunch", "sources"):
                if not _bunched(call.get(argument), graph):
                    return f"{argument} that are neither a node nor a collection to be read again are left to NetworkX"
            return True if weight is None else _measured(graph, weight)
        for argument in ("sources", "targets"):
            if call.get(argument) is not None and not _listed(call[argument], graph if argument == "sources" else None):
                return f"{argument} that are not in the graph, or repeated, or can be read but once are not supported"
        return True if weight is None else _measured(graph, weight)

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        graph = args[0] if args else kwargs["G"]
        if len(graph) < FEWEST_NODES:
            return f"fewer than {FEWEST_NODES} nodes: NetworkX is done before a process has started"
        call = inspect.signature(getattr(Backend, name)).bind(*args, **kwargs).arguments
        some = call.get("nbunch")
        if some is not None and (some in _original(graph) or len(some) < FEWEST_NODES):
            return f"distances to fewer than {FEWEST_NODES} nodes: NetworkX searches from those alone"
        return True


def _drawn(G: Graph, k: int | None, seed: Any) -> list[Any] | None:
    """The sources of a sample as NetworkX draws it, so that equal seeds draw equal nodes; None: all."""
    if k is None or k == len(G):
        return None
    from networkx.utils import create_py_random_state

    return list(create_py_random_state(seed).sample(G.nodes, k))


def _listed(nodes: Any, graph: Any) -> bool:
    """Whether nodes are a collection without repeats, of nodes of the graph if one is given."""
    try:
        count = len(nodes)
        return count == len(set(nodes)) and (graph is None or all(node in _nodes(graph) for node in nodes))
    except TypeError:
        return False


def _bunched(nodes: Any, graph: Any) -> bool:
    """Whether NetworkX takes nodes for one of the graph's, or for a collection, and reading them leaves them there."""
    try:
        return nodes is None or nodes in _original(graph) or len(nodes) == 0 or bool(set(nodes))
    except TypeError:
        return False


def _original(graph: Any) -> Any:
    return graph.original if isinstance(graph, Graph) else graph


def _nodes(graph: Any) -> Any:
    return graph.number if isinstance(graph, Graph) else graph


def _measured(graph: Any, weight: Any) -> bool | str:
    """Whether the edges have lengths that are taken here, or why not."""
    if not isinstance(weight, str):
        return "weight: only the name of an attribute is supported"
    if isinstance(graph, Graph):
        return True  # looked at when it was converted
    for _, _, length in graph.edges(data=weight, default=1):
        if isinstance(length, bool) or not isinstance(length, (int, float, np.integer, np.floating)) or not 0 < length < LONGEST:
            return f"weight: {length!r}: lengths that are no positive numbers below 2^63 are not supported"
    return True


def _samples_alike() -> bool:
    import networkx

    return tuple(map(int, networkx.__version__.split(".")[:2])) >= SAMPLES_SINCE


def _scaled(G: Graph, scores: np.ndarray, normalized: bool, endpoints: bool = False, drawn: list[Any] | None = None) -> np.ndarray:
    """Raw scores in NetworkX's convention.

    They are divided by the number of pairs of a source and a target that a path
    through the node could have. Nodes that were drawn are a source less
    themselves, unless ends count.
    """
    pairs = len(G) if endpoints else len(G) - 1
    if pairs < 2:
        return scores
    unordered = 1 if G.is_directed() else 2
    begun = np.full(len(G), float(pairs if drawn is None else len(drawn)))
    if drawn is not None and not endpoints:
        begun[[G.number[node] for node in drawn]] -= 1
    scores = scores * unordered  # of ordered pairs
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 1 / (begun * (pairs - 1)) if normalized else pairs / (begun * unordered)
    scale[begun == 0] = math.nan  # one source says nothing about itself
    return np.asarray(scores * scale)


def _options() -> dict[str, Any]:
    """What nx.config.backends.bcstage says about the run."""
    import networkx

    config = getattr(networkx.config.backends, "bcstage", None)
    return {"threads": getattr(config, "threads", 0) or None, "engine": getattr(config, "engine", None)}
