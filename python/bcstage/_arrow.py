"""pyarrow, imported when a call first needs it: paths and polars frames do without."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("this call needs pyarrow: pip install pyarrow. Paths and polars frames go in, and to_polars() comes out, without it") from error
    return getattr(pyarrow, name)
