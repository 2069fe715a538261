"""What NetworkX reads when it starts: light, since it does so on every import."""

from typing import Any

LEFT = "sp, e, attr, method and usebounds are left to NetworkX."

# What is answered, and which arguments run.
DISTANCES = {
    "betweenness_centrality_subset": "Sources and targets are collections without repeats. Sums of lengths are exact.",
    "closeness_centrality": "Of all nodes, or of u; of a directed graph by the distances to a node, as NetworkX has it.",
    "harmonic_centrality": "Of all nodes, or of nbunch and from sources; of a directed graph by the distances to a node, as NetworkX has it.",
    "eccentricity": "Of all nodes, or of v; of a directed graph by the distances from a node. " + LEFT,
    "diameter": LEFT,
    "radius": LEFT,
    "center": "Not of trees without lengths, which NetworkX peels. " + LEFT,
    "periphery": LEFT,
    "barycenter": "Not of trees without lengths, which NetworkX peels. " + LEFT,
    "wiener_index": "Of graphs of every kind, with weight.",
    "average_shortest_path_length": "Of graphs of every kind, with weight. " + LEFT,
    "global_efficiency": "Of undirected graphs.",
    "harmonic_diameter": "Of graphs of every kind, with weight. " + LEFT,
    "single_source_shortest_path_length": "With a whole cutoff. Chosen only by backend=, since NetworkX searches once as fast as it converts.",
    "all_pairs_shortest_path_length": "With a whole cutoff; pairs come as they are asked for.",
    "bipartite_betweenness_centrality": "Nodes are a collection.",
    "bipartite_closeness_centrality": "Nodes are a collection; normalized or not.",
}


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
            "edge_betweenness_centrality": {
                "additional_docs": "Parallel edges share a score if they are equally long. Sums of lengths are exact.",
                "additional_parameters": {},
            },
            **{name: {"additional_docs": text, "additional_parameters": {}} for name, text in DISTANCES.items()},
        },
        "default_config": {"threads": 0, "engine": "auto"},
    }
