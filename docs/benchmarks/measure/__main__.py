#!/usr/bin/env python3
"""Measure bcstage, and keep what was measured: python3 docs/benchmarks/measure SUBCOMMAND --help

    all      every benchmark of this machine, kept as raw output (make bench)
    peers    bcstage beside igraph, NetworKit, rustworkx and NetworkX, by question (make ratios)
    backends NetworkX and its backends
    columns  columns of distances beside igraph's, vertex by vertex
    papers   searches from one source by every strategy, on a device
    changes  what --since and whatif cost beside a run
    turns    shell lines in turn: stages, processor time, cycles
    memory   peak memory of real processes, by column, format and limit
    figure   one figure, for docs/claims.tsv
    claims   the figures of docs/claims.tsv, as far as this machine can (make claims)
    ledger   the tables of docs/benchmarks/README.md, made of figures.tsv (make generate)

Only all, peers, backends, columns and memory need more than Python: pip install -r docs/benchmarks/requirements.txt
"""
import importlib
import sys

if __name__ == "__main__":
    names = [line.split()[0] for line in __doc__.splitlines() if line.startswith("    ")]
    if sys.argv[1:2] == [] or sys.argv[1] not in names:
        sys.exit(__doc__)
    sys.argv[0] = " ".join(["measure", sys.argv[1]])
    sys.exit(importlib.import_module({"all": "every"}.get(sys.argv[1], sys.argv[1])).main(sys.argv[2:]))
