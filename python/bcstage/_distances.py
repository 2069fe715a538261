"""Distances from some vertices, a row each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bcstage._arguments import spelled
from bcstage._keywords import Distances
from bcstage._result import Result
from bcstage._run import begun, table_of
from bcstage._types import Edges, Vertices

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import Unpack
else:
    from bcstage import _arrow as pa


@spelled
def distances(edges: Edges, sources: Vertices | None = None, *, paths: bool = False, **options: Unpack[Distances]) -> Result:
    """Distances of vertices from each of some sources.

    For a result larger than memory, use :func:`distance_batches`.

    Parameters
    ----------
    edges
        As of :func:`betweenness`.
    sources
        Vertices to search from. Ids (a list, an array, a generator); a table with
        ids in its first column; or its path. Without them, ``trips`` has the pairs.
    paths
        Add a column with the number of shortest paths.
    **options
        As of :func:`betweenness`, for input, ``targets``, ``cutoff`` and resources. ``trips`` is a table of
        pairs, or its path: only their rows are given, from its origins to its destinations.

    Returns
    -------
    Result
        ``source``, ``vertex`` and ``distance``, a row for every vertex that a source reaches, itself included.

    Examples
    --------
    >>> import bcstage
    >>> bcstage.distances([("a", "b"), ("b", "c")], ["a"]).to_pydict()
    {'source': ['a', 'a', 'a'], 'vertex': ['a', 'b', 'c'], 'distance': [0, 1, 2]}
    """
    return table_of("distances", "distances", edges, {**options, "sources": _wanted(sources, options.get("trips")), "paths": paths})


@spelled
def distance_batches(edges: Edges, sources: Vertices | None = None, *, paths: bool = False, **options: Unpack[Distances]) -> Iterator[pa.RecordBatch]:
    """The same as :func:`distances`, batch by batch while they are computed, in bounded memory.

    An abandoned iterator ends the command.

    Parameters
    ----------
    edges, sources, paths, **options
        As of :func:`distances`.

    Yields
    ------
    pyarrow.RecordBatch
        Rows of :func:`distances`.

    Examples
    --------
    >>> import bcstage
    >>> for batch in bcstage.distance_batches([("a", "b"), ("b", "c")], ["a"]):
    ...     print(batch.to_pydict())
    {'source': ['a', 'a', 'a'], 'vertex': ['a', 'b', 'c'], 'distance': [0, 1, 2]}
    """
    given = {**options, "sources": _wanted(sources, options.get("trips")), "paths": paths}
    with begun("distances", "distance_batches", edges, given, "--format=arrow", "--output=-") as begin, begin() as run:
        try:
            with pa.ipc.open_stream(run.stdout) as reader:
                yield from reader
        except (pa.ArrowInvalid, OSError):
            run.stdout.read()
            run.wait()  # which raises the reason
            raise
        run.wait()


def _wanted(sources: Vertices | None, trips: Vertices | None) -> Vertices | None:
    if sources is None and trips is None:
        raise TypeError("sources: want ids, a table, or the path of a file")
    return sources
