"""Keywords of the calls become flags of the command.

Every call takes a group of keywords. Type checkers read it (``Unpack``);
:func:`spelled` shows it in help() and checks each call. The groups are
in ``_keywords.py``, which is made from the table of the command's flags.
"""

from __future__ import annotations

import datetime
import difflib
import functools
import inspect
import os
from collections.abc import Callable
from decimal import Decimal
from typing import Any, ParamSpec, TypeVar

from bcstage import _keywords
from bcstage._types import Names


P = ParamSpec("P")
T = TypeVar("T")


def spelled(call: Callable[P, T]) -> Callable[P, T]:
    """A call whose signature lists its keywords, and which suggests a keyword for a wrong one."""
    signature = inspect.signature(call)
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    others = [p for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD]
    if others:
        group = getattr(_keywords, str(others[0].annotation).removeprefix("Unpack[").removesuffix("]"))
        taken = {p.name for p in own}
        own += [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=_text(kind), default=False if _text(kind) == "bool" else None)
                for name, kind in group.__annotations__.items() if name not in taken]
    known = [p.name for p in own if p.kind is not p.POSITIONAL_ONLY]

    @functools.wraps(call)
    def checked(*args: P.args, **options: P.kwargs) -> T:
        for name in options:
            if name not in known:
                near = difflib.get_close_matches(name, known, 1)
                raise TypeError(f"{call.__name__}() got an unexpected keyword argument {name!r}" + (f". Did you mean {near[0]!r}?" if near else ""))
        return call(*args, **options)

    setattr(checked, "__signature__", signature.replace(parameters=own))
    return checked


def _text(kind: Any) -> str:
    """An annotation as in the source."""
    return str(getattr(kind, "__forward_arg__", kind))


def flags(**options: Any) -> list[str]:
    """Options as flags. None, False and empty lists give no flag; lists are joined by commas."""
    given = {name: bool(value) if type(value).__name__ in ("bool", "bool_") else value for name, value in options.items()}  # NumPy's, too
    return [f"--{name.replace('_', '-')}={written(value)}" for name, value in given.items()
            if value is not None and value is not False and not (isinstance(value, (list, tuple)) and not value)]


def written(value: Any) -> str:
    """A value in the form that the command reads."""
    if value is True:
        return "true"
    if isinstance(value, str):
        return str(value)
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, datetime.timedelta):
        return f"{value.total_seconds():f}s"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_quoted, map(str, value)))
    if hasattr(value, "__index__"):
        return str(value.__index__())
    if isinstance(value, Decimal):
        return f"{value:f}"
    if hasattr(value, "__float__"):  # 1e-05 is written 0.00001
        return f"{Decimal(repr(float(value))):f}"
    return str(value)


def names(value: Names | None) -> list[str] | None:
    """Names of columns as a list. A string is one name, even with commas."""
    return value if value is None else [value] if isinstance(value, str) else list(value)


def _quoted(name: str) -> str:
    """A name in a list, quoted like CSV."""
    return '"' + name.replace('"', '""') + '"' if any(c in name for c in ',"\n') else name
