"""What changes of a graph cost beside a run, in processor time.

    measure changes since BCSTAGE FOLDER GRAPH[=FLAGS]...       a run with --since
    measure changes removals BCSTAGE FOLDER GRAPH[=FLAGS]...    a row of whatif --each

since draws changes of 20 new leaves, 1 and 10 edges for each graph, with seeds 1 to 3. An edge is removed, or added so
that it closes a triangle. With FLAGS of "--weight metres", edges have random lengths from 1 to 9. KINDS names other
changes, such as "1 edge,0.1 %". Each change is run from today's edges whole, then with --since. A row has the medians of user
and system seconds, their ratio with the least and the largest, the way of each draw, and the largest difference of a
score, over the highest score.

removals removes ROWS edges and vertices (10 if the variable is not set): random ones, and those of the highest
betweenness. A row has the user seconds of a run. For each of the four it has the share of a run that a row of whatif
takes, without reading and the graph before, and how many rows searched some blocks only.
"""

import csv
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile


def spent(command, *arguments):
    """User and system seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([command, *arguments, "-q"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime


def table(path):
    with open(path) as file:
        return list(csv.reader(file))[1:]


def write(path, header, rows):
    with open(path, "w") as file:
        file.write("".join(",".join(map(str, row)) + "\n" for row in [header, *rows]))
    return path


def value(path, *keys):
    with open(path) as file:
        found = json.load(file)
    for key in keys:
        found = found[key]
    return found


def change(kind, edges, draw, directed=False):
    ends = tuple if directed else frozenset
    near = {}
    for u, v in edges:
        near.setdefault(u, []).append(v)
        near.setdefault(v, []).append(u)
    is_, vertices, fresh = {ends(e) for e in edges}, list(near), max(near) + 1
    rows = []
    if kind == "20 leaves":
        return [(draw.choice(vertices), fresh + i, "+") for i in range(20)]
    count, unit = kind.split()
    while len(rows) < (float(count) * len(edges) / 100 if unit == "%" else int(count)):
        if draw.random() < .5:
            u, v = draw.choice(edges)
            op = "-"
        else:
            u = draw.choice(vertices)
            v = draw.choice(near[draw.choice(near[u])])
            op = "+"
        if u != v and (ends((u, v)) in is_) == (op == "-") and not any({u, v} == {a, b} for a, b, _ in rows):
            rows.append((u, v, op))
    return rows


def since(command, path, name, work):
    (path, _, flags), name = path.partition("="), name.replace("=", " ")
    flags, lengths = flags.split(), random.Random(1)
    directed, weight = "--directed" in flags, "--weight" in flags
    header, ends = ["src", "dst"] + ["metres"] * weight, tuple if directed else frozenset
    y, today, whole, new, stats, prepared, before = (os.path.join(work, n) for n in ("y.csv", "today.csv", "whole.csv", "new.csv", "stats.json", "y.bcg", "y.parquet"))
    # --edge-scores lists the edges as the command reads them: no loops, no repeats.
    spent(command, path, "--cutoff", "1", "--edge-scores", y, "-o", whole, *["--directed"] * directed, *["--ignore-weight"] * weight)
    edges = [(int(u), int(v)) for u, v, *_ in table(y)]

    def sized(e):
        return (*e, lengths.randint(1, 9)) if weight else e
    rows_of = {e: sized(e) for e in edges}
    write(y, header, rows_of.values())
    spent(command, "prepare", y, "-o", prepared, *flags)
    spent(command, y, "--engine", "cpu", "-o", before, *flags)
    for kind in os.environ.get("KINDS", "20 leaves,1 edge,10 edges").split(","):
        anew, updated, ways, difference = [], [], [], 0
        for seed in range(1, 4):
            rows = change(kind, edges, random.Random(seed), directed)
            gone = {ends(row[:2]) for row in rows if row[2] == "-"}
            write(today, header, [rows_of[e] for e in edges if ends(e) not in gone] + [sized(row[:2]) for row in rows if row[2] == "+"])
            anew.append(sum(spent(command, today, "--engine", "cpu", "-o", whole, *flags)))
            updated.append(sum(spent(command, today, "--engine", "cpu", "--since", prepared + "," + before, "-o", new, "--stats", stats, *flags)))
            ways.append(value(stats, "since", "way"))
            a, b = ({v: float(x) for v, x in table(scores)} for scores in (whole, new))
            assert a.keys() == b.keys()
            difference = max(difference, max(abs(a[v] - b[v]) for v in a) / max(a.values()))
        costs = [s / a for s, a in zip(updated, anew)]
        yield [name, len(edges), kind, f"{statistics.median(anew):.2f}", f"{statistics.median(updated):.2f}", f"{statistics.median(updated) / statistics.median(anew):.3f}",
               f"{min(costs):.3f}-{max(costs):.3f}", " / ".join(ways), f"{difference:.1e}"]


def removals(command, path, name, work):
    name, _, flags = name.partition("=")
    path, more, rows = path.partition("=")[0], flags.split(), int(os.environ.get("ROWS", "10"))
    edges, vertices, out, stats, removed = (os.path.join(work, n) for n in ("edges.csv", "vertices.csv", "out.csv", "stats.json", "removed.csv"))
    spent(command, path, *more, "--engine", "cpu", "--sort", "score", "--edge-scores", edges, "-o", vertices)
    by_edge, by_vertex = [row[:2] for row in table(edges)], [row[:1] for row in table(vertices)]
    draw = random.Random(1)
    run = min(spent(command, path, *more, "--engine", "cpu", "-o", out)[0] for _ in range(3))
    before = min(spent(command, "whatif", path, *more, "--remove-vertices", write(removed, ["id"], []), "--each", "-o", out)[0] for _ in range(3))
    line = [name, *more, f"{run:.2f}"]
    for flag, header, some in (("--remove-edges", ["src", "dst"], draw.sample(by_edge, rows)), ("--remove-edges", ["src", "dst"], by_edge[:rows]),
                               ("--remove-vertices", ["id"], draw.sample(by_vertex, rows)), ("--remove-vertices", ["id"], by_vertex[:rows])):
        took = spent(command, "whatif", path, *more, flag, write(removed, header, some), "--each", "-o", out, "--stats", stats)[0]
        line += [f"{(took - before) / rows / run:.3f}", f"{value(stats, 'what_if', 'by_block')}/{rows}"]
    yield line


def main(arguments):
    if len(arguments) < 4 or arguments[0] not in ("since", "removals"):
        sys.exit(__doc__)
    measured, command, folder = {"since": since, "removals": removals}[arguments[0]], *arguments[1:3]
    for graph in arguments[3:]:
        with tempfile.TemporaryDirectory() as work:
            for line in measured(command, os.path.join(folder, graph), graph, work):
                print(*line, sep="\t", flush=True)
