"""Columns of numbers, one for every vertex or edge."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from bcstage._arguments import spelled
from bcstage._command import UsageError
from bcstage._keywords import Columns, Listing, Measure, Rows, Run, Scaled
from bcstage._result import Result
from bcstage._run import table_of
from bcstage._types import Edges

if TYPE_CHECKING:
    from typing_extensions import Unpack


@spelled
def betweenness(edges: Edges | None, **options: Unpack[Columns]) -> Result:
    """Betweenness centrality of every vertex, exact unless ``estimate`` is set.

    For an undirected simple graph, the number of shortest paths between other
    vertices that run through a vertex, each pair of endpoints counting once:
    NetworkX's ``betweenness_centrality(G, normalized=False)``.

    Parameters
    ----------
    edges
        A path, a list of paths, globs or folders, a URL ``s3://BUCKET/KEY``; or a
        table in any form: pyarrow, polars, DuckDB, pandas (2.2 or later), a Dataset,
        a DeltaTable, a dict of columns, an array of two columns, pairs of ids, or a
        generator of pairs or tables. It is streamed; no copy of it is made here.
    src, dst
        The columns of an edge's ends. Without them the table must have a usual
        pair of names (``src,dst``; ``source,target``; ``from,to``; ...).
    directed
        Edges run from ``src`` to ``dst``.
    oneway
        The column that says which way each edge runs, in place of ``directed``: yes, no, -1, as in OpenStreetMap, or booleans.
    weight, repeats
        The column of edge lengths; shortest paths minimise their sum, which is exact.
        And what counts of an edge that is there more than once.
    ignore_weight
        Edges with a column of weights are read without it.
    by
        A column, or a list of columns, whose values tell graphs apart, each with scores of its own.
    bipartite
        ``src`` and ``dst`` are two sets of ids; adds the column ``side``.
    vertices
        Vertices that exist with or without edges: ids (a list, an array, a generator), a
        table with ids in its first column, or the path of one.
    keep
        Columns of that table that stand in the result before the scores.
    sources, targets
        Only paths that begin, or end, at these vertices, given as ``vertices`` are.
    origins, destinations
        Columns of that table: how much begins, and ends, at a vertex. Paths then count for the
        product, and the scores are the column ``flow``, over ordered pairs.
    trips
        How much goes from each vertex to each: a table, or the path of one, with the columns ``origin``, ``destination`` and
        ``trips``, or those that ``trips_columns`` names. Paths then count for the trips between their ends, in the column
        ``flow``. ``unrouted`` is the path of a file for rows that are on no path.
    since, changes
        The paths of a prepared graph that differs a little and of its scores, in Parquet or Arrow, which are updated by fewer searches
        where that is cheaper. With ``changes``, a table of ``src``, ``dst`` and ``op`` (``"+"`` or ``"-"``), or the path of one, ``edges`` is ``None``.
    endpoints
        Paths count for their two endpoints, too.
    cutoff
        Only paths of at most so many edges, or with ``weight`` of at most that length. A list of them
        gives a column each, ``betweenness_400``, equal to that of its own call.
    decay, decay_floor
        What a pair counts by the distance between its ends, as ``"exp:0.002"``, ``"power:2"``, ``"gaussian:500"`` or
        ``"table:0=1,400=0.5,800=0"``; what is below the floor counts as 0.
    constrained, stay
        ``"origins"`` spreads what begins at each vertex over what it reaches, by destinations and ``decay``;
        ``stay`` is how strongly home draws, in the destinations' numbers.
    nulls
        ``"drop"`` leaves rows without an id out, and reads whole floating-point ids of
        pandas, which are integers between which some are missing.
    columns
        What to compute, a column each: see :func:`centralities`.
    scale, normalized
        The convention of the scores; ``normalized=True`` is NetworkX's.
    sort, top
        The order of the rows; only so many rows, highest scores first.
    engine, device, threads, precision, lanes, strategy, mdeg, verify
        How to compute: `docs/tuning.md`.
    memory
        What may be used, as ``"8G"`` or a number of bytes; more is refused
        before it is taken (:class:`OutOfMemoryError`).
    estimate, eps, within, samples, certain
        Scores from some sources, or pairs, with columns ``lower`` and ``upper`` between
        which each lies: until all are certain to ``eps`` of all pairs, or until a time
        such as ``"10m"`` or a ``timedelta``, or for so many samples, or until so many highest are certain.
    way, confidence, seed
        How to estimate, with which probability all intervals hold, and what to draw.
    checkpoint, checkpoint_interval, keep_checkpoint, resume
        A file for what is computed so far; ``resume`` goes on from it.
    shard
        ``"I/N"``: only part I of N, counted from 0. The result is a part, for :func:`merge` once it is written to a file.
    edge_scores
        A file for the betweenness of every edge, of the same run.
    edge_keep
        Columns of edges that stand in that table, which then has a row for each row of the input, in their order.
    stats
        A dict that receives what the run found and what it cost.
    progress
        ``True`` for a tqdm bar, or a function that is called with a dict
        (``stage``, ``share``, ``edges_read``, ``left_seconds``, ...).

    Returns
    -------
    Result
        ``vertex`` in the type of the input's ids, ``betweenness_centrality``, and of an
        estimate ``lower`` and ``upper``; with what the run was in ``schema.metadata``.

    Raises
    ------
    UsageError, InputError, MissingInputError, DeviceError, StorageError, OutOfMemoryError
        All are :class:`Error`; the message is the command's, in words of the call.

    Examples
    --------
    >>> import bcstage
    >>> path = [("a", "b"), ("b", "c"), ("c", "d")]
    >>> bcstage.betweenness(path).to_pydict()
    {'vertex': ['a', 'b', 'c', 'd'], 'betweenness_centrality': [0.0, 2.0, 2.0, 0.0]}
    """
    return table_of("run", "betweenness", edges, dict(options))


@spelled
def centralities(edges: Edges, *, columns: Measure | Sequence[Measure], **options: Unpack[Run]) -> Result:
    """Several measures of every vertex, a column each, from searches that they share.

    Parameters
    ----------
    columns
        One name, or a list: ``"betweenness"``, ``"closeness"`` (with the factor of Wasserman and Faust,
        as NetworkX has it), ``"closeness_classic"``, ``"harmonic"``, ``"farness"``, ``"eccentricity"``,
        ``"reach"``, ``"degree"``, ``"component"``, ``"component_size"``, ``"independent_set"``, ``"rank"``;
        of the masses that a vertex reaches ``"access"``, ``"within"``, ``"mean_distance"``, ``"weighted_closeness"``,
        ``"weighted_harmonic"``, ``"weighted_farness"``.
        Of a directed graph, measures of distances have two meanings and names: ``"closeness_in"`` is by the
        distances to a vertex, ``"closeness_out"`` by those from it.
    edges, **options
        As of :func:`betweenness`.

    Returns
    -------
    Result
        ``vertex``, then the columns in the order of the list.

    Examples
    --------
    >>> import bcstage
    >>> path = [("a", "b"), ("b", "c"), ("c", "d")]
    >>> bcstage.centralities(path, columns=["degree", "farness"]).to_pydict()
    {'vertex': ['a', 'b', 'c', 'd'], 'degree': [1, 2, 2, 1], 'farness': [6, 4, 4, 6]}
    """
    return table_of("run", "centralities", edges, {**options, "columns": columns})


def _one(measure: str, edges: Edges, default: str, direction: str | None, options: dict[str, Any]) -> Result:
    """A measure of distances, in a directed graph one of its two meanings."""
    if options.get("directed"):
        column = f"{measure}_{direction or default}"
    elif direction is None:
        column = measure
    else:
        raise UsageError(f"direction={direction!r} is about a directed graph", "directed=True says that it is one", 2)
    return table_of("run", measure, edges, {**options, "columns": column})


@spelled
def closeness(edges: Edges, *, direction: Literal["in", "out"] | None = None, **options: Unpack[Rows]) -> Result:
    """Closeness centrality of every vertex: near to many others.

    Of a vertex that r of the n - 1 others are connected with, at distances that add up to d: r/d * r/(n-1).
    A vertex without others has 0.

    Parameters
    ----------
    direction
        Of a directed graph, distances to a vertex, ``"in"``, as NetworkX has it and as is if it is not given; or from it, ``"out"``.
    edges, **options
        As of :func:`betweenness`.

    Returns
    -------
    Result
        ``vertex`` and ``closeness_centrality``, of a directed graph ``closeness_in_centrality`` or ``closeness_out_centrality``.

    Examples
    --------
    >>> import bcstage
    >>> bcstage.closeness([("a", "b"), ("b", "c")]).to_pydict()
    {'vertex': ['a', 'b', 'c'], 'closeness_centrality': [0.6666666666666666, 1.0, 0.6666666666666666]}
    """
    return _one("closeness", edges, "in", direction, dict(options))


@spelled
def harmonic(edges: Edges, *, direction: Literal["in", "out"] | None = None, **options: Unpack[Rows]) -> Result:
    """Harmonic centrality of every vertex: the sum of 1/distance over the others.

    Parameters
    ----------
    direction
        Of a directed graph, distances to a vertex, ``"in"``, as NetworkX has it and as is if it is not given; or from it, ``"out"``.
    edges, **options
        As of :func:`betweenness`.

    Returns
    -------
    Result
        ``vertex`` and ``harmonic_centrality``, of a directed graph ``harmonic_in_centrality`` or ``harmonic_out_centrality``.

    Examples
    --------
    >>> import bcstage
    >>> bcstage.harmonic([("a", "b"), ("b", "c")]).to_pydict()
    {'vertex': ['a', 'b', 'c'], 'harmonic_centrality': [1.5, 2.0, 1.5]}
    """
    return _one("harmonic", edges, "in", direction, dict(options))


@spelled
def eccentricity(edges: Edges, *, direction: Literal["in", "out"] | None = None, **options: Unpack[Rows]) -> Result:
    """Eccentricity of every vertex: the distance of the farthest vertex that it reaches, 0 if it reaches none.

    Parameters
    ----------
    direction
        Of a directed graph, distances from a vertex, ``"out"``, as NetworkX has it and as is if it is not given; or to it, ``"in"``.
    edges, **options
        As of :func:`betweenness`.

    Returns
    -------
    Result
        ``vertex`` and ``eccentricity``, of a directed graph ``eccentricity_in`` or ``eccentricity_out``:
        integers, with ``weight`` floating-point numbers.

    Examples
    --------
    >>> import bcstage
    >>> bcstage.eccentricity([("a", "b"), ("b", "c")]).to_pydict()
    {'vertex': ['a', 'b', 'c'], 'eccentricity': [2, 1, 2]}
    """
    return _one("eccentricity", edges, "out", direction, dict(options))


@spelled
def components(edges: Edges, **options: Unpack[Listing]) -> Result:
    """The connected component of every vertex, and how many vertices that has.

    Directions of edges make no difference.

    Parameters
    ----------
    edges
        As of :func:`betweenness`.
    **options
        As of :func:`betweenness`, those about input.

    Returns
    -------
    Result
        ``vertex``, ``component``, which counts from 0 in the order in which they first come, and ``component_size``.

    Examples
    --------
    >>> import bcstage
    >>> bcstage.components([(1, 2), (7, 8), (2, 3)]).to_pydict()
    {'vertex': [1, 2, 7, 8, 3], 'component': [0, 0, 1, 1, 0], 'component_size': [3, 3, 2, 2, 3]}
    """
    return table_of("run", "components", edges, {**options, "columns": ["component", "component_size"]})


@spelled
def edge_betweenness(edges: Edges, **options: Unpack[Scaled]) -> Result:
    """Betweenness of every edge: the number of shortest paths over it, each pair of endpoints counting once.

    To have the scores of vertices, too, of one run, give :func:`betweenness` a file as ``edge_scores``.

    Parameters
    ----------
    edges
        As of :func:`betweenness`.
    **options
        As of :func:`betweenness`; ``scale`` and ``normalized`` divide by the pairs of vertices.

    Returns
    -------
    Result
        ``src`` and ``dst`` in the type of the input's ids and ``edge_betweenness_centrality``, for
        every distinct edge, in the order and the direction in which it first comes; with ``edge_keep``
        for every row of the input.

    Examples
    --------
    >>> import bcstage
    >>> bcstage.edge_betweenness([("a", "b"), ("b", "c")]).to_pydict()
    {'src': ['a', 'b'], 'dst': ['b', 'c'], 'edge_betweenness_centrality': [2.0, 2.0]}
    """
    with tempfile.TemporaryDirectory(prefix="bcstage-") as folder:
        path = os.path.join(folder, "scores.arrows")
        stats = table_of("run", "edge_betweenness", edges, {**options, "edge_scores": path}).stats
        with open(path, "rb") as file:
            return Result(file.read(), stats)
