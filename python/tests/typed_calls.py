"""Calls for type checkers, never run. They must refuse lines that end with "# wrong", and no others."""

import datetime
import pathlib
from decimal import Decimal

import bcstage

pairs = [(1, 2), (2, 3)]
columns = {"src": [1, 2], "dst": [2, 3]}
stats: dict[str, object] = {}

bcstage.betweenness("edges.parquet")
bcstage.betweenness(pathlib.Path("edges.parquet"), src="a", dst="b")
bcstage.betweenness(["a.csv", "b.csv"])
bcstage.betweenness([pathlib.Path("a.csv")])
bcstage.betweenness(pairs)
bcstage.betweenness(columns)
bcstage.betweenness((pair for pair in pairs), weight="length")
bcstage.betweenness(iter([columns]))
bcstage.betweenness(pairs, directed=True, normalized=True)
bcstage.betweenness(pairs, sources=[1, 2], targets={3})
bcstage.betweenness(pairs, sources=(i for i in range(2)), targets="ids.csv")
bcstage.betweenness(pairs, vertices={"id": [1], "name": ["a"]}, keep="name")
bcstage.betweenness(pairs, cutoff=1e-5, weight="km")
bcstage.betweenness(pairs, cutoff=Decimal("0.3"), weight=2)
bcstage.betweenness(pairs, estimate=True, eps=0.01, way="pairs", seed=3)
bcstage.betweenness(pairs, estimate=True, within=datetime.timedelta(minutes=3))
bcstage.betweenness(pairs, memory="8G", threads=2)
bcstage.betweenness(pairs, memory=10**9, progress=print)
bcstage.betweenness(pairs, progress=True, top=10, sort="score")
bcstage.betweenness(pairs, scale="component", by=["month", "day"])
bcstage.betweenness(pairs, checkpoint=pathlib.Path("work.arrow"), resume="strict")
bcstage.betweenness(pairs, columns=["betweenness", "rank"])
bcstage.centralities(pairs, columns="degree")
bcstage.centralities(pairs, columns=("closeness_in", "closeness_out"), directed=True)
bcstage.closeness(pairs, directed=True, direction="out")
bcstage.harmonic(pairs, weight="length", repeats="sum")
bcstage.eccentricity(pairs, nulls="drop", ids="string")
bcstage.components(pairs, vertices=range(10))
bcstage.edge_betweenness(pairs, scale="pairs", endpoints=True)
bcstage.flows(pairs, nodes="places.parquet", origins="people", radii=[400, "800"], decay="exp:0.002")
bcstage.flows(pairs, trips={"origin": [1], "destination": [2], "trips": [3]}, radii=400)
bcstage.distances(pairs, [1, 2], paths=True, cutoff=3)
for batch in bcstage.distance_batches(pairs, "ids.csv", directed=True):
    print(batch.num_rows)
bcstage.whatif(pairs, remove_edges=[(1, 2)], each=True)
bcstage.whatif("graph.bcg", remove_vertices=[1, 2]).num_rows
bcstage.scan(pairs, columns=["degree", "farness"], directed=True).collect()
bcstage.betweenness(pairs).to_arrow().num_rows
bcstage.info(pairs, eps=0.01)["n"]
bcstage.merge(["0.arrow", "1.arrow"], normalized=True).num_rows
bcstage.report("scores.parquet", stats="stats.json", top=5).upper()
bcstage.betweenness(None, since=("yesterday.bcg", "scores.parquet"), changes="changes.csv")
bcstage.__version__.split(".")

bcstage.betweenness()  # wrong
bcstage.betweenness(3)  # wrong
bcstage.closeness(None)  # wrong
bcstage.betweenness(b"edges.csv")  # wrong
bcstage.betweenness([1, 2, 3])  # wrong
bcstage.betweenness(pairs, "a", "b")  # wrong
bcstage.betweenness(pairs, normalised=True)  # wrong
bcstage.betweenness(pairs, output="scores.csv")  # wrong
bcstage.betweenness(pairs, directed="yes")  # wrong
bcstage.betweenness(pairs, src=b"a")  # wrong
bcstage.betweenness(pairs, repeats="max")  # wrong
bcstage.betweenness(pairs, scale="all")  # wrong
bcstage.betweenness(pairs, sources=3)  # wrong
bcstage.betweenness(pairs, vertices=[1.5])  # wrong
bcstage.betweenness(pairs, samples="10")  # wrong
bcstage.betweenness(pairs, way="fast")  # wrong
bcstage.betweenness(pairs, within=600)  # wrong
bcstage.betweenness(pairs, eps="small")  # wrong
bcstage.betweenness(pairs, top=2.5)  # wrong
bcstage.betweenness(pairs, engine="cuda")  # wrong
bcstage.betweenness(pairs, precision="float16")  # wrong
bcstage.betweenness(pairs, resume="yes")  # wrong
bcstage.betweenness(pairs, stats=[])  # wrong
bcstage.betweenness(pairs, progress="bar")  # wrong
bcstage.betweenness(pairs, columns=["closness"])  # wrong
bcstage.centralities(pairs)  # wrong
bcstage.centralities(pairs, columns=["pagerank"])  # wrong
bcstage.closeness(pairs, direction="both")  # wrong
bcstage.closeness(pairs, estimate=True)  # wrong
bcstage.harmonic(pairs, endpoints=True)  # wrong
bcstage.eccentricity(pairs, columns="degree")  # wrong
bcstage.components(pairs, cutoff=3)  # wrong
bcstage.edge_betweenness(pairs, samples=10)  # wrong
bcstage.flows(pairs, radius=400)  # wrong
bcstage.distances()  # wrong
bcstage.distances(pairs, [1], top=3)  # wrong
bcstage.distances(pairs, [1], paths="all")  # wrong
bcstage.whatif(pairs, each="all")  # wrong
bcstage.scan(pairs, columns="farnes")  # wrong
bcstage.scan(pairs, output="scores.csv")  # wrong
bcstage.info(pairs, stats={})  # wrong
bcstage.merge()  # wrong
bcstage.merge(["0.arrow"], scale="component")  # wrong
bcstage.report("scores.parquet", top="5")  # wrong
