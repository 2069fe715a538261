"""Edges for the command: paths as arguments, or an Arrow stream on its standard input."""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from bcstage._foreign import CONVERTED, REFUSED, described, kinds
from bcstage._result import Result
from bcstage._types import ArrowArray, ArrowStream, Edges, Path

if TYPE_CHECKING:
    import pyarrow as pa
else:
    from bcstage import _arrow as pa


# A class that writes Arrow by itself.
POLARS = "polars.DataFrame"

# Pairs of a generator in one batch.
BATCH = 1 << 16

# Up to this integer, floating-point numbers represent all integers.
LARGEST = 2**53


@dataclass
class Source:
    """The source of edges: arguments that name them, and the function that feeds standard input, if any."""

    args: list[str]
    feed: Callable[[IO[bytes]], None] | None = None
    floats: str = ""  # hint for floating-point ids


def source(edges: Edges | None, nulls: str | None = None, changes: bool = False) -> Source:
    """The edges of a caller, for the command; none if changes of a graph replace them."""
    if edges is None and changes:
        return Source([])
    if isinstance(edges, (str, os.PathLike)) or isinstance(edges, (list, tuple)) and edges and isinstance(edges[0], (str, os.PathLike)):
        return Source(files(edges, "edges"))
    table = stream(edges, "edges")
    whole = of_pandas(edges) and nulls == "drop"
    return Source(["-"], lambda pipe: write(table, pipe, whole), floats_of("edges") if of_pandas(edges) else "")


def of_pandas(table: Any) -> bool:
    """Whether a table turns integers into floating-point numbers if some are missing."""
    return not {"pandas.DataFrame", "pandas.Series"}.isdisjoint(kinds(table))


def floats_of(what: str) -> str:
    """The hint for such integers."""
    return f'{what}.convert_dtypes() makes integers of whole numbers, also if some are missing; nulls="drop" does so too, and omits rows without an id'


def files(paths: Path | Sequence[Path], what: str) -> list[str]:
    """Paths as arguments."""
    listed = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    for path in listed:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"{what}: {path!r} is not a path")
    return [_file(path, what) for path in listed]


def _file(path: Path, what: str) -> str:
    path = os.fspath(path)
    if path == "-":
        raise ValueError(f"{what}: standard input is not read from Python; give a path or a table")
    return os.path.join(".", path) if path.startswith("-") else path


def stream(data: Any, what: str) -> ArrowStream:
    """A caller's table, in any form, as a stream of Arrow; or a TypeError with the line that converts it."""
    data = _converted(data, what)
    made: ArrowStream
    if isinstance(data, Result) or POLARS in kinds(data):
        made = data
        return made
    if isinstance(data, (pa.Array, pa.ChunkedArray)) and not pa.types.is_struct(data.type) or kinds(data)[0].endswith(".Series"):
        raise TypeError(f"{what}: {described(data)} is one column: want a table of two")
    if isinstance(data, ArrowStream):
        return data
    if isinstance(data, ArrowArray):
        made = pa.Table.from_batches([pa.record_batch(data)])
        return made
    if isinstance(data, Mapping):
        made = _columns(data, what)
        return made
    if isinstance(data, Iterable) and not isinstance(data, (str, bytes)):
        return _rows(iter(data), what)
    raise TypeError(f"{what}: {described(data)} is not a table: want a path, a list of paths, a dict of columns, pairs, or an object that streams Arrow "
                    "(__arrow_c_stream__: pyarrow, polars, DuckDB, pandas 2.2 or later)")


def _columns(data: Mapping[Any, Any], what: str) -> pa.Table:
    """The table of a dict of columns; other dicts map names or pairs to something else."""
    if all(isinstance(name, tuple) and len(name) == 2 for name in data):  # of lengths, or a view of edges
        raise TypeError(f"{what}: {described(data)} maps pairs, and is not read directly; convert it:\n    pairs = list({what})")
    try:
        if all(isinstance(name, str) for name in data):
            return pa.table(dict(data))
        why = f"{next(name for name in data if not isinstance(name, str))!r} is not the name of a column"
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError) as error:
        why = str(error)
    raise TypeError(f"{what}: want a dict of columns of equal length: {why}. Convert lists of neighbours:\n"
                    f"    pairs = [(u, v) for u, near in {what}.items() for v in near]")


def _converted(data: Any, what: str) -> Any:
    for kind in kinds(data):
        if kind in REFUSED:
            line, beside = (text.format(what) for text in REFUSED[kind])
            raise TypeError(f"{what}: {described(data)} is not read directly; convert it:\n    {line}\n{beside}".rstrip())
        if kind in CONVERTED:
            return CONVERTED[kind](data, what)
    return data


def _rows(rows: Iterator[Any], what: str) -> ArrowStream:
    """Pairs, or tables one after the other, as a stream that takes them on demand."""
    first = next(rows, None)
    if first is None:
        raise ValueError(f"{what}: it is empty: give a table with columns and no rows")
    rows = itertools.chain([first], rows)
    made: ArrowStream
    if isinstance(first, Mapping) and all(isinstance(value, (int, float, str, type(None))) for value in first.values()):
        raise TypeError(f"{what}: it contains {first!r}: dicts of edges are not read directly; convert them:\n"
                        f"    table = pyarrow.Table.from_pylist(list({what}))")
    if isinstance(first, (ArrowStream, ArrowArray, Mapping)):
        tables = (pa.table(stream(table, what)) for table in rows)
        head = next(tables)
        batches = itertools.chain(head.to_batches(), itertools.chain.from_iterable(table.cast(head.schema).to_batches() for table in tables))
        made = pa.RecordBatchReader.from_batches(head.schema, batches)
        return made
    if isinstance(first, (str, bytes)) or not isinstance(first, Sequence) and "numpy.ndarray" not in kinds(first) or len(first) != 2:
        raise TypeError(f"{what}: it contains {first!r}: want pairs of ids, or tables; give longer rows as columns: "
                        "{'src': [...], 'dst': [...], 'length': [...]}")
    parts = iter(lambda: list(itertools.islice(rows, BATCH)), [])
    batch = _pairs(next(parts), what)
    made = pa.RecordBatchReader.from_batches(batch.schema, itertools.chain([batch], (_pairs(part, what, batch.schema) for part in parts)))
    return made


def _pairs(rows: list[Any], what: str, schema: pa.Schema | None = None) -> pa.RecordBatch:
    if any(len(row) != 2 for row in rows):
        raise TypeError(f"{what}: {next(row for row in rows if len(row) != 2)!r} is not a pair of ids")
    columns = [_ids([row[end] for row in rows], what, schema.field(end).type if schema else None) for end in range(2)]
    return pa.record_batch(columns, schema=schema, names=None if schema else ["src", "dst"])


def _ids(ids: Any, what: str, kind: pa.DataType | None = None) -> pa.Array:
    try:
        return pa.array(ids, kind if kind is not None or len(ids) else pa.int64())
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise TypeError(f"{what}: want all ids integers or all strings: {error}") from error


def held(table: Any, folder: str, name: str) -> Path:
    """A table as a file in the folder; a path is returned."""
    if isinstance(table, (str, os.PathLike)):
        return _file(table, name)
    return _keep(stream(table, name), folder, name)


def vertices(given: Any, folder: str, name: str, nulls: str | None = None) -> Path | None:
    """The file of ids for the command: given, or made of a table or of ids."""
    whole = of_pandas(given) and nulls == "drop"
    if given is None:
        return None
    if isinstance(given, (str, os.PathLike)):
        return _file(given, name)
    if "numpy.ndarray" not in kinds(given):
        given = _converted(given, name)
    if isinstance(given, Result) or POLARS in kinds(given):
        return _keep(given, folder, name)
    if isinstance(given, pa.Array) or "numpy.ndarray" in kinds(given):
        return _keep(pa.table({"id": _ids(given, name)}), folder, name)
    if isinstance(given, ArrowStream):
        try:
            table: Any = pa.RecordBatchReader.from_stream(given)
        except (pa.ArrowInvalid, pa.ArrowTypeError):  # a stream of one column
            table = pa.table({"id": pa.chunked_array(given)})
        return _keep(table, folder, name, whole)
    if isinstance(given, Mapping) and not all(isinstance(key, str) for key in given):
        raise TypeError(f"{name}: {described(given)} is neither ids nor a dict of columns; for its keys give list({name})")
    if isinstance(given, (ArrowArray, Mapping)):
        return _keep(stream(given, name), folder, name)
    if isinstance(given, Iterable) and not isinstance(given, bytes):
        return _keep(pa.table({"id": _ids(given if hasattr(given, "dtype") else list(given), name)}), folder, name, whole)
    raise TypeError(f"{name}: {described(given)} is neither ids, a table, nor the path of a file")


def removed(given: Any, folder: str, name: str, nulls: str | None = None) -> Path:
    """The file that edges beside others are in, for the command: that of a caller, or made of a table."""
    if isinstance(given, (str, os.PathLike)):
        return _file(given, name)
    return _keep(stream(given, name), folder, name, of_pandas(given) and nulls == "drop")


def _keep(table: ArrowStream, folder: str, name: str, whole: bool = False) -> Path:
    path = os.path.join(folder, name + ".arrows")
    with open(path, "wb") as pipe:
        write(table, pipe, whole)
    return path


def write(edges: ArrowStream, pipe: IO[bytes], whole: bool = False) -> None:
    """Write a table as an Arrow stream for the command. whole: floating-point columns of whole numbers become integers."""
    if isinstance(edges, Result):
        pipe.write(edges._data)
        return
    if POLARS in kinds(edges):
        import polars

        polars.DataFrame(edges).write_ipc_stream(pipe, compat_level=polars.CompatLevel.oldest())
        return
    with pa.RecordBatchReader.from_stream(edges) as reader:
        if whole:
            table = _whole(reader.read_all())
            reader = table.to_reader()
        schema = pa.schema([field.with_type(_plain(field.type)) for field in reader.schema], reader.schema.metadata)
        with pa.ipc.new_stream(pipe, schema) as out:
            for batch in reader:
                out.write_batch(batch if schema.equals(reader.schema) else batch.cast(schema))
                pipe.flush()  # the next may take long


def _whole(table: pa.Table) -> pa.Table:
    """The table with integers where pandas made floating-point numbers since some are missing."""
    for i, field in enumerate(table.schema):
        if not pa.types.is_floating(field.type):
            continue
        column = table.column(i)
        import pyarrow.compute as pc

        ends = pc.min_max(column).as_py()
        if ends["min"] is not None and max(-ends["min"], ends["max"]) > LARGEST:
            continue  # the original number is lost
        with contextlib.suppress(pa.ArrowInvalid):  # fractions: lengths, or wrong ids, which the command refuses
            table = table.set_column(i, field.name, column.cast(pa.int64()))
    return table


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type of a column in the stream: some Arrow libraries do not read views of strings."""
    views: dict[Any, pa.DataType] = {}
    if hasattr(pa, "string_view"):
        views = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    return views.get(kind, kind)
