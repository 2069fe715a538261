"""Runs notebooks as a person would, cell by cell, and compares what cells show with what is stored.

    python check_notebook.py [--store] NOTEBOOK...

--store writes the outputs into the notebooks. Words and numbers are compared, not how a
library lays them out; of a report, that it is one. Needs nbclient, ipykernel and what the notebooks import.
"""
import re
import sys

import nbformat
from nbclient import NotebookClient


def shown(cell):
    """What a cell shows, in words and numbers; a report is one word."""
    for output in cell.outputs:
        data = output.get("data", {})
        assert output.output_type != "error" and output.get("name") != "stderr", f"unasked: {output}"
        if "bcstage-report" in data.get("text/html", ""):
            assert "<svg" in data["text/html"], data["text/html"][:500]
            yield "report"
        else:
            yield from re.findall(r"[\w.-]+", output.get("text", "") + data.get("text/plain", ""))


def check(path, store):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    stored = [list(shown(cell)) for cell in cells]
    # By default a kernel has a minute to start, and four seconds to hand over what a cell has
    # printed; what comes later is missing, and nothing says so.
    patient = dict(timeout=300, startup_timeout=300, iopub_timeout=300, raise_on_iopub_timeout=True)
    client = NotebookClient(notebook, resources={"metadata": {"path": "."}}, record_timing=False, **patient)
    client.execute()
    assert list(shown(cells[-1])) == ["report"], "the last cell shows a report"
    for cell, want in zip(cells, stored, strict=True):
        assert store or list(shown(cell)) == want, f"{path}: {cell.source}\nshows {' '.join(shown(cell))}\nstored {' '.join(want)}"
    if store:
        notebook.metadata.language_info = {"name": "python"}  # of no version
        nbformat.write(notebook, path)
    print(path, len(cells), "cells")


for path in sys.argv[1:]:
    if path != "--store":
        check(path, "--store" in sys.argv)
