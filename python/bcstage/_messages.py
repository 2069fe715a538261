"""The command's messages for Python: arguments in place of flags."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bcstage import _keywords
from bcstage._arguments import written

_VALUE = r"""'[^']*'|"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^\s,;:]+"""
_REFUSED = re.compile(rf"invalid value (?P<value>{_VALUE}) for flag --(?P<name>[a-z][a-z-]*)")
_FLAG = re.compile(rf"(?<![\w-])--(?P<name>[a-z][a-z-]*)(?P<between>=|: | |:)?(?P<value>{_VALUE})?")


def in_python(text: str, options: Mapping[str, Any], call: str, about: str = "") -> str:
    """A message with the arguments of a call in place of flags.

    The word after a flag is its value, or continues the sentence. It is a value if it is in
    ``options``, may be chosen, is quoted, or is quoted elsewhere in the message (``about``).
    """
    known = _choices()
    text = re.sub(r"see bcstage \w+ --help", f"see help(bcstage.{call})", text)
    text = _REFUSED.sub(lambda m: f"--{m['name']}={m['value']}", text)

    def argument(match: re.Match[str]) -> str:
        name, between, word = match["name"].replace("-", "_"), match["between"] or "", match["value"] or ""
        if name not in known and name not in options:  # report has its own
            return match[0]
        rest = between + word
        value = _value(name, word, options, known.get(name, ()), text + about) if between else None
        if between == ": " and name not in options:
            value = None
        if value is not None:
            return f"{name}={value}"
        shown = f"{name}=True" if True in known.get(name, ()) else name if rest.startswith(":") else f"{name}="
        return shown + _FLAG.sub(argument, rest)

    return _FLAG.sub(argument, text)


def _value(name: str, word: str, options: Mapping[str, Any], choices: tuple[Any, ...], text: str) -> str | None:
    """The value of an argument from a word; None if the word continues the sentence."""
    plain = word[1:-1] if word[:1] in ("'", '"') else word
    given = options.get(name)
    if given is not None and plain in (written(given), str(given)):
        return repr(given.item() if hasattr(given, "item") else given)
    if plain != word or word in choices or f'"{word}"' in text:
        return repr(plain)
    if word[:1] == "[" or word.isupper() or re.fullmatch(r"-?\d[\d.]*\w*", word):
        return word
    return None


def _choices() -> dict[str, tuple[Any, ...]]:
    """All arguments, with their choices; (True,) for booleans."""
    found: dict[str, tuple[Any, ...]] = {}
    for group in (_keywords.Columns, _keywords.Distances, _keywords.Info):
        for name, kind in group.__annotations__.items():
            text = str(getattr(kind, "__forward_arg__", kind))
            found[name] = (True,) * text.startswith("bool") + tuple(re.findall(r"['\"]([^'\"]+)['\"]", text))
    return found
