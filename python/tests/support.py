"""Shared by the tests: a small graph, its scores, and optional libraries."""

import importlib
import os
import sys
import unittest

import pyarrow as pa

PATH = pa.table({"src": [1, 2, 3], "dst": [2, 3, 4]})
SCORES = {1: 0.0, 2: 2.0, 3: 2.0, 4: 0.0}


def by_vertex(table):
    return dict(zip(table["vertex"].to_pylist(), table["betweenness_centrality"].to_pylist()))


def optional(name):
    """A library, from its root. If it is missing the test is skipped, unless all are required."""
    try:
        importlib.import_module(name)
    except ImportError:
        if os.environ.get("BCSTAGE_REQUIRE_CLIENTS"):
            raise
        raise unittest.SkipTest(f"{name} is not installed")
    return sys.modules[name.split(".")[0]]
