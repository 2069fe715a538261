"""Tables and graphs of other libraries, which are not imported here: converted here, or by the caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa
else:
    from bcstage import _arrow as pa


def kinds(data: Any) -> list[str]:
    """The classes of an object by library and name, as ``pandas.DataFrame``, without modules between."""
    return [f"{kind.__module__.split('.')[0]}.{kind.__qualname__}" for kind in type(data).__mro__]


def described(data: Any) -> str:
    """The class of an object, for a message."""
    kind = kinds(data)[0]
    return kind.removeprefix("builtins.") if data is not None else "None"


def _lazy(frame: Any, what: str) -> Any:
    return frame.collect()


def _dataset(dataset: Any, what: str) -> Any:
    return dataset.scanner().to_reader()


def _places(frame: Any, what: str) -> Any:
    """A frame of geopandas: edges drop their geometries, vertices keep them as a column."""
    if what != "edges":
        return frame.to_arrow()
    import pandas

    return pandas.DataFrame(frame.drop(columns=[name for name in frame.columns if frame[name].dtype.name == "geometry"]))


def _matrix(array: Any, what: str) -> Any:
    if array.ndim != 2 or array.shape[1] != 2:
        raise TypeError(f"{what}: an array of shape {array.shape}: want (m, 2), a row for each edge; give longer rows as columns: "
                        f'{{"src": {what}[:, 0], "dst": {what}[:, 1], "length": {what}[:, 2]}}')
    return pa.table({"src": pa.array(array[:, 0].copy()), "dst": pa.array(array[:, 1].copy())})


# Conversions to tables, derived classes first.
CONVERTED: dict[str, Callable[[Any, str], Any]] = {
    "geopandas.GeoDataFrame": _places,
    "polars.LazyFrame": _lazy,
    "pyarrow.Dataset": _dataset,
    "pyarrow.Scanner": lambda scanner, what: scanner.to_reader(),
    "deltalake.DeltaTable": lambda table, what: _dataset(table.to_pyarrow_dataset(), what),
    "pyiceberg.Table": lambda table, what: table.scan().to_arrow_batch_reader(),
    "pyiceberg.TableScan": lambda scan, what: scan.to_arrow_batch_reader(),
    "numpy.ndarray": _matrix,
}

# Classes with several meanings as edges, or that would be copied unasked: the line that converts, and further arguments.
_SPARSE = ('coo = {0}.tocoo(); table = {{"src": coo.row, "dst": coo.col, "length": coo.data}}', 'with vertices=range({0}.shape[0])')
REFUSED = {
    "networkx.Graph": ("table = networkx.to_pandas_edgelist({0})",
                       'with directed={0}.is_directed() and vertices=list({0}); or networkx.betweenness_centrality({0}, backend="bcstage")'),
    "igraph.Graph": ("table = {0}.get_edge_dataframe()", "with directed={0}.is_directed() and vertices=range({0}.vcount())"),
    "scipy._spbase": _SPARSE,
    "scipy.spmatrix": _SPARSE,
    "pyspark.DataFrame": ("table = {0}.toArrow()", "which collects it; shards on Spark itself are in examples/spark"),
    "cudf.DataFrame": ("table = {0}.to_arrow()", ""),
    "dask.DataFrame": ("table = {0}.compute()", ""),
}
