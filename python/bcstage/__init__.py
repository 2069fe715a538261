"""Betweenness and other centralities of edge tables, on every core and OpenCL device.

    import bcstage
    scores = bcstage.betweenness("edges.parquet")          # a Result: to_polars(), to_arrow(), to_pandas()
    scores = bcstage.betweenness(frame, src="a", dst="b")  # pyarrow, polars, DuckDB, pandas

``edges`` is a path, a list of paths, a URL (``s3://bucket/key``), or an object that
streams Arrow (``__arrow_c_stream__``). The command bcstage, which comes with this
package, does the work. Edges are streamed in and scores out, so memory here stays
bounded. Errors are exceptions (see :class:`Error`), and an interrupted call leaves no
process and no file.
"""

from importlib import metadata as _metadata

from bcstage._about import info, merge, report
from bcstage._centralities import betweenness, centralities, closeness, components, eccentricity, edge_betweenness, flows, harmonic
from bcstage._command import (
    DeviceError,
    Error,
    InputError,
    MissingInputError,
    Notice,
    OutOfMemoryError,
    StorageError,
    UsageError,
    command_path,
    version,
)
from bcstage._distances import distance_batches, distances
from bcstage._result import Result
from bcstage._scan import scan
from bcstage._whatif import whatif

try:
    __version__ = _metadata.version("bcstage")
except _metadata.PackageNotFoundError:  # not installed: the folder of a checkout
    __version__ = "unknown"

__all__ = [
    "betweenness", "centralities", "closeness", "components", "eccentricity", "edge_betweenness", "flows", "harmonic",
    "distances", "distance_batches", "whatif", "scan", "Result", "info", "merge", "report", "version", "__version__", "command_path",
    "Error", "UsageError", "InputError", "MissingInputError", "DeviceError", "StorageError", "OutOfMemoryError", "Notice",
]
