# What directed graphs and chosen ends must show, on real graphs:
#
#   must.py BCSTAGE GRAPH...
#
# 1. A list given both ways has, with --directed, twice the undirected scores, to 1e-12.
# 2. A graph and its mirror image have equal scores, to 1e-12.
# 3. Sources and targets that are all vertices change no bit.
# 4. Sums over a partition of the sources are the whole, to 1e-12.
#
# Differences are relative to the larger of the score and 1.
import gzip, os, random, subprocess, sys, tempfile
import pyarrow as pa, pyarrow.ipc as ipc

bcstage, graphs = os.path.abspath(sys.argv[1]), sys.argv[2:]


def scores(*args):
    out = os.path.join(folder, "scores.arrow")
    subprocess.run([bcstage, *args, "--engine", "cpu", "--threads", "2", "-q", "-o", out], check=True)
    with pa.memory_map(out) as f:
        table = ipc.open_file(f).read_all()
    return dict(zip(table["vertex"].to_pylist(), table["betweenness_centrality"].to_pylist()))


def worst(got, want):
    assert got.keys() == want.keys()
    return max(abs(got[v] - x) / max(1, abs(x)) for v, x in want.items())


for path in graphs:
    name = os.path.basename(path).split(".")[0]
    with tempfile.TemporaryDirectory() as folder, gzip.open(path, "rt") as text:
        arcs = [tuple(line.split()[:2]) for line in text if line.strip() and line[0] not in "#%"]
        write = lambda file, rows: open(os.path.join(folder, file), "w").writelines(r + "\n" for r in rows)
        at = lambda file: os.path.join(folder, file)
        write("there.csv", ["src,dst"] + [f"{u},{v}" for u, v in arcs])
        write("back.csv", ["src,dst"] + [f"{v},{u}" for u, v in arcs])
        write("both.csv", ["src,dst"] + [f"{u},{v}\n{v},{u}" for u, v in arcs])
        vertices = sorted({x for arc in arcs for x in arc})
        random.Random(14).shuffle(vertices)
        write("all.txt", vertices)
        thirds = [vertices[i::3] for i in range(3)]
        for i, part in enumerate(thirds):
            write(f"{i}.txt", part)

        undirected, directed = scores(at("there.csv")), scores(at("there.csv"), "--directed")
        twice = {v: 2 * x for v, x in undirected.items()}
        print(f"{name}: both ways against twice undirected {worst(scores(at('both.csv'), '--directed'), twice):.1e}", flush=True)
        print(f"{name}: mirror image {worst(scores(at('back.csv'), '--directed'), directed):.1e}", flush=True)
        ends = ["--sources", at("all.txt"), "--targets", at("all.txt")]
        for kind, want in ("", undirected), ("--directed", directed):
            flags = [kind] if kind else []
            same = scores(at("there.csv"), *flags, *ends) == want
            parts = [scores(at("there.csv"), *flags, "--sources", at(f"{i}.txt")) for i in range(3)]
            total = {v: sum(p[v] for p in parts) for v in want}
            print(f"{name} {kind or 'undirected'}: S = T = V to the bit: {same}; S in three parts {worst(total, want):.1e}", flush=True)
            assert same
