# One peer's time for a directed graph: python peers.py PEER GRAPH THREADS SOURCES. SOURCES 0: all; else so many drawn, time scaled.
import gzip, random, sys, time
peer, path, threads, sources = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
number, arcs = {}, set()
with gzip.open(path, "rt") as lines:
    for line in lines:
        f = line.split()
        if line[0] == "#" or len(f) < 2: continue
        a, b = (number.setdefault(x, len(number)) for x in f[:2])
        if a != b: arcs.add((a, b))
n, arcs = len(number), sorted(arcs)
if peer == "igraph":
    import igraph
    g = igraph.Graph(n=n, edges=arcs, directed=True)
    c0, t0 = time.process_time(), time.perf_counter()
    if sources:
        g.betweenness(directed=True, sources=random.Random(1).sample(range(n), sources))
    else:
        scores = g.betweenness(directed=True)
    cpu, wall = time.process_time() - c0, time.perf_counter() - t0
else:
    import networkit as nk
    nk.setNumberOfThreads(threads)
    g = nk.Graph(n, directed=True)
    for a, b in arcs: g.addEdge(a, b)
    c0, t0 = time.process_time(), time.perf_counter()
    if sources:
        nk.centrality.EstimateBetweenness(g, sources, False, True).run()
    else:
        nk.centrality.Betweenness(g).run()
    cpu, wall = time.process_time() - c0, time.perf_counter() - t0
scale = n / sources if sources else 1
print(f"{peer} {path.split('/')[-1]} threads {threads} sources {sources or 'all'}: wall {wall*scale:.2f} s, cpu {cpu*scale:.2f} s" + (" scaled" if sources else ""))
if peer == "igraph" and not sources and len(sys.argv) > 5:
    ids = list(number)
    with open(sys.argv[5], "w") as out:
        for v, x in zip(ids, scores): out.write(f"{v},{x!r}\n")
