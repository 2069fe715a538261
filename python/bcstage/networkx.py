"""bcstage as a backend of NetworkX: ``nx.betweenness_centrality(G, backend="bcstage")``.

NetworkX converts a graph once and keeps it (``G.__networkx_cache__``); what is
kept here is two arrays of node numbers, which are streamed to the command.
``can_run`` tells NetworkX truthfully what is answered here; everything else is
NetworkX's own.
"""

from __future__ import annotations

import inspect
import itertools
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
        if not graph.is_directed():  # each edge is there from both its ends
            once = starts < ends
            starts, ends = starts[once], ends[once]
        self.src, self.dst = starts, ends

    def is_directed(self) -> bool:
        return bool(self.original.is_directed())

    def is_multigraph(self) -> bool:
        return bool(self.original.is_multigraph())

    def __len__(self) -> int:
        return len(self.nodes)

    def by_node(self, values: np.ndarray) -> dict[Any, float]:
        return dict(zip(self.nodes, values.tolist()))

    def scores(self, **options: Any) -> np.ndarray:
        """Raw betweenness by number of the node; nodes without edges have none."""
        scores = np.zeros(len(self.nodes))
        if len(self.src):
            table = bcstage.betweenness(pa.table({"src": self.src, "dst": self.dst}), **options)
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
        scores = G.scores(**options())
        if normalized and n > 2:
            scores *= 2 / ((n - 1) * (n - 2))
        return G.by_node(scores)

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """True, or why not."""
        try:
            call = inspect.signature(getattr(Backend, name)).bind(*args, **kwargs).arguments
        except TypeError as error:
            return str(error)
        graph, k = call["G"], call.get("k")
        if graph.is_directed():
            return "directed graphs are not supported"
        if k is not None and 0 <= k < len(graph):
            return "k: a sample of sources is not supported"
        for argument in ("weight", "endpoints"):
            if call.get(argument):
                return f"{argument} is not supported"
        return True

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        graph = args[0] if args else kwargs["G"]
        if len(graph) < FEWEST_NODES:
            return f"fewer than {FEWEST_NODES} nodes: NetworkX is done before a process has started"
        return True


def options() -> dict[str, Any]:
    """What nx.config.backends.bcstage says about the run."""
    import networkx

    config = getattr(networkx.config.backends, "bcstage", None)
    return {"threads": getattr(config, "threads", 0) or None, "engine": getattr(config, "engine", None)}
