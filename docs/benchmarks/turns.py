"""bcstage's whole process beside peers' calls, in turn, so that what else a machine does slows all alike.

    python turns.py eight BCSTAGE GRAPHS       undirected graphs, two threads, beside igraph's call with one
    python turns.py directed BCSTAGE GRAPHS    directed ones, beside igraph's with one and NetworKit's with two

GRAPHS is a folder of published graphs, gzipped; those that are missing are named and left out. All run on cores
0 and 1. A peer's whole graph, or so many random sources of it, in a process of its own, read beforehand; its time is then scaled.
Prints medians; needs igraph, networkit."""
import gzip, math, os, random, statistics, subprocess, sys, tempfile, time

EIGHT = {  # graph: sources of igraph, 0 being all
    "facebook_combined.txt.gz": 0, "wiki-Vote.txt.gz": 0, "ca-GrQc.txt.gz": 0, "power.graph.gz": 0, "rome99.gr.gz": 0,
    "ca-CondMat.txt.gz": 2000, "musae_facebook_edges.csv.gz": 2000, "p2p-Gnutella31.txt.gz": 1500}
DIRECTED = {  # graph: sources of igraph and of NetworKit
    "wiki-Vote.txt.gz": (0, 0), "wikispeedia_links.tsv.gz": (0, 0), "soc-Epinions1.txt.gz": (1000, 2000),
    "soc-Slashdot0902.txt.gz": (400, 1000), "p2p-Gnutella31.txt.gz": (4000, 4000), "web-NotreDame.txt.gz": (3000, 3000)}


def pairs(path):
    """The edges of a file, by the words that name their ends."""
    with gzip.open(path, "rt") as lines:
        if path.endswith(".graph.gz"):  # METIS: a line for each vertex
            lists = [line for line in lines if not line.startswith("%")][1:]
            for v, line in enumerate(lists, 1):
                yield from ((str(v), u) for u in line.split())
        elif path.endswith(".gr.gz"):  # DIMACS: lines of arcs
            yield from (line.split()[1:3] for line in lines if line.startswith("a"))
        else:
            rows = (line.replace(",", " ").split() for line in lines if not line.startswith("#"))
            yield from (row[:2] for row in rows if len(row) > 1 and row[0] != "id_1")


def peer(name, path, directed, sources):
    """Seconds that a peer's call takes, of all sources."""
    number, edges = {}, set()
    for a, b in pairs(path):
        a, b = (number.setdefault(x, len(number)) for x in (a, b))
        if a != b:
            edges.add((a, b) if directed or a < b else (b, a))
    n, edges = len(number), sorted(edges)
    if name == "igraph":
        import igraph
        graph = igraph.Graph(n=n, edges=edges, directed=directed)
        chosen = random.Random(1).sample(range(n), sources) if sources else None
        call = lambda: graph.betweenness(directed=directed, sources=chosen)
    else:
        import networkit
        networkit.setNumberOfThreads(2)
        graph = networkit.Graph(n, directed=directed)
        for a, b in edges:
            graph.addEdge(a, b)
        centrality = networkit.centrality
        call = (centrality.EstimateBetweenness(graph, sources, False, True) if sources else centrality.Betweenness(graph)).run
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * (n / sources if sources else 1)


def own(bcstage, path, directed):
    """Seconds of a whole process, which replaces no file."""
    with tempfile.TemporaryDirectory() as folder:
        kind = ["--directed"] if directed else ["--ignore-weight"]
        begin = time.perf_counter()
        subprocess.run([bcstage, path, *kind, "--threads", "2", "-q", "--engine", "cpu", "-o", folder + "/o.csv"], check=True)
        return time.perf_counter() - begin


def main(kind, bcstage, graphs):
    directed, logs = kind == "directed", []
    for name, sources in (DIRECTED if directed else EIGHT).items():
        path = os.path.join(graphs, name)
        if not os.path.exists(path):
            print(name, "is not there")
            continue
        peers = dict(zip(("igraph", "networkit"), sources)) if directed else {"igraph": sources}
        ours, theirs = [], {p: [] for p in peers}
        for _ in range(2 if any(peers.values()) else 3):
            ours += [own(bcstage, path, directed) for _ in range(1 if any(peers.values()) else 5)]
            for p, k in peers.items():
                run = subprocess.run([sys.executable, __file__, "peer", p, path, str(int(directed)), str(k)], check=True, capture_output=True, text=True)
                theirs[p].append(float(run.stdout.split()[-1]))
        median = statistics.median(ours)
        beside = ["%s %.3f (%.3f to %.3f) %.1f times" % (p, statistics.median(t), min(t), max(t), statistics.median(t) / median) for p, t in theirs.items()]
        print("%-28s %.4f s (least %.4f)  %s" % (name, median, min(ours), "  ".join(beside)), flush=True)
        logs.append(math.log(statistics.median(theirs["igraph"]) / median))
    print("geometric mean beside igraph %.1f; load %s" % (math.exp(statistics.mean(logs)), open("/proc/loadavg").read().strip()))


if sys.argv[1] == "peer":
    print(peer(sys.argv[2], sys.argv[3], sys.argv[4] == "1", int(sys.argv[5])))
else:
    os.sched_setaffinity(0, {0, 1})
    main(*sys.argv[1:])
