"""Edges as the command takes them: paths as arguments, or an Arrow stream on its standard input."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import IO, Any, Protocol, Union, runtime_checkable

import pyarrow as pa


@runtime_checkable
class ArrowStream(Protocol):
    """What pyarrow, polars, DuckDB and pandas (2.2 and later) tables are."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Path = Union[str, "os.PathLike[str]"]
Edges = Union[Path, Sequence[Path], ArrowStream]


def source(edges: Edges) -> tuple[list[str], Callable[[IO[bytes]], None] | None]:
    """Arguments that name the edges, and what feeds them to standard input, if that is where they come from."""
    if isinstance(edges, (str, os.PathLike)):
        return [_file(edges)], None
    if isinstance(edges, ArrowStream):
        return ["-"], lambda pipe: write(edges, pipe)
    if isinstance(edges, Sequence) and edges and all(isinstance(path, (str, os.PathLike)) for path in edges):
        return [_file(path) for path in edges], None
    raise TypeError(f"edges: {type(edges).__name__} is neither a path, a list of paths, nor a table that streams Arrow "
                    "(__arrow_c_stream__: pyarrow, polars, DuckDB, pandas 2.2 or later)")


def _file(path: Path) -> str:
    path = os.fspath(path)
    if path == "-":
        raise ValueError("edges: standard input is not read from Python; give a path or a table")
    return os.path.join(".", path) if path.startswith("-") else path


def write(edges: ArrowStream, pipe: IO[bytes]) -> None:
    """A table as an Arrow stream that the command reads."""
    with pa.RecordBatchReader.from_stream(edges) as reader:
        schema = pa.schema([field.with_type(_plain(field.type)) for field in reader.schema], reader.schema.metadata)
        with pa.ipc.new_stream(pipe, schema) as out:
            for batch in reader:
                out.write_batch(batch if schema.equals(reader.schema) else batch.cast(schema))


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type in which a column travels: views of strings are not read by every Arrow."""
    views: dict[Any, pa.DataType] = {}
    if hasattr(pa, "string_view"):
        views = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    return views.get(kind, kind)
