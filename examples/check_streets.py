"""Compares scores of ways with NetworkX, over a dual table made here, without SQL, from the same streets."""

import math

import networkx
import pyarrow.csv
import pyarrow.parquet

streets = pyarrow.parquet.read_table("streets.parquet").to_pylist()
place = {row["vertex"]: (row["x"], row["y"]) for row in pyarrow.parquet.read_table("places.parquet").to_pylist()}
ways = {}
for number, street in enumerate(streets, 1):
    if street["oneway"] >= 0:
        ways[f"{number}+"] = street["src"], street["dst"], street["length"]
    if street["oneway"] <= 0:
        ways[f"{number}-"] = street["dst"], street["src"], street["length"]


def angle(a, b, c):
    """Degrees between the directions from a to b and from b to c."""
    (x, y), (u, v) = [(place[to][0] - place[of][0], place[to][1] - place[of][1]) for of, to in ((a, b), (b, c))]
    return math.degrees(abs(math.atan2(x * v - y * u, x * u + y * v)))


dual = networkx.DiGraph()
for first, (a, b, metres) in ways.items():
    for second, (c, d, more) in ways.items():
        if b == c and first[:-1] != second[:-1]:
            turn = angle(a, b, d)
            dual.add_edge(first, second, cost=(metres + more) / 2 + (0 if turn < 45 else 50 if turn < 135 else 100))

want = networkx.betweenness_centrality(dual, normalized=False, weight="cost")
got = pyarrow.csv.read_csv("ways.csv").to_pydict()
got = dict(zip(got["vertex"], got["betweenness_centrality"]))
assert got.keys() == want.keys(), f"{len(got)} ways, not {len(want)}"
worst = max(abs(got[way] - want[way]) / max(1, want[way]) for way in want)
assert worst < 1e-9, f"a score differs by {worst}"
print(f"{len(want)} ways agree")
