# Thousands of random directed graphs in one run (--by), against NetworkX.
import random, subprocess, sys, csv, networkx as nx
r = random.Random(14); graphs = {}
for g in range(3000):
    n = r.randint(2, 26); m = r.choice([n, 2*n, 4*n, 8*n]); D = nx.DiGraph()
    for _ in range(m):
        u, v = r.randrange(n), r.randrange(n)
        if u != v: D.add_edge(u, v)
        if u != v and r.random() < .3: D.add_edge(v, u)
    if r.random() < .4:
        for v in range(n, n + r.randint(1, 8)):
            u = r.randrange(v); D.add_edge(*r.choice([(u, v), (v, u)]))
    if D: graphs[g] = D
with open("many.csv", "w") as out:
    out.write("src,dst,graph\n")
    for g, D in graphs.items():
        for u, v in D.edges: out.write(f"{u},{v},{g}\n")
worst = 0
for flags, options in ((["--directed"], {"normalized": False}), (["--directed", "--normalized"], {"normalized": True}), (["--directed", "--endpoints"], {"normalized": False, "endpoints": True})):
    text = subprocess.run([sys.argv[1], "many.csv", "--by", "graph", "--format", "csv", "-q", "--engine", "cpu", *flags], capture_output=True, text=True, check=True).stdout
    got = {(int(x["graph"]), int(x["vertex"])): float(x["betweenness_centrality"]) for x in csv.DictReader(text.splitlines())}
    count = 0
    for g, D in graphs.items():
        for v, want in nx.betweenness_centrality(D, **options).items():
            e = abs(got[g, v] - want) / max(1, abs(want)); worst = max(worst, e); count += 1
            assert e < 1e-12, (flags, g, v, got[g, v], want, list(D.edges))
    print(" ".join(flags), len(graphs), "graphs,", count, "vertices, worst", worst)
