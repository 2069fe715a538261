"""Runs notebooks cell by cell, like a person, and compares the outputs with the stored ones.

    python check_notebook.py [--store] NOTEBOOK...

--store writes the outputs into the notebooks. Words and numbers are compared, not their layout;
a report only needs to be one. A cell with the tag needs-NAME may show the line "NAME is not installed: skipped". Needs nbclient, ipykernel and the notebooks' imports.
"""
import re
import sys

import nbformat
from nbclient import NotebookClient


def shown(cell):
    """The output of a cell, in words and numbers; a report is one word."""
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
    # By default a kernel has a minute to start, and four seconds to pass on a cell's output;
    # later output is lost silently.
    patient = dict(timeout=300, startup_timeout=300, iopub_timeout=300, raise_on_iopub_timeout=True)
    client = NotebookClient(notebook, resources={"metadata": {"path": "."}}, record_timing=False, **patient)
    client.execute()
    assert list(shown(cells[-1])) == ["report"], "the last cell shows a report"
    for cell, want in zip(cells, stored, strict=True):
        skipped = [f"{tag.removeprefix('needs-')} is not installed skipped".split() for tag in cell.metadata.get("tags", [])]
        assert store or list(shown(cell)) in [want, *skipped], f"{path}: {cell.source}\nshows {' '.join(shown(cell))}\nstored {' '.join(want)}"
    if store:
        notebook.metadata.language_info = {"name": "python"}  # without a version
        nbformat.write(notebook, path)
    print(path, len(cells), "cells")


for path in sys.argv[1:]:
    if path != "--store":
        check(path, "--store" in sys.argv)
