"""What NetworkX reads when it starts: light, since it does so on every import."""

from typing import Any


def get_info() -> dict[str, Any]:
    return {
        "backend_name": "bcstage",
        "project": "bcstage",
        "package": "bcstage",
        "short_summary": "Exact betweenness centrality on every core and OpenCL device",
        "description": "Betweenness centrality by a command that comes with the package; a call takes 14 ms at least.",
        "functions": {
            "betweenness_centrality": {
                "additional_docs": "Over all nodes; with a weight, lengths are decimal, so that 0.1 + 0.2 is as long as 0.3; multigraphs count parallel edges once, as NetworkX does.",
                "additional_parameters": {},
            },
        },
        "default_config": {"threads": 0, "engine": "auto"},
    }
