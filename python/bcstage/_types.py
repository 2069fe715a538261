"""Types of arguments."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Protocol, Union, runtime_checkable


@runtime_checkable
class ArrowStream(Protocol):
    """A table of pyarrow, polars, DuckDB or pandas (2.2 and later)."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...


@runtime_checkable
class ArrowArray(Protocol):
    """One batch of a table, or one array."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


class Collected(Protocol):
    """A LazyFrame of polars."""

    def collect(self) -> Any: ...


class Scanned(Protocol):
    """A Dataset of pyarrow."""

    def scanner(self) -> Any: ...


class Lake(Protocol):
    """A DeltaTable."""

    def to_pyarrow_dataset(self) -> Any: ...


class Lakes(Protocol):
    """A table of pyiceberg."""

    def scan(self) -> Any: ...


class Read(Protocol):
    """A Scanner of pyarrow."""

    def to_reader(self) -> Any: ...


Path = Union[str, "os.PathLike[str]"]
Table = Union[ArrowStream, ArrowArray, Mapping[str, Any], Collected, Scanned, Lake, Lakes, Read]
Edges = Union[Path, Sequence[Path], Table, Iterable[Sequence[Union[int, str]]], Iterable[Union[ArrowStream, ArrowArray, Mapping[str, Any]]]]
Vertices = Union[Path, Table, Iterable[Union[int, str]]]

Names = Union[str, Sequence[str]]
Time = Union[str, datetime.timedelta]
Number = Union[int, float, Decimal, str]
Cutoffs = Union[Number, Sequence[Number]]
Progress = Union[bool, Callable[[dict[str, Any]], None], None]
