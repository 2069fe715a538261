"""Graph files as simple graphs, and what this machine is."""
import gzip
import os
import platform
import random
import subprocess

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.realpath(os.path.join(HERE, "..", "..", ".."))


def rows(path):
    """The rows of a graph file, by the words that name their ends."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as lines:
        if ".graph" in path:  # METIS: a line for each vertex
            lists = [line for line in lines if not line.startswith("%")][1:]
            for v, line in enumerate(lists, 1):
                yield from ((str(v), u) for u in line.split())
        elif ".gr" in path:  # DIMACS: lines of arcs
            yield from (line.split()[1:3] for line in lines if line.startswith("a"))
        else:
            words = (line.replace(",", " ").split() for line in lines if not line.startswith("#"))
            yield from (row[:2] for row in words if len(row) > 1 and row[0] not in ("id_1", "node_1", "src") and row[2:] != ["u", "graph"])


def simple(path):
    """The number of vertices that have edges, and the simple graph's edges and arcs, sorted, over 0..n-1."""
    number, edges, arcs = {}, set(), set()
    for a, b in rows(path):
        if a != b:
            a, b = (number.setdefault(x, len(number)) for x in (a, b))
            arcs.add((a, b))
            edges.add((min(a, b), max(a, b)))
    return len(number), sorted(edges), sorted(arcs)


def source(name, graphs, bcstage, work):
    """The file of a graph: NAME in the folder, or made by "generate:KIND FLAGS"; None if it is missing."""
    if not name.startswith("generate:"):
        path = os.path.join(graphs, name)
        return path if os.path.exists(path) else None
    path = os.path.join(work, "generated.csv")
    made = subprocess.run([bcstage, "generate", *name[9:].split(), "-q", "-o", path], capture_output=True)
    return None if made.returncode else path


def table(path, edges):
    """Writes edges as a table of src, dst, length: whole numbers from 1 to 100, drawn by a fixed seed."""
    draw = random.Random(1)
    with open(path, "w") as file:
        file.write("src,dst,length\n")
        file.writelines(f"{a},{b},{draw.randint(1, 100)}\n" for a, b in edges)
    return path


def machine():
    """Processor, cores and load, in a line."""
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), platform.machine())
    return f"{model}, {len(os.sched_getaffinity(0))} of {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}"
