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
from bcstage._types import Cutoffs, Edges, Vertices

if TYPE_CHECKING:
    from typing_extensions import Unpack


@spelled
def betweenness(edges: Edges | None, **options: Unpack[Columns]) -> Result:
    """Betweenness centrality of every vertex, exact unless ``estimate`` is set.

    For an undirected simple graph, the number of shortest paths between other
    vertices that pass a vertex. Each pair of endpoints counts once, shared among
    its shortest paths: NetworkX's ``betweenness_centrality(G, normalized=False)``.

    Parameters
    ----------
    edges
        A path, a list of paths, globs or folders, a URL ``s3://BUCKET/KEY``, or a table.
        Tables are of pyarrow, polars, DuckDB, pandas (2.2 or later), a Dataset, a
        DeltaTable, a dict of columns, an array of two columns, pairs of ids, or a
        generator of pairs or tables. They are streamed, not copied.
    src, dst
        The columns of an edge's ends. By default a usual pair of names is found
        (``src,dst``; ``source,target``; ``from,to``; ...).
    directed
        Edges run from ``src`` to ``dst``.
    oneway
        The column of edges' directions, in place of ``directed``. Yes, no, -1, as in OpenStreetMap, or booleans.
    weight, repeats
        The column of edge lengths; shortest paths minimise their sum, which is exact.
        And the rule for repeated edges: ``"keep"`` makes each a path of its own.
    ignore_weight
        Read edges without their column of weights.
    by
        A column, or a list of columns, that names graphs. Each is computed by itself.
    bipartite
        ``src`` and ``dst`` have separate ids. Adds the column ``side``.
    vertices
        Vertices, with or without edges. Ids (a list, an array, a generator); a
        table with ids in its first column; or its path.
    keep
        Columns of that table to write before the scores; none by default.
    sources, targets
        Count only paths from, or to, these vertices; in a form of ``vertices``.
    origins, destinations
        Columns of that table: the mass that begins, and ends, at a vertex. Paths then count
        the product. The scores are the column ``flow``, over ordered pairs.
    trips
        A table of trips from each vertex to each, or its path. Its columns are ``origin``, ``destination`` and ``trips``,
        or named by ``trips_columns``. Paths then count the trips between their ends, in the column ``flow``.
        Rows without a path, or with an id that the graph lacks, are written to the file ``unrouted``.
    since, changes
        The paths of a similar, prepared graph and of its scores, in Parquet or Arrow. The scores are updated with fewer
        searches where that is cheaper. ``changes`` is a table of ``src``, ``dst`` and ``op`` (``"+"`` or ``"-"``), or its path.
        ``edges`` is then ``None``.
    endpoints
        Count paths for their two ends, too.
    cutoff
        Count only paths of at most so many edges, or of that length with ``weight``. A list
        gives a column each, as ``betweenness_400``, equal to that of its own call.
    decay, decay_floor
        The share of a pair that counts, by its distance. As ``"exp:0.002"``, ``"power:2"``, ``"gaussian:500"`` or
        ``"table:0=1,400=0.5,800=0"``; or a table with the columns ``distance`` and ``share``, whose path is ``"table:FILE"``.
        Shares below the floor count as 0.
    constrained, stay
        ``"origins"`` spreads each origin over the reached destinations, by mass and ``decay``.
        ``stay`` is the attraction of home, in units of destinations.
    nulls
        ``"drop"`` omits rows without an id. It also reads whole floating-point ids, into which
        pandas turns integers if some are missing.
    columns
        Measures to compute: see :func:`centralities`.
    scale, normalized
        The convention of the scores. ``normalized=True`` is NetworkX's.
    sort, top
        The order of the rows. ``top`` returns only so many rows, highest scores first.
    engine, device, threads, precision, lanes, strategy, mdeg, verify
        Settings of the computation; see `docs/tuning.md`.
    memory
        The memory limit, as ``"8G"`` or a number of bytes. More is refused
        before it is taken (:class:`OutOfMemoryError`).
    estimate, eps, within, samples, certain
        Estimate the scores from some sources or pairs, with intervals in columns ``lower`` and ``upper``.
        Stop when all are within ``eps``, a share of all pairs; or after ``within``, as ``"10m"`` or a ``timedelta``;
        or after so many ``samples``; or when so many highest are ``certain``.
    way, confidence, seed
        The way to estimate, the probability that all intervals hold, and the seed of the draws.
    checkpoint, checkpoint_interval, keep_checkpoint, resume
        A file for finished work. ``resume`` continues it.
    shard
        ``"I/N"``: compute part I of N, from 0. Write the result to a file for :func:`merge`.
    edge_scores
        A file for the betweenness of every edge.
    edge_keep
        Columns of edges to write in that table. It then has the rows of the input, in their order.
    stats
        A dict for the findings and the cost of the run; it is filled.
    progress
        ``True`` for a tqdm bar, or a function of a dict (``stage``, ``share``,
        ``edges_read``, ``left_seconds``, ...).

    Returns
    -------
    Result
        ``vertex`` in the type of the input's ids, ``betweenness_centrality``, and for an
        estimate ``lower`` and ``upper``. ``schema.metadata`` describes the run.

    Raises
    ------
    UsageError, InputError, MissingInputError, DeviceError, StorageError, OutOfMemoryError
        All are :class:`Error`. The message is the command's, with arguments in place of flags.

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
    """Several measures of every vertex, a column each, from shared searches.

    Parameters
    ----------
    columns
        One name, or a list. ``"betweenness"``, ``"closeness"`` (NetworkX's, with the factor of Wasserman and
        Faust), ``"closeness_classic"``, ``"harmonic"``, ``"farness"``, ``"eccentricity"``, ``"reach"``;
        ``"degree"``, ``"component"``, ``"component_size"``, ``"independent_set"``, ``"rank"``.
        Measures of reached masses: ``"access"``, ``"within"``, ``"mean_distance"``, ``"weighted_closeness"``,
        ``"weighted_harmonic"``, ``"weighted_farness"``.
        In a directed graph, measures of distances have two forms: ``"closeness_in"`` takes the
        distances to a vertex, ``"closeness_out"`` the distances from it.
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
    """A measure of distances, in a directed graph one of its two forms."""
    if options.get("directed"):
        column = f"{measure}_{direction or default}"
    elif direction is None:
        column = measure
    else:
        raise UsageError(f"direction={direction!r} needs a directed graph", "give directed=True", 2)
    return table_of("run", measure, edges, {**options, "columns": column})


@spelled
def closeness(edges: Edges, *, direction: Literal["in", "out"] | None = None, **options: Unpack[Rows]) -> Result:
    """Closeness centrality of every vertex: high if it is near to many others.

    If a vertex is connected with r of the n - 1 others, and their distances sum to d: r/d * r/(n-1).
    Otherwise 0.

    Parameters
    ----------
    direction
        In a directed graph: ``"in"``, distances to a vertex, like NetworkX and the default; or ``"out"``, from it.
    edges, **options
        As of :func:`betweenness`.

    Returns
    -------
    Result
        ``vertex`` and ``closeness_centrality``, in a directed graph ``closeness_in_centrality`` or ``closeness_out_centrality``.

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
        In a directed graph: ``"in"``, distances to a vertex, like NetworkX and the default; or ``"out"``, from it.
    edges, **options
        As of :func:`betweenness`.

    Returns
    -------
    Result
        ``vertex`` and ``harmonic_centrality``, in a directed graph ``harmonic_in_centrality`` or ``harmonic_out_centrality``.

    Examples
    --------
    >>> import bcstage
    >>> bcstage.harmonic([("a", "b"), ("b", "c")]).to_pydict()
    {'vertex': ['a', 'b', 'c'], 'harmonic_centrality': [1.5, 2.0, 1.5]}
    """
    return _one("harmonic", edges, "in", direction, dict(options))


@spelled
def eccentricity(edges: Edges, *, direction: Literal["in", "out"] | None = None, **options: Unpack[Rows]) -> Result:
    """Eccentricity of every vertex: the distance of its farthest reached vertex, or 0.

    Parameters
    ----------
    direction
        In a directed graph: ``"out"``, distances from a vertex, like NetworkX and the default; or ``"in"``, to it.
    edges, **options
        As of :func:`betweenness`.

    Returns
    -------
    Result
        ``vertex`` and ``eccentricity``, in a directed graph ``eccentricity_in`` or ``eccentricity_out``:
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
    """The connected component of every vertex, and its number of vertices.

    Directions of edges do not matter.

    Parameters
    ----------
    edges
        As of :func:`betweenness`.
    **options
        As of :func:`betweenness`, for input.

    Returns
    -------
    Result
        ``vertex``, ``component``, numbered from 0 in order of occurrence, and ``component_size``.

    Examples
    --------
    >>> import bcstage
    >>> bcstage.components([(1, 2), (7, 8), (2, 3)]).to_pydict()
    {'vertex': [1, 2, 7, 8, 3], 'component': [0, 0, 1, 1, 0], 'component_size': [3, 3, 2, 2, 3]}
    """
    return table_of("run", "components", edges, {**options, "columns": ["component", "component_size"]})


@spelled
def edge_betweenness(edges: Edges, **options: Unpack[Scaled]) -> Result:
    """Betweenness of every edge: the number of shortest paths over it.

    Each pair of endpoints counts once, shared among its shortest paths. For the scores of vertices
    in the same run, call :func:`betweenness` with ``edge_scores``.

    Parameters
    ----------
    edges
        As of :func:`betweenness`.
    **options
        As of :func:`betweenness`; ``scale`` and ``normalized`` divide by the pairs of vertices.

    Returns
    -------
    Result
        ``src`` and ``dst`` in the type of the input's ids and ``edge_betweenness_centrality``. There is a
        row for every distinct edge, in the order and direction of its first occurrence. With ``edge_keep``
        there is one for every row of the input.

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


@spelled
def flows(edges: Edges | None, *, nodes: Vertices | None = None, radii: Cutoffs | None = None, **options: Unpack[Columns]) -> Result:
    """How much passes through every vertex: the trips of a table, or the masses of vertices.

    :func:`betweenness` with the names of street networks. Pairs are ordered: a trip there and one back are two.

    Parameters
    ----------
    edges
        As of :func:`betweenness`.
    nodes
        Its ``vertices``: a table with ids in its first column, or its path. ``origins`` and ``destinations`` name the columns
        of masses.
    radii
        Its ``cutoff``: one, or a list for a column each, as ``flow_400``.
    **options
        As of :func:`betweenness`: ``trips``, ``origins``, ``destinations``, ``decay``, ``constrained``, ``weight``, ``oneway``, ...

    Returns
    -------
    Result
        ``vertex`` and ``flow``, and ``columns`` if they are given.

    Examples
    --------
    >>> import bcstage
    >>> path = [("a", "b"), ("b", "c"), ("c", "d")]
    >>> bcstage.flows(path, trips={"origin": ["a"], "destination": ["c"], "trips": [5]}).to_pydict()
    {'vertex': ['a', 'b', 'c', 'd'], 'flow': [0.0, 5.0, 0.0, 0.0]}
    """
    given: dict[str, Any] = dict(options)
    if all(given.get(name) is None for name in ("trips", "origins", "destinations", "constrained")):
        raise UsageError("flows() without trips, origins=, destinations= or constrained=: nothing flows",
                         "origins= and destinations= name columns of nodes; betweenness() counts pairs", 2)
    for name, value, named in (("nodes", nodes, "vertices"), ("radii", radii, "cutoff")):
        if value is not None and given.get(named) is not None:
            raise UsageError(f"{name} and {named} are the same: give one", "", 2)
        if value is not None:
            given[named] = value
    return table_of("run", "flows", edges, given)
