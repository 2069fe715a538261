"""Scores as a lazy frame of polars: collecting the frame runs the command for the required columns."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from bcstage._arguments import spelled
from bcstage._edges import stream
from bcstage._foreign import kinds
from bcstage._keywords import Measure, Run
from bcstage._run import WRITTEN, table_of
from bcstage._types import Edges

if TYPE_CHECKING:
    import polars
    from typing_extensions import Unpack


@spelled
def scan(edges: Edges, *, columns: Measure | Sequence[Measure] = "betweenness", **options: Unpack[Run]) -> polars.LazyFrame:
    """Scores as a LazyFrame of polars.

    The run begins when the frame is collected. It computes the measures whose columns the query uses. With
    ``sort``, ``top``, ``estimate`` or a rank, columns depend on each other, and it computes all.
    The first use asks for the types of columns: edges are read, and nothing is searched.

    Parameters
    ----------
    edges
        As of :func:`betweenness`. A generator can be read only once and is kept in memory.
    columns
        As of :func:`centralities`.
    **options
        As of :func:`betweenness`, without ``shard``.

    Returns
    -------
    polars.LazyFrame
        Rows of :func:`centralities`.

    Examples
    --------
    >>> import bcstage
    >>> path = [("a", "b"), ("b", "c"), ("c", "d")]
    >>> frame = bcstage.scan(path, columns=["betweenness", "farness"])
    >>> frame.filter(vertex="b").select("vertex", "farness").collect().rows()
    [('b', 4)]
    """
    import polars
    from polars.io.plugins import register_io_source

    if options.get("shard") is not None:
        raise TypeError("scan() takes no shard: merge parts before reading them")
    measures = [columns] if isinstance(columns, str) else list(columns)
    given = _again(edges)
    known: list[polars.Schema] = []

    def collected(wanted: Sequence[str], **more: Any) -> polars.DataFrame:
        return table_of("run", "scan", given, {**options, "columns": wanted, **more}).to_polars()

    def schema() -> polars.Schema:
        if not known:  # a run without sources searches nothing and has every column
            quiet: dict[str, Any] = dict.fromkeys([*WRITTEN, "stats", "progress"])
            with tempfile.TemporaryDirectory(prefix="bcstage-") as folder:
                none = os.path.join(folder, "none.txt")
                open(none, "w").close()
                known.append(collected(measures, sources=none, resume=False, keep_checkpoint=False, **quiet).schema)
        return known[0]

    def read(with_columns: list[str] | None, predicate: polars.Expr | None, n_rows: int | None, batch_size: int | None) -> Iterator[polars.DataFrame]:
        wanted: Sequence[str] = measures
        apart = not any(options.get(name) for name in ("sort", "top", "estimate")) and "rank" not in measures
        if with_columns is not None and apart:
            scores = schema().names()[-len(measures):]
            wanted = [measure for measure, name in zip(measures, scores) if name in with_columns] or ["degree"]
        frame = collected(wanted)
        if with_columns is not None:
            frame = frame.select(with_columns)
        if predicate is not None:
            frame = frame.filter(predicate)
        yield frame if n_rows is None else frame.head(n_rows)

    return register_io_source(read, schema=schema)


def _again(edges: Edges) -> Edges:
    """The edges in a form that can be read repeatedly."""
    if isinstance(edges, (str, os.PathLike)) or not (isinstance(edges, Iterator) or "pyarrow.RecordBatchReader" in kinds(edges)):
        return edges
    import pyarrow as pa

    return cast(Edges, pa.table(stream(edges, "edges")))
