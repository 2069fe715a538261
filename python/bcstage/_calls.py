"""The calls: arguments in, a process of the command, a result out."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, Union

import pyarrow as pa

from bcstage._command import Run, flags, shown
from bcstage._edges import ArrowStream, Edges, Path, source, write

Progress = Union[bool, Callable[[dict[str, Any]], None], None]
Names = Union[str, Sequence[str], None]
Vertices = Union[Path, Sequence[Union[int, str]], pa.Array, None]


def betweenness(
    edges: Edges,
    *,
    src: str | int | None = None,
    dst: str | int | None = None,
    by: Names = None,
    bipartite: bool = False,
    directed: bool = False,
    weight: str | int | None = None,
    repeats: Literal["min", "sum", "error"] | None = None,
    ignore_weight: bool = False,
    vertices: Path | None = None,
    keep: Names = None,
    sources: Vertices = None,
    targets: Vertices = None,
    endpoints: bool = False,
    cutoff: int | float | str | None = None,
    nulls: Literal["error", "drop"] | None = None,
    ids: Literal["auto", "int", "string"] | None = None,
    columns: Names = None,
    scale: Literal["raw", "ordered", "pairs", "max", "component"] | None = None,
    normalized: bool = False,
    sort: Literal["first-seen", "score"] | None = None,
    top: int | None = None,
    engine: Literal["auto", "cpu", "gpu"] | None = None,
    device: str | None = None,
    precision: Literal["float64", "float32"] | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
    verify: int | None = None,
    estimate: bool = False,
    eps: float | None = None,
    within: str | None = None,
    samples: int | None = None,
    certain: int | None = None,
    way: Literal["auto", "sources", "sources-raw", "pairs", "exact"] | None = None,
    confidence: float | None = None,
    seed: int | None = None,
    checkpoint: Path | None = None,
    resume: bool = False,
    stats: dict[str, Any] | None = None,
    progress: Progress = None,
    **more: Any,
) -> pa.Table:
    """Betweenness centrality of every vertex, exact unless ``estimate`` is set.

    For an undirected simple graph, the number of shortest paths between other
    vertices that run through a vertex, each pair of ends counting one in all:
    NetworkX's ``betweenness_centrality(G, normalized=False)``.

    Parameters
    ----------
    edges
        A path, a list of paths, globs or folders, a URL ``s3://BUCKET/KEY``, or
        a table that streams Arrow: pyarrow, polars, DuckDB, pandas (2.2 or later).
        It is streamed; no copy of it is made here.
    src, dst
        The columns of an edge's ends. Without them the table must have a usual
        pair of names (``src,dst``; ``source,target``; ``from,to``; ...).
    weight, repeats
        The column of lengths of edges, by which paths are measured: integers,
        floating-point numbers, decimals; and what counts of an edge that is there
        more than once.
    by
        Columns by which the edges are many graphs, each with scores of its own.
    vertices
        A file with vertices that exist with or without edges.
    keep
        Columns of that file that stand in the result before the scores.
    sources, targets
        Only paths that begin, or end, at these vertices: a list of ids, or the path of a
        file with them in its first column.
    endpoints
        Paths count for their two ends, too.
    cutoff
        Only paths of at most so many edges, or with ``weight`` of at most that length.
    directed
        Edges run from ``src`` to ``dst``.
    columns
        What to compute, a column each: ``"betweenness"``, ``"closeness"``, ``"harmonic"``,
        ``"eccentricity"``, ``"farness"``, ``"reach"``, ``"degree"``, ``"component"``, ...
    scale, normalized
        The convention of the scores; ``normalized=True`` is NetworkX's.
    top
        Only so many rows, highest scores first.
    memory
        What may be used, as ``"8G"`` or a number of bytes; more is refused
        before it is taken (:class:`OutOfMemoryError`).
    estimate, eps, within, samples, certain
        Scores from some sources, or pairs, with columns ``lower`` and ``upper`` between
        which each lies: until all are certain to ``eps`` of all pairs, or until a time
        such as ``"10m"``, or for so many samples, or until so many highest are certain.
    way, confidence, seed
        How to estimate, with which probability all intervals hold, and what to draw.
    checkpoint, resume
        A file for what is computed so far; ``resume`` goes on from it.
    stats
        A dict that receives what the run found and what it cost.
    progress
        ``True`` for a tqdm bar, or a function that is called with a dict
        (``stage``, ``share``, ``edges_read``, ``left_seconds``, ...).
    more
        Any other flag of ``bcstage run`` by its name, as ``lanes=8`` or ``strategy="level"``.

    Returns
    -------
    pyarrow.Table
        ``vertex`` in the type of the input's ids, ``betweenness_centrality``, and of an
        estimate ``lower`` and ``upper``;
        with what the run was in ``schema.metadata``.

    Raises
    ------
    UsageError, InputError, MissingInputError, DeviceError, StorageError, OutOfMemoryError
        All are :class:`Error`; the message is the command's.
    """
    args, feed = source(edges)
    with tempfile.TemporaryDirectory() as folder, shown(progress) as show:
        report = os.path.join(folder, "stats.json") if stats is not None else None
        options = flags(
            src=src, dst=dst, by=by, bipartite=bipartite, directed=directed, weight=weight, repeats=repeats, ignore_weight=ignore_weight,
            vertices=vertices, keep=keep, sources=_listed(sources, folder, "sources"), targets=_listed(targets, folder, "targets"),
            endpoints=endpoints, cutoff=cutoff, nulls=nulls, ids=ids, columns=columns, scale=scale, normalized=normalized, sort=sort, top=top,
            engine=engine, device=device, precision=precision, threads=threads, memory=memory, verify=verify,
            estimate=estimate, eps=eps, within=within, samples=samples, certain=certain, way=way, confidence=confidence, seed=seed,
            checkpoint=checkpoint, resume=resume, stats=report, **more)
        table = _table(["run", *options, "--format=arrow", "--output=-", *args], feed, show)
        if stats is not None and report is not None:
            with open(report) as file:
                stats.update(json.load(file))
    return table


def edge_betweenness(edges: Edges, **options: Any) -> pa.Table:
    """Betweenness of every edge: the number of shortest paths that run over it, each pair of ends counting one in all.

    The options are those of :func:`betweenness`, but for estimates and columns; ``scale``
    and ``normalized`` divide by the pairs of vertices. To have both tables of one run, give
    :func:`betweenness` a file as ``edge_scores``.

    Returns
    -------
    pyarrow.Table
        ``src`` and ``dst`` in the type of the input's ids and ``edge_betweenness_centrality``, for
        every distinct edge, in the order and the direction in which it first comes.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scores.arrow")
        betweenness(edges, edge_scores=path, **options)
        with pa.OSFile(path) as file, pa.ipc.open_file(file) as reader:
            return reader.read_all()


def _listed(ids: Vertices, folder: str, name: str) -> Path | None:
    """The file that a list of ids is in, for the command."""
    if ids is None or isinstance(ids, (str, os.PathLike)):
        return ids
    column = ids if isinstance(ids, pa.Array) else pa.array(list(ids), None if len(ids) else pa.int64())
    path = os.path.join(folder, name + ".arrow")
    with pa.ipc.new_file(path, pa.schema([("id", column.type)])) as file:
        file.write_table(pa.table({"id": column}))
    return path


def distances(edges: Edges, sources: Vertices, *, cutoff: int | float | str | None = None, paths: bool = False,
              progress: Progress = None, **options: Any) -> pa.Table:
    """How far vertices are from each of some sources.

    Returns a table of ``source``, ``vertex`` and ``distance``, a row for every vertex that
    a source reaches, itself included; with ``paths`` a column of how many shortest paths
    there are. ``sources`` is a list of ids or a file, as of :func:`betweenness`, whose
    options about input this takes (``src``, ``dst``, ``directed``, ``weight``, ...).
    A result that may not fit into memory: :func:`distance_batches`.
    """
    args, feed = source(edges)
    with tempfile.TemporaryDirectory() as folder, shown(progress) as show:
        return _table([*_distances(folder, sources, cutoff=cutoff, paths=paths, **options), *args], feed, show)


def distance_batches(edges: Edges, sources: Vertices, **options: Any) -> Iterator[pa.RecordBatch]:
    """The same as :func:`distances`, batch by batch while they are computed, in bounded memory.

    An iterator that is given up ends the command.
    """
    args, feed = source(edges)
    with tempfile.TemporaryDirectory() as folder, Run([*_distances(folder, sources, **options), *args], feed) as run:
        try:
            with pa.ipc.open_stream(run.stdout) as reader:
                yield from reader
        except (pa.ArrowInvalid, OSError):
            run.stdout.read()
            run.wait()  # which says why
            raise
        run.wait()


def _distances(folder: str, sources: Vertices, **options: Any) -> list[str]:
    if sources is None:
        raise TypeError("sources: want a list of ids, or a file")
    return ["distances", *flags(sources=_listed(sources, folder, "sources"), **options), "--format=arrow", "--output=-"]


def info(edges: Edges, *, progress: Progress = None, **options: Any) -> dict[str, Any]:
    """What :func:`betweenness` would find and cost: vertices, edges, reductions, time, memory.

    Takes the options of :func:`betweenness` that are about input and effort.
    """
    args, feed = source(edges)
    with shown(progress) as show, Run(["info", *flags(**options), "--json", *args], feed, show) as run:
        text = run.stdout.read()
        run.wait()
    found: dict[str, Any] = json.loads(text)
    return found


def merge(partials: Path | Sequence[Path], *, sort: Literal["first-seen", "score"] | None = None,
          scale: str | None = None, normalized: bool = False, top: int | None = None) -> pa.Table:
    """The scores of the partial results that runs with ``shard`` or ``checkpoint`` have written.

    Raises :class:`InputError`, with what is missing or there twice.
    """
    args, _ = source(partials)
    return _table(["merge", *flags(sort=sort, scale=scale, normalized=normalized, top=top), "--format=arrow", "--output=-", *args], None, None)


class Page(str):
    """HTML, which a notebook shows where a cell ends with it."""

    def _repr_html_(self) -> str:
        return str(self)


def report(scores: Path | ArrowStream, *, stats: Path | dict[str, Any] | None = None, edges: Path | ArrowStream | None = None,
           src: str | int | None = None, dst: str | int | None = None, ignore_weight: bool = False,
           top: int | None = None, output: Path | None = None) -> Page:
    """The page that ``bcstage report`` makes of scores, as HTML.

    A cell of a notebook that ends with ``bcstage.report(scores)`` shows it.

    Parameters
    ----------
    scores
        What :func:`betweenness` returned, or a file of scores.
    stats
        The dict that :func:`betweenness` filled, or the file of ``--stats``: where time went.
    edges, src, dst, ignore_weight
        The edges of the run, for degrees; a table or a path.
    top
        How many of the highest scores to list, 20 if not given.
    output
        Where to write the page as well.
    """
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(stats, dict):
            path = os.path.join(folder, "stats.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(stats, file)
            stats = path
        args, _ = source(_held(scores, folder, "scores"))
        options = flags(stats=stats, edges=None if edges is None else _held(edges, folder, "edges"), src=src, dst=dst, ignore_weight=ignore_weight, top=top)
        with Run(["report", *options, "--output=-", *args]) as run:
            page = Page(run.stdout.read().decode())
            run.wait()
    if output is not None:
        with open(output, "w", encoding="utf-8") as file:
            file.write(page)
    return page


def _held(table: Path | ArrowStream, folder: str, name: str) -> Path:
    """A table as a file, which one is if it is a path."""
    if not isinstance(table, ArrowStream):
        return table
    path = os.path.join(folder, name + ".arrows")
    with open(path, "wb") as pipe:
        write(table, pipe)
    return path


def _table(args: list[str], feed: Any, show: Any) -> pa.Table:
    with Run(args, feed, show) as run:
        broken = None
        try:
            with pa.ipc.open_stream(run.stdout) as reader:
                table = reader.read_all()
        except (pa.ArrowInvalid, OSError) as error:  # no stream, or half of one: the command says why
            broken = error
            run.stdout.read()
        run.wait()
        if broken is not None:
            raise RuntimeError("bcstage ended well without a whole table") from broken
    return table
