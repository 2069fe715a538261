"""What becomes of a graph without some of its edges or vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bcstage._arguments import spelled
from bcstage._edges import stream
from bcstage._keywords import WhatIf
from bcstage._result import Result
from bcstage._run import table_of
from bcstage._types import Edges

if TYPE_CHECKING:
    from typing_extensions import Unpack


@spelled
def whatif(edges: Edges, **options: Unpack[WhatIf]) -> Result:
    """What becomes of a graph without some of its edges or vertices: all together, or each by itself.

    Parameters
    ----------
    edges
        As of :func:`betweenness`, or the path of a prepared graph.
    remove_edges, remove_vertices
        What is removed, either of them: edges in any form that ``edges`` may have, but several paths; ids as of ``sources``.
    each
        Remove each by itself, a row each.
    **options
        As of :func:`betweenness`, those about input, but for ``by`` and ``bipartite``; and ``origins`` and ``destinations``, columns
        of ``vertices``.

    Returns
    -------
    Result
        The total and the largest betweenness, how many ordered pairs have a path (``reach``) and how long it is in the mean, each
        with its change; before them the edge or vertex, or how many were removed. With masses, the total and the largest flow and
        what is ``routed`` take the place of the first three.

    Examples
    --------
    >>> import bcstage
    >>> ring = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]
    >>> bcstage.whatif(ring, remove_edges=[("c", "d")], each=True).select(["src", "dst", "reach", "reach_change"]).to_pydict()
    {'src': ['c'], 'dst': ['d'], 'reach': [6], 'reach_change': [-6]}
    """
    return table_of("whatif", "whatif", edges, {**options})
