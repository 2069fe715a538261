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
                "additional_docs": "Parallel edges count once, as NetworkX has it. Sums of lengths are exact, so that ties are ties.",
                "additional_parameters": {},
            },
            "edge_betweenness_centrality": {"additional_docs": "Not of multigraphs. Sums of lengths are exact.", "additional_parameters": {}},
            "betweenness_centrality_subset": {"additional_docs": "Sums of lengths are exact.", "additional_parameters": {}},
            "closeness_centrality": {"additional_docs": "Of all nodes; of a directed graph by the distances to a node, as NetworkX has it.", "additional_parameters": {}},
            "harmonic_centrality": {"additional_docs": "Of all nodes, or of nbunch and from sources; of a directed graph by the distances to a node, as NetworkX has it.", "additional_parameters": {}},
            "eccentricity": {"additional_docs": "Of all nodes; of a directed graph by the distances from a node.", "additional_parameters": {}},
        },
        "default_config": {"threads": 0, "engine": "auto"},
    }
