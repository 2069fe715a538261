"""bcstage as a backend of NetworkX: ``nx.betweenness_centrality(G, backend="bcstage")``.

NetworkX converts a graph once and keeps it (``G.__networkx_cache__``); what is
kept here is two arrays of node numbers, which are streamed to the command.
``can_run`` tells NetworkX truthfully what is answered here; everything else is
NetworkX's own.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

import bcstage

# Below it a process takes longer than NetworkX does: it costs 14 ms at least.
FEWEST_NODES = 100


class Graph:
    """A NetworkX graph as arrays: every edge once, by the numbers of its ends."""

    __networkx_backend__ = "bcstage"

    def __init__(self, graph: Any):
        self.original = graph
        self.nodes = list(graph)
        number = {node: i for i, node in enumerate(self.nodes)}
        neighbours = [row for _, row in graph.adjacency()]
        degrees = np.fromiter(map(len, neighbours), np.int64, len(neighbours))
        ends = np.fromiter(map(number.__getitem__, itertools.chain.from_iterable(neighbours)), np.int32, int(degrees.sum()))
        starts = np.repeat(np.arange(len(neighbours), dtype=np.int32), degrees)
        # An undirected edge is there from both its ends.
        self.once = slice(None) if graph.is_directed() else starts < ends
        self.src, self.dst = starts[self.once], ends[self.once]

    def lengths(self, weight: str) -> np.ndarray:
        """Of the edges: an attribute, or 1 where an edge has none."""
        return np.array(list(lengths(self.original, weight)))[self.once]

    def is_directed(self) -> bool:
        return bool(self.original.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.original.is_multigraph())

    def __len__(self) -> int:
        return len(self.nodes)

    def by_node(self, values: np.ndarray) -> dict[Any, float]:
        return dict(zip(self.nodes, values.tolist()))

    def scores(self, weight: str | None = None, **options: Any) -> np.ndarray:
        """Raw betweenness by number of the node; nodes without edges have none."""
        scores = np.zeros(len(self.nodes))
        if len(self.src):
            edges = {"src": self.src, "dst": self.dst}
            if weight is not None:
                edges["length"] = self.lengths(weight)
                options["weight"] = "length"
            table = bcstage.betweenness(pa.table(edges), directed=self.is_directed(), **options)
            scores[table["vertex"].to_numpy()] = table["betweenness_centrality"].to_numpy()
        return scores


class Backend:
    """The interface that NetworkX calls."""

    @staticmethod
    def convert_from_nx(graph: Any, *args: Any, **kwargs: Any) -> Graph:
        return graph if isinstance(graph, Graph) else Graph(graph)

    @staticmethod
    def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
        return result.original if isinstance(result, Graph) else result

    @staticmethod
    def betweenness_centrality(G: Graph, k: int | None = None, normalized: bool = True, weight: str | None = None,
                               endpoints: bool = False, seed: Any = None) -> dict[Any, float]:
        n = len(G)
        if k is not None and not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")  # as NetworkX's draw of k nodes says it
        scores = G.scores(weight, endpoints=endpoints, **options())
        pairs = n * (n - 1) if endpoints else (n - 1) * (n - 2)
        if normalized and pairs > 0:
            scores *= (1 if G.is_directed() else 2) / pairs
        return G.by_node(scores)

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """True, or why not."""
        try:
            call = inspect.signature(getattr(Backend, name)).bind(*args, **kwargs).arguments
        except TypeError as error:
            return str(error)
        graph, k = call["G"], call.get("k")
        if k is not None and 0 <= k < len(graph):
            return "k: a sample of sources is not supported"
        return not_lengths(getattr(graph, "original", graph), call.get("weight")) or True

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        graph = args[0] if args else kwargs["G"]
        if len(graph) < FEWEST_NODES:
            return f"fewer than {FEWEST_NODES} nodes: NetworkX is done before a process has started"
        return True


def lengths(graph: Any, weight: str) -> Iterator[Any]:
    """Of all edges, in the order of the adjacency; of parallel ones the smallest."""
    for _, row in graph.adjacency():
        for edge in row.values():
            if graph.is_multigraph():
                yield min(data.get(weight, 1) for data in edge.values())
            else:
                yield edge.get(weight, 1)


def not_lengths(graph: Any, weight: Any) -> str | None:
    """Why the attribute is no length of an edge, if it is none for some edge."""
    if weight is None:
        return None
    if not isinstance(weight, str):
        return "weight: a function is not supported"
    for _, _, length in graph.edges.data(weight, default=1):
        if isinstance(length, bool) or not isinstance(length, (int, float, np.integer, np.floating)):
            return f"weight: {length!r} is no number"
        if not 0 < length < 2**63:
            return f"weight: {length!r} is no length above 0, or too long"
    return None


def options() -> dict[str, Any]:
    """What nx.config.backends.bcstage says about the run."""
    import networkx

    config = getattr(networkx.config.backends, "bcstage", None)
    return {"threads": getattr(config, "threads", 0) or None, "engine": getattr(config, "engine", None)}
