"""The result of a call: a table that other libraries read directly."""

from __future__ import annotations

import html
import io
import re
from typing import TYPE_CHECKING, Any, get_args

from bcstage._keywords import Measure

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow as pa
else:
    from bcstage import _arrow as pa

# Rows that a notebook shows; most rows with a report unasked, which takes a second.
SHOWN = 10
REPORTED = 1_000_000

# The end of every Arrow stream.
END = b"\xff\xff\xff\xff\x00\x00\x00\x00"

# The name of a measure's column, in any of its conventions.
SCORE = re.compile(f"(edge_)?({'|'.join(get_args(Measure))})(_centrality)?|flow")


def _without_pyarrow() -> bool:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return True
    return False


class Result:
    """A table of scores or distances.

    Libraries that read ``__arrow_c_stream__`` take it directly: ``polars.DataFrame(result)``, ``pyarrow.table(result)``,
    DuckDB's SQL. It also has the columns and methods of the pyarrow.Table of :meth:`to_arrow`:
    ``result["vertex"]``, ``result.num_rows``, ``result.to_pydict()``. The table is decoded at its first use.

    Attributes
    ----------
    stats
        The findings and the cost of the run; for :func:`merge`, of all parts together.
    """

    def __init__(self, data: bytes, stats: dict[str, Any]):
        if not data.endswith(END):
            raise RuntimeError("bcstage succeeded without a complete table")
        self._data, self._table = data, None
        self.stats = stats

    def to_arrow(self) -> pa.Table:
        """The table of pyarrow; ``schema.metadata`` describes the run. It is decoded once, without a copy."""
        if self._table is None:
            with pa.ipc.open_stream(pa.py_buffer(self._data)) as reader:
                self._table = reader.read_all()
        return self._table

    def to_polars(self) -> polars.DataFrame:
        """The table as a frame of polars; pyarrow is not needed."""
        import polars

        return polars.read_ipc_stream(io.BytesIO(self._data))

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """The table as a frame of pandas; options as of ``pyarrow.Table.to_pandas``."""
        return self.to_arrow().to_pandas(**options)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object:
        if _without_pyarrow():
            return self.to_polars().__arrow_c_stream__(requested_schema)
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.to_arrow(), name)

    def __getitem__(self, column: str | int) -> pa.ChunkedArray:
        return self.to_arrow()[column]

    def __len__(self) -> int:
        return int(self.to_arrow().num_rows)

    def __eq__(self, other: object) -> bool:
        return bool(self.to_arrow() == (other.to_arrow() if isinstance(other, Result) else other))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return Result, (self._data, self.stats)

    def __repr__(self) -> str:
        if _without_pyarrow():
            return f"<bcstage.Result: {len(self._data)} bytes of Arrow>"
        lines = [" ".join(f"{field.name}: {field.type}" for field in self.to_arrow().schema)]
        lines += ["  ".join("" if value is None else str(value) for value in row.values()) for row in self._highest().to_pylist()]
        return "\n".join([f"<bcstage.Result: {len(self)} rows>", *lines])

    def _highest(self) -> pa.Table:
        """The highest rows by the first column of scores; without scores, the first rows."""
        table = self.to_arrow()
        scores = next((name for name in table.column_names if SCORE.fullmatch(name)), None)
        if scores is None or table.column_names.count(scores) > 1:
            return table.slice(0, SHOWN)
        import pyarrow.compute as pc

        return table.take(pc.select_k_unstable(table, SHOWN, sort_keys=[(scores, "descending")])) if table.num_rows else table

    def _repr_html_(self) -> str:
        """The first rows, and the report behind a button, for a notebook."""
        if _without_pyarrow():
            return html.escape(repr(self))
        table = self._highest()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in table.column_names)
        body = "".join("<tr>" + "".join(f"<td>{'' if value is None else html.escape(str(value))}</td>" for value in row) + "</tr>"
                       for row in zip(*(column.to_pylist() for column in table.columns)))
        return f"<p>{len(self):,} rows</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{self._button()}"

    def _button(self) -> str:
        if "betweenness_centrality" not in self.column_names or not 0 < len(self) <= REPORTED:
            return "<p><code>bcstage.report(result)</code> makes a page of scores.</p>"
        from bcstage._about import report

        page = html.escape(report(self, stats=self.stats))
        return f'<details><summary>Report</summary><iframe srcdoc="{page}" sandbox="allow-scripts" style="width:100%;height:40em;border:0"></iframe></details>'
