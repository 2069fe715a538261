"""One run of the command: options in, a table out."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from bcstage._arguments import names
from bcstage._command import SETS, Run, UsageError, shown
from bcstage._edges import removed, source, vertices
from bcstage._foreign import kinds
from bcstage._result import Result
from bcstage._types import Edges

Begin = Callable[..., Run]

# Arguments that name output files.
WRITTEN = ("edge_scores", "unrouted", "metrics", "checkpoint")


@contextmanager
def begun(command: str, call: str, edges: Edges | None, options: dict[str, Any], *more: str) -> Iterator[Begin]:
    """The function that starts the command for a call. Its folder, bar and statistics last until the context ends."""
    options = dict(options)
    progress, stats = options.pop("progress", None), options.pop("stats", None)
    given = source(edges, options.get("nulls"), options.get("changes") is not None)
    apart([edges, options.get("remove_edges"), options.get("decay"), *(options.get(name) for name in SETS)], options)
    with tempfile.TemporaryDirectory(prefix="bcstage-") as folder, shown(progress) as show:
        for name in SETS:
            if options.get(name) is not None:
                options[name] = vertices(options[name], folder, name, options.get("nulls"))
        if options.get("remove_edges") is not None:
            options["remove_edges"] = removed(options["remove_edges"], folder, "remove_edges", options.get("nulls"))
        if options.get("decay") is not None and not isinstance(options["decay"], str):
            options["decay"] = f"table:{vertices(options['decay'], folder, 'decay', options.get('nulls'))}"
        for name in ("by", "keep", "trips_columns"):
            options[name] = names(options.get(name))
        if stats is not None:
            options["stats"] = os.path.join(folder, "stats.json")
        yield lambda: Run(command, options, [*more, *given.args], given.feed, show, call, folder, given.floats)
        if stats is not None:
            with open(options["stats"], encoding="utf-8") as file:
                stats.update(json.load(file))


def apart(tables: list[Any], options: dict[str, Any]) -> None:
    """Refuse outputs that are files of Datasets; the command checks paths."""
    read = [file for table in tables if "pyarrow.Dataset" in kinds(table) for file in getattr(table, "files", ()) if os.path.exists(file)]
    for name in WRITTEN:
        path = options.get(name)
        if path is None or not os.path.exists(path):
            continue
        for file in read:
            if os.path.samefile(file, path):
                raise UsageError(f"{name}={os.fspath(path)!r} is the same file as {file}, which is read",
                                 "the output would replace its own input: name another file", 2)


def table_of(command: str, call: str, edges: Edges | None, options: dict[str, Any]) -> Result:
    """The table and the statistics of a command."""
    stats = {} if options.get("stats") is None else options["stats"]
    with begun(command, call, edges, {**options, "stats": stats}, "--format=arrow", "--output=-") as begin, begin() as run:
        data = read(run)
    return Result(data, stats)


def read(run: Run) -> bytes:
    """The output of a command that succeeded."""
    data = run.stdout.read()
    run.wait()
    return data
