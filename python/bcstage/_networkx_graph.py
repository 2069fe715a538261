"""A graph of NetworkX as arrays, and columns of numbers for its nodes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

try:
    import numpy as np
except ImportError as error:
    raise ImportError("bcstage as a backend of NetworkX needs NumPy: pip install 'bcstage[networkx]'") from error
import pyarrow as pa

import bcstage

LONGEST = 2.0**63  # of an edge


class Graph:
    """A NetworkX graph as arrays: every edge once, by the numbers of its ends, with the requested lengths."""

    __networkx_backend__ = "bcstage"

    def __init__(self, graph: Any, lengths: Mapping[str, float] | None = None):
        self.original = graph
        self.nodes = list(graph)
        self.number = {node: i for i, node in enumerate(self.nodes)}
        neighbours = [row for _, row in graph.adjacency()]
        degrees = np.fromiter(map(len, neighbours), np.int64, len(neighbours))
        ends = np.fromiter(map(self.number.__getitem__, itertools.chain.from_iterable(neighbours)), np.int32, int(degrees.sum()))
        starts = np.repeat(np.arange(len(neighbours), dtype=np.int32), degrees)
        # An undirected graph lists each edge at both ends.
        once = np.ones(len(starts), bool) if graph.is_directed() else starts < ends
        self.src, self.dst = starts[once], ends[once]
        self.lengths: dict[str, np.ndarray] = {}
        for attribute, default in (lengths or {}).items():
            values = np.array(list(_lengths(graph, neighbours, attribute, default)))
            if values.dtype.kind not in "iuf" and len(values) or not ((values > 0) & (values < LONGEST)).all():
                raise NotImplementedError(f"{attribute}: want lengths above 0 and below 2^63")
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
        """Measures by number of the node; in a directed graph by distances to it ("in") or from it ("out"). Nodes without edges have 0."""
        if self.is_directed() and way:
            names = tuple(f"{name}_{way}" for name in names)
        columns: Any = names
        found = [np.zeros(len(self.nodes)) for _ in names]
        edges = self._edges(weight)
        some = {name: self._connected(nodes) for name, nodes in (("sources", sources), ("targets", targets)) if nodes is not None}
        if len(self.src) and all(map(len, some.values())):
            table = bcstage.betweenness(edges, directed=self.is_directed(), columns=columns, weight="length" if weight else None,
                                        endpoints=endpoints, **some, **_options())
            vertices = table["vertex"].to_numpy()
            for values, column in zip(found, table.columns[1:]):
                values[vertices] = column.to_numpy()
        return found

    def edge_scores(self, weight: str | None = None, sources: Iterable[Any] | None = None) -> dict[Any, float]:
        """Raw scores by edge, in NetworkX's order and direction. Loops have 0; parallel edges have one score."""
        scores = dict.fromkeys(self.original.edges(), 0.0)
        some = {} if sources is None else {"sources": self._connected(sources)}
        if len(self.src) and all(map(len, some.values())):
            table = bcstage.edge_betweenness(self._edges(weight), directed=self.is_directed(), weight="length" if weight else None, **some, **_options())
            for src, dst, score in zip(*(column.to_pylist() for column in table.columns)):
                scores[self.nodes[src], self.nodes[dst]] = score
        return scores

    def parallel(self, scores: dict[Any, float], weight: str | None = None) -> dict[Any, float]:
        """Scores of edges; the shortest of parallel ones share theirs."""
        shared = dict.fromkeys(self.original.edges(keys=True), 0.0)
        for (u, v), score in scores.items():
            lengths = {key: data.get(weight, 1) for key, data in self.original[u][v].items()}
            least = min(lengths.values())
            shortest = [key for key, length in lengths.items() if length == least]
            shared.update(((u, v, key), score / len(shortest)) for key in shortest)
        return shared

    def distances(self, sources: Iterable[Any], cutoff: int | None = None) -> Iterator[tuple[Any, dict[Any, int]]]:
        """Each source, in the order of the graph, with the nodes that it reaches, near ones first."""
        numbers = sorted(self.number[node] for node in sources)
        if not len(self.src):
            yield from ((self.nodes[source], {self.nodes[source]: 0}) for source in numbers)
            return
        every = pa.array(np.arange(len(self.nodes), dtype=np.int32))  # fixes this order
        at, reached = numbers[0], dict[Any, int]()
        for batch in bcstage.distance_batches(self._edges(None), pa.array(numbers, pa.int32()), directed=self.is_directed(), vertices=every, cutoff=cutoff, **_options()):
            for source, vertex, distance in zip(*(column.to_pylist() for column in batch.columns)):
                if source != at:
                    yield self.nodes[at], reached
                    at, reached = source, {}
                reached[self.nodes[vertex]] = distance
        yield self.nodes[at], reached

    def bunch(self, nodes: Any) -> list[Any]:
        """The nodes of the graph that NetworkX takes from a node or a collection, each once."""
        return list(dict.fromkeys(self.original.nbunch_iter(nodes)))

    def _edges(self, weight: str | None) -> pa.Table:
        return pa.table({"src": self.src, "dst": self.dst} | ({"length": self.lengths[weight]} if weight else {}))

    def _connected(self, nodes: Iterable[Any]) -> pa.Array:
        """The numbers of the nodes with edges: the command knows no others."""
        numbers = np.array([self.number[node] for node in nodes if node in self.number], np.int32)
        return pa.array(numbers[np.isin(numbers, self.src) | np.isin(numbers, self.dst)])


def _lengths(graph: Any, neighbours: list[Any], attribute: str, default: float) -> Iterator[Any]:
    """The lengths of edges for NetworkX; of parallel edges the shortest."""
    if graph.is_multigraph():
        return (min(data.get(attribute, default) for data in edges.values()) for row in neighbours for edges in row.values())
    return (data.get(attribute, default) for row in neighbours for data in row.values())


def _options() -> dict[str, Any]:
    """Options from nx.config.backends.bcstage."""
    import networkx

    config = getattr(networkx.config.backends, "bcstage", None)
    return {"threads": getattr(config, "threads", 0) or None, "engine": getattr(config, "engine", None)}
