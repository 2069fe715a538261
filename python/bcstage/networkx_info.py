"""Read by NetworkX on every import, and therefore small."""

from typing import Any

LEFT = "sp, e, attr, method and usebounds are left to NetworkX."

# The answered functions, and their supported arguments.
DISTANCES = {
    "betweenness_centrality_subset": "Sources and targets are collections without repeats. Sums of lengths are exact.",
    "closeness_centrality": "For all nodes, or u; in a directed graph by the distances to a node, like NetworkX.",
    "harmonic_centrality": "For all nodes, or nbunch, and from sources; in a directed graph by the distances to a node, like NetworkX.",
    "eccentricity": "For all nodes, or v; in a directed graph by the distances from a node. " + LEFT,
    "diameter": LEFT,
    "radius": LEFT,
    "center": "Not for trees without lengths, which NetworkX peels. " + LEFT,
    "periphery": LEFT,
    "barycenter": "Not for trees without lengths, which NetworkX peels. " + LEFT,
    "wiener_index": "For all graphs, with weight.",
    "average_shortest_path_length": "For all graphs, with weight. " + LEFT,
    "global_efficiency": "For undirected graphs.",
    "harmonic_diameter": "For all graphs, with weight. " + LEFT,
    "single_source_shortest_path_length": "With a whole cutoff. Only by backend=, since NetworkX searches once as fast as it converts.",
    "all_pairs_shortest_path_length": "With a whole cutoff; pairs are computed on demand.",
    "bipartite_betweenness_centrality": "Nodes are a collection.",
    "bipartite_closeness_centrality": "Nodes are a collection; normalized or not.",
}


def get_info() -> dict[str, Any]:
    return {
        "backend_name": "bcstage",
        "project": "bcstage",
        "package": "bcstage",
        "short_summary": "Exact betweenness centrality on every core and OpenCL device",
        "description": "Betweenness centrality by a command that comes with the package; a call takes at least 14 ms.",
        "functions": {
            "betweenness_centrality": {
                "additional_docs": "Parallel edges count once, like NetworkX. Sums of lengths are exact, so that ties are ties.",
                "additional_parameters": {},
            },
            "edge_betweenness_centrality": {
                "additional_docs": "Parallel edges share a score if they are equally long. Sums of lengths are exact.",
                "additional_parameters": {},
            },
            **{name: {"additional_docs": text, "additional_parameters": {}} for name, text in DISTANCES.items()},
        },
        "default_config": {"threads": 0, "engine": "auto"},
    }
