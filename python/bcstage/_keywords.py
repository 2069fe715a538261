"""The keywords of the calls, in groups. Made from the table of the command's flags, cli/flags.go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from bcstage._types import Cutoffs, Edges, Names, Number, Path, Progress, Time, Vertices

Measure = Literal[
    "betweenness", "closeness", "closeness_classic", "harmonic", "farness", "eccentricity", "reach", "degree",
    "component", "component_size", "independent_set", "access", "within", "mean_distance", "weighted_closeness",
    "weighted_harmonic", "weighted_farness", "rank", "closeness_in", "closeness_out", "closeness_classic_in",
    "closeness_classic_out", "harmonic_in", "harmonic_out", "farness_in", "farness_out", "eccentricity_in",
    "eccentricity_out", "reach_in", "reach_out", "degree_in", "degree_out",
]


class Reading(TypedDict, total=False):
    """The edges, and how to read them."""

    input_format: Literal["auto", "arrow", "parquet", "csv", "edgelist", "mtx", "metis", "dimacs"] | None
    src: str | int | None
    dst: str | int | None
    directed: bool
    oneway: str | int | None
    header: Literal["auto", "yes", "no"] | None
    by: Names | None
    bipartite: bool
    vertices: Vertices | None
    nulls: Literal["error", "drop"] | None
    weight: str | int | None
    repeats: Literal["min", "sum", "error", "keep"] | None
    ignore_weight: bool
    ids: Literal["auto", "int", "string"] | None
    io_timeout: Time | None


class Effort(TypedDict, total=False):
    """The resources of a call, and its progress."""

    threads: int | None
    memory: str | int | None
    progress: Progress


class Devices(TypedDict, total=False):
    """The processors to use."""

    engine: Literal["auto", "cpu", "gpu"] | None
    device: str | int | None


class Ends(TypedDict, total=False):
    """The paths that count."""

    sources: Vertices | None
    targets: Vertices | None
    origins: str | int | None
    destinations: str | int | None
    trips: Vertices | None
    trips_columns: Names | None
    cutoff: Cutoffs | None
    decay: Vertices | None
    decay_floor: float | None
    constrained: Literal["origins"] | None
    stay: float | None


class Running(Reading, Effort, Devices, Ends, total=False):
    """Options of every run."""

    unrouted: Path | None
    stats: dict[str, Any] | None
    metrics: Path | None
    strategy: Literal["auto", "level", "solo", "ragged", "frontier"] | None
    walk: Literal["auto", "alone", "alone-lengths", "streets", "balls", "acyclic", "mesh-draws", "meshes", "lines", "entries", "rows", "chains", "chain-lengths", "lengths", "acyclic-reach", "mesh-reach", "reach", "length-reach", "chain-reach"] | None
    set: Literal["auto", "avx512", "avx2", "go"] | None
    mdeg: int | None
    verify: int | None
    precision: Literal["float64", "float32"] | None
    lanes: int | None
    checkpoint: Path | None
    checkpoint_interval: Time | None
    resume: bool | Literal["strict"]
    keep_checkpoint: bool


class Rows(Running, total=False):
    """The rows of a table of vertices, and their order."""

    sort: Literal["first-seen", "score"] | None
    top: int | None
    keep: Names | None
    shard: str | None


class Scaled(Running, total=False):
    """The scale of betweenness."""

    endpoints: bool
    scale: Literal["raw", "ordered", "pairs", "max", "component"] | None
    normalized: bool
    edge_keep: Names | None


class Run(Rows, Scaled, total=False):
    """Options of a run that may be an estimate."""

    since: Sequence[Path] | None
    changes: Vertices | None
    edge_scores: Path | None
    estimate: bool
    eps: float | None
    within: Time | None
    samples: int | None
    certain: int | None
    certain_change: int | None
    way: Literal["auto", "sources", "sources-raw", "pairs", "exact"] | None
    confidence: float | None
    seed: int | None


class Columns(Run, total=False):
    """Options of a run with any columns."""

    columns: Measure | Sequence[Measure] | None


class Listing(Reading, Effort, total=False):
    """Options of a run that searches nothing."""

    stats: dict[str, Any] | None
    metrics: Path | None
    keep: Names | None


class Distances(Reading, Effort, Devices, total=False):
    """Options of distances, beside sources."""

    targets: Vertices | None
    trips: Vertices | None
    trips_columns: Names | None
    cutoff: Number | None
    stats: dict[str, Any] | None


class WhatIf(Reading, Effort, total=False):
    """Options of whatif."""

    origins: str | int | None
    destinations: str | int | None
    remove_edges: Edges | None
    remove_vertices: Vertices | None
    each: bool
    stats: dict[str, Any] | None


class Info(Reading, Effort, Devices, Ends, total=False):
    """Options of info: input and effort."""

    since: Sequence[Path] | None
    changes: Vertices | None
    endpoints: bool
    columns: Measure | Sequence[Measure] | None
    precision: Literal["float64", "float32"] | None
    lanes: int | None
    eps: float | None
