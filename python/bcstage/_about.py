"""About runs: their predicted cost, the merge of their parts, and a page about their scores."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from bcstage._arguments import spelled
from bcstage._command import Run
from bcstage._edges import files, held
from bcstage._keywords import Info
from bcstage._result import Result
from bcstage._run import begun, read
from bcstage._types import Edges, Path, Table

if TYPE_CHECKING:
    from typing_extensions import Unpack


@spelled
def info(edges: Edges | None, **options: Unpack[Info]) -> dict[str, Any]:
    """The findings and the cost of a run, predicted: vertices, edges, reductions, time, memory.

    Parameters
    ----------
    edges
        As of :func:`betweenness`.
    **options
        As of :func:`betweenness`, for input and effort. ``eps`` asks for the cost of an estimate.

    Returns
    -------
    dict
        The output of ``bcstage info --json``.

    Examples
    --------
    >>> import bcstage
    >>> found = bcstage.info([("a", "b"), ("b", "c")])
    >>> found["n"], found["m"]
    (3, 2)
    """
    with begun("info", "info", edges, dict(options), "--json") as begin, begin() as run:
        text = run.stdout.read()
        run.wait()
    found: dict[str, Any] = json.loads(text)
    return found


@spelled
def merge(partials: Path | Sequence[Path], *, sort: Literal["first-seen", "score"] | None = None,
          scale: Literal["raw", "ordered", "pairs", "max"] | None = None, normalized: bool = False, top: int | None = None) -> Result:
    """The scores of partial results, which runs with ``shard`` or ``checkpoint`` wrote.

    Parameters
    ----------
    partials
        Paths of files, patterns, folders or URLs.
    sort, scale, normalized, top
        As of :func:`betweenness`.

    Returns
    -------
    Result
        The result of :func:`betweenness` over everything, to the bit.

    Raises
    ------
    InputError
        Names missing and repeated parts.

    Examples
    --------
    >>> import bcstage, os, pyarrow, tempfile
    >>> path = [("a", "b"), ("b", "c")]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     parts = [os.path.join(folder, f"{i}.arrow") for i in range(2)]
    ...     for i, part in enumerate(parts):
    ...         table = bcstage.betweenness(path, shard=f"{i}/2").to_arrow()
    ...         with pyarrow.ipc.new_file(part, table.schema) as file:
    ...             file.write_table(table)
    ...     bcstage.merge(parts).to_pydict()
    {'vertex': ['a', 'b', 'c'], 'betweenness_centrality': [0.0, 1.0, 0.0]}
    """
    with tempfile.TemporaryDirectory(prefix="bcstage-") as folder:
        stats = os.path.join(folder, "stats.json")
        options = {"sort": sort, "scale": scale, "normalized": normalized, "top": top, "stats": stats}
        with Run("merge", options, ["--format=arrow", "--output=-", *files(partials, "partials")]) as run:
            data = read(run)
        with open(stats, encoding="utf-8") as file:
            return Result(data, json.load(file))


class Page(str):
    """HTML; a notebook shows it at the end of a cell."""

    def _repr_html_(self) -> str:
        return str(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(f"<bcstage.report: {len(self)} characters of HTML>")  # otherwise a notebook would store the page twice


@spelled
def report(scores: Path | Table, *, stats: Path | dict[str, Any] | None = None, edges: Path | Table | None = None,
           vertices: Path | Table | None = None, src: str | int | None = None, dst: str | int | None = None,
           ignore_weight: bool = False, top: int | None = None, output: Path | None = None) -> Page:
    """The page that ``bcstage report`` makes of scores, as HTML.

    A cell of a notebook that ends with ``bcstage.report(scores)`` shows it.

    Parameters
    ----------
    scores
        The result of :func:`betweenness`, or a file of scores.
    stats
        The dict that :func:`betweenness` filled, or the file of ``--stats``.
    edges, src, dst, ignore_weight
        The edges of the run, for degrees; a table or a path.
    vertices
        With scores of edges: a table or a path of vertices; their places make a map.
    top
        The number of highest scores to list, 20 if not given.
    output
        A file on this machine for the page, too; not one of the inputs.

    Examples
    --------
    >>> import bcstage
    >>> page = bcstage.report(bcstage.betweenness([("a", "b"), ("b", "c")]))
    >>> page[:15]
    '<!DOCTYPE html>'
    """
    with tempfile.TemporaryDirectory(prefix="bcstage-") as folder:
        if isinstance(stats, dict):
            path = os.path.join(folder, "stats.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(stats, file)
            stats = path
        table = held(scores, folder, "scores")
        options = {"stats": stats, "edges": None if edges is None else held(edges, folder, "edges"),
                   "vertices": None if vertices is None else held(vertices, folder, "vertices"),
                   "src": src, "dst": dst, "ignore_weight": ignore_weight, "top": top}
        # The command writes the file itself: whole or not at all, and never an input.
        written = None if output is None else os.fspath(output)
        if written is not None and written.startswith("-"):  # neither standard output nor a flag
            written = os.path.join(".", written)
        device = written is not None and os.path.exists(written) and not os.path.isfile(written)
        with Run("report", {**options, "output": "-" if written is None or device else written}, files(table, "scores"), folder=folder) as run:
            page = Page(run.stdout.read().decode())
            run.wait()
    if written is not None and device:
        with open(written, "w", encoding="utf-8") as file:
            file.write(page)
    elif written is not None:
        with open(written, encoding="utf-8") as file:
            page = Page(file.read())
    return page
