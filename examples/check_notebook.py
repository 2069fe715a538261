"""Runs a notebook as a person would, cell by cell, and wants a report as its end.

    python check_notebook.py lake_to_picture.ipynb

Needs nbclient, ipykernel and what the notebook imports. Nothing is written to it.
"""
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(notebook)
# By default a kernel has a minute to start, and four seconds to hand over what a cell has
# printed; what comes later is missing, and nothing says so.
patient = dict(timeout=300, startup_timeout=300, iopub_timeout=300, raise_on_iopub_timeout=True)
NotebookClient(notebook, resources={"metadata": {"path": "."}}, **patient).execute()
cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
for cell in cells:
    for output in cell.outputs:
        assert output.output_type != "stream" or output.name != "stderr", f"printed unasked: {output.text}"
page = cells[-1].outputs[-1].data["text/html"]
assert "bcstage-report" in page and "<svg" in page, page[:500]
print(len(cells), "cells,", len(page), "bytes of report")
