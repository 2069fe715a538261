"""distances beside igraph and NetworkX: python3 peers.py BCSTAGE EDGES [SOURCES [ROUNDS]] > peers.txt

The graph is in both libraries' memory before their call is timed, one thread; bcstage's
time is the whole process, reading the file and writing Arrow included, with 2 threads.
In turn, round after round; NetworkX once in three rounds. Every distance is compared.
"""
import gzip, json, os, platform, random, resource, statistics, subprocess, sys, tempfile, time
import igraph, networkx, pyarrow

binary, path = sys.argv[1:3]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 64
rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 9
edges = [tuple(map(int, line.split()[:2])) for line in gzip.open(path, "rt") if line[0] not in "#%"]
ids = list(dict.fromkeys(x for e in edges for x in e))
random.seed(1)
sources = random.sample(ids, count)
nx = networkx.Graph(edges)
nx.remove_edges_from(networkx.selfloop_edges(nx))
ig = igraph.Graph.TupleList(edges).simplify()
number = {name: i for i, name in enumerate(ig.vs["name"])}

folder = tempfile.mkdtemp()
listed, stats = folder + "/sources.csv", folder + "/stats.json"
with open(listed, "w") as f:
    f.write("id\n" + "\n".join(map(str, sources)) + "\n")


def igraph_call():
    began = time.perf_counter(), time.process_time()
    table = ig.distances(source=[number[s] for s in sources])
    return time.perf_counter() - began[0], time.process_time() - began[1], table


def networkx_calls():
    began = time.perf_counter(), time.process_time()
    found = [networkx.single_source_shortest_path_length(nx, s) for s in sources]
    return time.perf_counter() - began[0], time.process_time() - began[1], found


def process(out):
    if out != "/dev/null" and os.path.exists(out):
        os.remove(out)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([binary, "distances", path, "--sources", listed, "--threads", "2", "--format", "arrow", "-o", out, "--stats", stats, "-q"], check=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = json.load(open(stats))["seconds"]
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, seconds["compute"], seconds["write"]


machine = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
print(f"{machine}, {os.cpu_count()} cores shared, load {os.getloadavg()[0]:.1f}; Python {platform.python_version()}, igraph {igraph.__version__}, NetworkX {networkx.__version__}")
print(f"{os.path.basename(path)}: {len(ids)} vertices, {count} sources")
taken = {}
for r in range(rounds):
    wall, cpu, table = igraph_call()
    taken.setdefault("igraph", []).append((wall, cpu))
    for name, out in ("file", folder + "/out.arrows"), ("null", "/dev/null"):
        taken.setdefault(name, []).append(process(out))
    if r % 3 == 0:
        wall, cpu, found = networkx_calls()
        taken.setdefault("networkx", []).append((wall, cpu))
    if r == 0:
        rows = pyarrow.ipc.open_stream(folder + "/out.arrows").read_all()
        got = dict(zip(zip(rows["source"].to_pylist(), rows["vertex"].to_pylist()), rows["distance"].to_pylist()))
        want = {(s, v): d for s, of in zip(sources, found) for v, d in of.items()}
        assert got == want, "other distances than NetworkX"
        assert all(got.get((s, name), float("inf")) == d for s, row in zip(sources, table) for name, d in zip(ig.vs["name"], row)), "than igraph"
        print(f"{len(got)} rows, as igraph and NetworkX have them; {os.path.getsize(folder + '/out.arrows')} bytes")
        del got, want, rows, found
    del table
print("seconds: median (least)         wall           processor time   compute stage    its wait for the output")
for name, of in taken.items():
    print(f"{name:10}", *(f"{statistics.median(x[i] for x in of):8.3f} ({min(x[i] for x in of):.3f})" for i in range(len(of[0]))))
median = lambda name, i: statistics.median(x[i] for x in taken[name])
for out in "file", "null":
    print(f"to {out}: compute stage {median('igraph', 0) / median(out, 2):.1f} times igraph's call, whole process {median('igraph', 0) / median(out, 0):.2f} times igraph's call and {median('networkx', 0) / median(out, 0):.0f} times NetworkX's calls; "
          f"by processor time {median('igraph', 1) / median(out, 1):.2f} and {median('networkx', 1) / median(out, 1):.0f}")
