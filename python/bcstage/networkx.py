"""bcstage as a backend of NetworkX: ``nx.betweenness_centrality(G, backend="bcstage")``.

NetworkX converts a graph once and keeps it (``G.__networkx_cache__``): two arrays
of node numbers, and one array for each requested length, which are streamed to the
command. ``can_run`` tells NetworkX exactly which calls this backend answers;
NetworkX answers all others.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from bcstage._networkx_graph import LONGEST, Graph  # raises a hint if NumPy is missing

import numpy as np

from bcstage._networkx_distances import Distances

# Below this, a process takes longer than NetworkX: at least 14 ms.
FEWEST_NODES = 100

# Functions with a special answer, or none, for empty graphs.
EMPTY_IS_ODD = ("eccentricity", "diameter", "radius", "center", "periphery", "barycenter", "wiener_index", "average_shortest_path_length")
TREES = ("center", "barycenter")

# From this NetworkX on, samples of sources are scaled as in _scaled.
SAMPLES_SINCE = (3, 5)


class Backend(Distances):
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
            return G.parallel(scores, weight) if G.is_multigraph() else scores
        begun, unordered = len(G) if drawn is None else len(drawn), 1 if G.is_directed() else 2
        scale = unordered / (begun * (len(G) - 1)) if normalized else len(G) / begun
        scores = {edge: score * scale for edge, score in scores.items()}
        return G.parallel(scores, weight) if G.is_multigraph() else scores

    @staticmethod
    def betweenness_centrality_subset(G: Graph, sources: Iterable[Any], targets: Iterable[Any], normalized: bool = False,
                                      weight: str | None = None) -> dict[Any, float]:
        [scores] = G.columns("betweenness", weight=weight, sources=sources, targets=targets)
        return G.by_node(_scaled(G, scores, normalized))

    @staticmethod
    def closeness_centrality(G: Graph, u: Any = None, distance: str | None = None, wf_improved: bool = True, *,
                             sp: None = None) -> Any:
        farness, reached = G.columns("farness", "reach", way="in", weight=distance, targets=None if u is None else [u])
        scores = np.divide(reached, farness, out=np.zeros(len(G)), where=farness > 0)
        if wf_improved and len(G) > 1:
            scores *= reached / (len(G) - 1)
        return G.by_node(scores) if u is None else scores[G.number[u]].item()

    @staticmethod
    def harmonic_centrality(G: Graph, nbunch: Any = None, distance: str | None = None, sources: Any = None) -> dict[Any, float]:
        to, begun = (None if nodes is None else G.bunch(nodes) for nodes in (nbunch, sources))
        scores = G.by_node(G.columns("harmonic", way="in", weight=distance, sources=begun, targets=to)[0])
        return scores if to is None else {node: scores[node] for node in to}

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """True, or why not."""
        try:
            call = inspect.signature(getattr(Backend, name)).bind(*args, **kwargs).arguments
        except TypeError as error:
            return str(error)
        graph, k, weight = call["G"], call.get("k"), call.get("weight") or call.get("distance")
        for argument in ("sp", "e", "attr", "method", "usebounds"):
            if call.get(argument) not in (None, False):
                return f"{argument} is left to NetworkX"
        if name in EMPTY_IS_ODD and not len(graph):
            return "a graph without nodes is left to NetworkX"
        if name in TREES and weight is None and not graph.is_directed() and _original(graph).number_of_edges() == len(graph) - 1:
            return "a tree is left to NetworkX, which peels it"
        if k is not None and k != len(graph):
            if k == 0:
                return "k=0 is left to NetworkX"
            if not _samples_alike():
                return "k: samples are scaled as NetworkX {}.{} does".format(*SAMPLES_SINCE)
        for argument in ("u", "source"):
            if call.get(argument) is not None and not _among([call[argument]], graph):
                return f"{argument} is not a node of the graph: NetworkX raises the error"
        cutoff = call.get("cutoff")
        if cutoff is not None and (isinstance(cutoff, bool) or not isinstance(cutoff, (int, np.integer)) or cutoff < 0):
            return "cutoff: only whole numbers from 0 on are supported"
        if "nodes" in call and not (isinstance(call["nodes"], Collection) and _among(call["nodes"], graph) and 0 < len(set(call["nodes"])) < len(graph)):
            return "nodes: want a collection of some nodes of the graph"
        for argument in ("nbunch", "v") + ("sources",) * (name == "harmonic_centrality"):
            if not _bunched(call.get(argument), graph):
                return f"{argument} is left to NetworkX: neither a node nor a collection that can be read again"
        for argument in ("sources", "targets") * (name != "harmonic_centrality"):
            if call.get(argument) is not None and not _listed(call[argument], graph if argument == "sources" else None):
                return f"{argument} are not supported: they are not in the graph, repeated, or can be read only once"
        return True if weight is None else _measured(graph, weight)

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        call = inspect.signature(getattr(Backend, name)).bind(*args, **kwargs).arguments
        graph = call["G"]
        if len(graph) < FEWEST_NODES:
            return f"fewer than {FEWEST_NODES} nodes: NetworkX is faster than starting a process"
        some = call.get("nbunch", call.get("v"))
        if some is not None and (some in _original(graph) or len(some) < FEWEST_NODES) or call.get("u") is not None or "source" in call:
            return f"distances of fewer than {FEWEST_NODES} nodes: NetworkX searches from these only"
        return True


def _drawn(G: Graph, k: int | None, seed: Any) -> list[Any] | None:
    """The sources of a sample, drawn like NetworkX, so that equal seeds draw equal nodes; None: all."""
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


def _among(nodes: Any, graph: Any) -> bool:
    """Whether all are nodes of the graph."""
    try:
        return all(node in _nodes(graph) for node in nodes)
    except TypeError:
        return False


def _bunched(nodes: Any, graph: Any) -> bool:
    """Whether nodes are a node of the graph, or a collection that can be read again."""
    try:
        return nodes is None or nodes in _original(graph) or len(nodes) == 0 or bool(set(nodes))
    except TypeError:
        return False


def _original(graph: Any) -> Any:
    return graph.original if isinstance(graph, Graph) else graph


def _nodes(graph: Any) -> Any:
    return graph.number if isinstance(graph, Graph) else graph


def _measured(graph: Any, weight: Any) -> bool | str:
    """True if the lengths of edges are supported, or why not."""
    if not isinstance(weight, str):
        return "weight: only the name of an attribute is supported"
    if isinstance(graph, Graph):
        return True  # checked when it was converted
    for _, _, length in graph.edges(data=weight, default=1):
        if isinstance(length, bool) or not isinstance(length, (int, float, np.integer, np.floating)) or not 0 < length < LONGEST:
            return f"weight: {length!r}: want lengths above 0 and below 2^63"
    return True


def _samples_alike() -> bool:
    import networkx

    return tuple(map(int, networkx.__version__.split(".")[:2])) >= SAMPLES_SINCE


def _scaled(G: Graph, scores: np.ndarray, normalized: bool, endpoints: bool = False, drawn: list[Any] | None = None) -> np.ndarray:
    """Raw scores in NetworkX's convention.

    They are divided by the number of pairs of a source and a target that a path
    through the node could have. A drawn node has one source less, itself, unless
    ends count.
    """
    pairs = len(G) if endpoints else len(G) - 1
    if pairs < 2:
        return scores
    unordered = 1 if G.is_directed() else 2
    begun = np.full(len(G), float(pairs if drawn is None else len(drawn)))
    if drawn is not None and not endpoints:
        begun[[G.number[node] for node in drawn]] -= 1
    scores = scores * unordered  # over ordered pairs
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = 1 / (begun * (pairs - 1)) if normalized else pairs / (begun * unordered)
    scale[begun == 0] = math.nan  # its only source is itself
    return np.asarray(scores * scale)
