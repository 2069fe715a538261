"""NetworkX's functions of distances between all nodes: sums and extremes of columns."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from bcstage._networkx_graph import Graph


class Distances:
    """Functions of the backend that search from every node, or a few, by their names in NetworkX."""

    @staticmethod
    def eccentricity(G: Graph, v: Any = None, sp: None = None, weight: str | None = None) -> Any:
        nodes = None if v is None else G.bunch(v)
        # In an undirected graph, distances to nodes are distances from them.
        some: dict[str, Any] = {"sources" if G.is_directed() else "targets": nodes}
        farthest, reached = G.columns("eccentricity", "reach", way="out", weight=weight, **some)
        numbers = range(len(G)) if nodes is None else [G.number[node] for node in nodes]
        if not all(reached[i] == len(G) - 1 for i in numbers):
            from networkx import NetworkXError
            strongly = "strongly " if G.is_directed() else ""
            raise NetworkXError(f"Found infinite path length because the {'di' * bool(strongly)}graph is not {strongly}connected")
        whole = _whole(G, farthest, weight)
        found = {G.nodes[i]: whole[i].item() for i in numbers}
        return found[v] if v is not None and v in G.original else found

    @staticmethod
    def diameter(G: Graph, e: None = None, usebounds: bool = False, weight: str | None = None) -> Any:
        return max(Distances.eccentricity(G, weight=weight).values())

    @staticmethod
    def radius(G: Graph, e: None = None, usebounds: bool = False, weight: str | None = None) -> Any:
        return min(Distances.eccentricity(G, weight=weight).values())

    @staticmethod
    def center(G: Graph, e: None = None, usebounds: bool = False, weight: str | None = None) -> list[Any]:
        return _where(Distances.eccentricity(G, weight=weight), min)

    @staticmethod
    def periphery(G: Graph, e: None = None, usebounds: bool = False, weight: str | None = None) -> list[Any]:
        return _where(Distances.eccentricity(G, weight=weight), max)

    @staticmethod
    def barycenter(G: Graph, weight: str | None = None, attr: None = None, sp: None = None) -> list[Any]:
        farness, reached = G.columns("farness", "reach", way="out", weight=weight)
        if not (reached == len(G) - 1).all():
            from networkx import NetworkXNoPath
            raise NetworkXNoPath(f"Input graph {G.original} is disconnected, so every induced subgraph has infinite barycentricity.")
        return _where(G.by_node(farness), min)

    @staticmethod
    def wiener_index(G: Graph, weight: str | None = None) -> float:
        farness, reached = G.columns("farness", "reach", way="out", weight=weight)
        if not (reached == len(G) - 1).all():
            return math.inf
        total = math.fsum(farness.tolist())
        return _whole(G, np.array(total), weight).item() if G.is_directed() else total / 2

    @staticmethod
    def average_shortest_path_length(G: Graph, weight: str | None = None, method: None = None) -> float:
        n = len(G)
        if n == 1:
            return 0
        farness, reached = G.columns("farness", "reach", way="out", weight=weight)
        if not (reached == n - 1).all():
            from networkx import NetworkXError
            raise NetworkXError("Graph is not strongly connected." if G.is_directed() else "Graph is not connected.")
        return math.fsum(farness.tolist()) / (n * (n - 1))

    @staticmethod
    def global_efficiency(G: Graph) -> float:
        n = len(G)
        return math.fsum(G.columns("harmonic")[0].tolist()) / (n * (n - 1)) if n > 1 else 0

    @staticmethod
    def harmonic_diameter(G: Graph, sp: None = None, *, weight: str | None = None) -> float:
        n = len(G)
        total = math.fsum(G.columns("harmonic", way="out", weight=weight)[0].tolist())
        if total:
            return n * (n - 1) / total
        return math.inf if n > 1 else math.nan

    @staticmethod
    def single_source_shortest_path_length(G: Graph, source: Any, cutoff: int | None = None) -> dict[Any, int]:
        [(_, reached)] = G.distances([source], cutoff)
        return reached

    @staticmethod
    def all_pairs_shortest_path_length(G: Graph, cutoff: int | None = None) -> Iterator[tuple[Any, dict[Any, int]]]:
        return G.distances(G.nodes, cutoff) if len(G) else iter(())

    @staticmethod
    def bipartite_closeness_centrality(G: Graph, nodes: Any, normalized: bool = True) -> dict[Any, float]:
        top = set(nodes)
        farness, reached = G.columns("farness", "reach", way="out")
        n, m = len(top), len(G) - len(top)
        first = np.array([node in top for node in G.nodes])
        # The least sum of distances: 1 to each node of the other set, 2 to each of its own.
        least = np.where(first, m + 2 * (n - 1), n + 2 * (m - 1))
        scores = np.divide(least, farness, out=np.zeros(len(G)), where=farness > 0)
        if normalized and len(G) > 1:
            scores *= reached / (len(G) - 1)
        return G.by_node(scores)

    @staticmethod
    def bipartite_betweenness_centrality(G: Graph, nodes: Any) -> dict[Any, float]:
        top = set(nodes)
        n, m = len(top), len(G) - len(top)
        highest = {True: _highest(n, m), False: _highest(m, n)}
        scores = G.by_node(G.columns("betweenness")[0])
        return {node: score / highest[node in top] for node, score in scores.items()}


def _highest(n: int, m: int) -> float:
    """The highest betweenness of one of n nodes whose neighbours are among m others.

    S. P. Borgatti, D. S. Halgin, "Analyzing affiliation networks", The Sage handbook of social network analysis (2011)
    """
    s, t = divmod(n - 1, m)
    return (m * m * (s + 1) ** 2 + m * (s + 1) * (2 * t - s - 1) - t * (2 * s - t + 3)) / 2


def _where(values: dict[Any, Any], extreme: Any) -> list[Any]:
    """The nodes with the lowest, or the highest number."""
    wanted = extreme(values.values())
    return [node for node, value in values.items() if value == wanted]


def _whole(G: Graph, values: np.ndarray, weight: str | None) -> np.ndarray:
    """Distances as integers if the lengths are."""
    whole = weight is None or not len(G.src) or G.lengths[weight].dtype.kind in "iu"
    return values.astype(np.int64) if whole else values
