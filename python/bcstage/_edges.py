"""Edges as the command takes them: paths as arguments, or an Arrow stream on its standard input."""

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


# What writes Arrow by itself.
POLARS = "polars.DataFrame"

# How many pairs of a generator are one batch.
BATCH = 1 << 16

# The largest integer up to which a floating-point number is one integer and no other.
LARGEST = 2**53


@dataclass
class Source:
    """Where edges come from: arguments that name them, and what feeds them to standard input, if that is where they come from."""

    args: list[str]
    feed: Callable[[IO[bytes]], None] | None = None
    floats: str = ""  # what is to be done if ids are floating-point numbers


def source(edges: Edges | None, nulls: str | None = None, changes: bool = False) -> Source:
    """What a caller has given as edges, for the command; with changes of a graph there are none."""
    if edges is None and changes:
        return Source([])
    if isinstance(edges, (str, os.PathLike)) or isinstance(edges, (list, tuple)) and edges and isinstance(edges[0], (str, os.PathLike)):
        return Source(files(edges, "edges"))
    table = stream(edges, "edges")
    whole = of_pandas(edges) and nulls == "drop"
    return Source(["-"], lambda pipe: write(table, pipe, whole), floats_of("edges") if of_pandas(edges) else "")


def of_pandas(table: Any) -> bool:
    """Whether integers between which some are missing are floating-point numbers there."""
    return not {"pandas.DataFrame", "pandas.Series"}.isdisjoint(kinds(table))


def floats_of(what: str) -> str:
    """What is to be done about such integers."""
    return f'{what}.convert_dtypes() makes integers of whole numbers between which some are missing; nulls="drop" does, and leaves rows without an id out'


def files(paths: Path | Sequence[Path], what: str) -> list[str]:
    """Paths as arguments."""
    listed = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    for path in listed:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"{what}: {path!r} among paths is none")
    return [_file(path, what) for path in listed]


def _file(path: Path, what: str) -> str:
    path = os.fspath(path)
    if path == "-":
        raise ValueError(f"{what}: standard input is not read from Python; give a path or a table")
    return os.path.join(".", path) if path.startswith("-") else path


def stream(data: Any, what: str) -> ArrowStream:
    """A table that the caller has, in any form, as a stream of Arrow; or a TypeError with the line that makes one of it."""
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
    raise TypeError(f"{what}: {described(data)} is no table: want a path, a list of paths, a dict of columns, pairs, or what streams Arrow "
                    "(__arrow_c_stream__: pyarrow, polars, DuckDB, pandas 2.2 or later)")


def _columns(data: Mapping[Any, Any], what: str) -> pa.Table:
    """The table that a dict of columns is; others have something else by name, or by pair."""
    if all(isinstance(name, tuple) and len(name) == 2 for name in data):  # of lengths, or a view of edges
        raise TypeError(f"{what}: {described(data)} is by pair, and is not read as it is; convert it:\n    pairs = list({what})")
    try:
        if all(isinstance(name, str) for name in data):
            return pa.table(dict(data))
        why = f"{next(name for name in data if not isinstance(name, str))!r} is no name of a column"
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError) as error:
        why = str(error)
    raise TypeError(f"{what}: a dict is one of columns, all equally long, and this is none: {why}. Convert lists of neighbours:\n"
                    f"    pairs = [(u, v) for u, near in {what}.items() for v in near]")


def _converted(data: Any, what: str) -> Any:
    for kind in kinds(data):
        if kind in REFUSED:
            line, beside = (text.format(what) for text in REFUSED[kind])
            raise TypeError(f"{what}: {described(data)} is not read as it is; convert it:\n    {line}\n{beside}".rstrip())
        if kind in CONVERTED:
            return CONVERTED[kind](data, what)
    return data


def _rows(rows: Iterator[Any], what: str) -> ArrowStream:
    """Pairs, or tables one after the other, as a stream that takes them as they are wanted."""
    first = next(rows, None)
    if first is None:
        raise ValueError(f"{what}: nothing in it: a table without rows says what its columns are")
    rows = itertools.chain([first], rows)
    made: ArrowStream
    if isinstance(first, Mapping) and all(isinstance(value, (int, float, str, type(None))) for value in first.values()):
        raise TypeError(f"{what}: it holds {first!r}: a dict for each edge is not read as it is; convert them:\n"
                        f"    table = pyarrow.Table.from_pylist(list({what}))")
    if isinstance(first, (ArrowStream, ArrowArray, Mapping)):
        tables = (pa.table(stream(table, what)) for table in rows)
        head = next(tables)
        batches = itertools.chain(head.to_batches(), itertools.chain.from_iterable(table.cast(head.schema).to_batches() for table in tables))
        made = pa.RecordBatchReader.from_batches(head.schema, batches)
        return made
    if isinstance(first, (str, bytes)) or not isinstance(first, Sequence) and "numpy.ndarray" not in kinds(first) or len(first) != 2:
        raise TypeError(f"{what}: it holds {first!r}: want pairs of ids, or tables; longer rows are columns of a dict: "
                        "{'src': [...], 'dst': [...], 'length': [...]}")
    parts = iter(lambda: list(itertools.islice(rows, BATCH)), [])
    batch = _pairs(next(parts), what)
    made = pa.RecordBatchReader.from_batches(batch.schema, itertools.chain([batch], (_pairs(part, what, batch.schema) for part in parts)))
    return made


def _pairs(rows: list[Any], what: str, schema: pa.Schema | None = None) -> pa.RecordBatch:
    if any(len(row) != 2 for row in rows):
        raise TypeError(f"{what}: {next(row for row in rows if len(row) != 2)!r} is no pair of ids")
    columns = [_ids([row[end] for row in rows], what, schema.field(end).type if schema else None) for end in range(2)]
    return pa.record_batch(columns, schema=schema, names=None if schema else ["src", "dst"])


def _ids(ids: Any, what: str, kind: pa.DataType | None = None) -> pa.Array:
    try:
        return pa.array(ids, kind if kind is not None or len(ids) else pa.int64())
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
        raise TypeError(f"{what}: ids are to be all integers or all strings: {error}") from error


def held(table: Any, folder: str, name: str) -> Path:
    """A table as a file in the folder, which one is if it is a path."""
    if isinstance(table, (str, os.PathLike)):
        return _file(table, name)
    return _keep(stream(table, name), folder, name)


def vertices(given: Any, folder: str, name: str, nulls: str | None = None) -> Path | None:
    """The file that ids are in, for the command: that of a table, or made of ids one after the other."""
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
        raise TypeError(f"{name}: {described(given)} is neither ids nor a dict of columns; its keys are list({name})")
    if isinstance(given, (ArrowArray, Mapping)):
        return _keep(stream(given, name), folder, name)
    if isinstance(given, Iterable) and not isinstance(given, bytes):
        return _keep(pa.table({"id": _ids(given if hasattr(given, "dtype") else list(given), name)}), folder, name, whole)
    raise TypeError(f"{name}: {described(given)} is neither ids, a table, nor the path of a file")


def _keep(table: ArrowStream, folder: str, name: str, whole: bool = False) -> Path:
    path = os.path.join(folder, name + ".arrows")
    with open(path, "wb") as pipe:
        write(table, pipe, whole)
    return path


def write(edges: ArrowStream, pipe: IO[bytes], whole: bool = False) -> None:
    """A table as an Arrow stream that the command reads; whole: floating-point columns of whole numbers as integers."""
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
                pipe.flush()  # the next may be long in coming


def _whole(table: pa.Table) -> pa.Table:
    """The table with integers where pandas made floating-point numbers of them, since some are missing."""
    for i, field in enumerate(table.schema):
        if not pa.types.is_floating(field.type):
            continue
        column = table.column(i)
        import pyarrow.compute as pc

        ends = pc.min_max(column).as_py()
        if ends["min"] is not None and max(-ends["min"], ends["max"]) > LARGEST:
            continue  # which number it was is not known any more
        with contextlib.suppress(pa.ArrowInvalid):  # fractions: lengths, or no ids, which the command says
            table = table.set_column(i, field.name, column.cast(pa.int64()))
    return table


def _plain(kind: pa.DataType) -> pa.DataType:
    """The type in which a column travels: views of strings are not read by every Arrow."""
    views: dict[Any, pa.DataType] = {}
    if hasattr(pa, "string_view"):
        views = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    return views.get(kind, kind)
