"""pyarrow, imported when a call first needs it. Paths and polars frames do not."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("this call needs pyarrow: pip install pyarrow. Paths, polars frames and to_polars() work without it") from error
    return getattr(pyarrow, name)
