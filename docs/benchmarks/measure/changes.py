"""What changes of a graph cost beside a run, in processor time, and whether the scores are those of a run.

    measure changes since [FLAGS] BCSTAGE FOLDER [GRAPH...]      a run with --since; no GRAPH: all of the folder
    measure changes intervals [FLAGS] BCSTAGE FOLDER [GRAPH...]  intervals of the change, for many seeds
    measure changes removals [FLAGS] BCSTAGE FOLDER GRAPH[=FLAGS]...  a row of whatif --each

since draws changes of each graph, for each question. Half of the changed edges are random: removed, or added between two
random vertices; with lengths a third of them gets another length. The other half is added so that it closes a
triangle. Lengths are random, from 1 to 9. "20 leaves" are new vertices with an edge each. Each change is run from
today's edges whole, then with --since. A row has the medians of user and system seconds over the draws, and their ratio
with the least and the largest. Then come the way of each draw, and the largest difference of a score, over the highest.
A graph whose run would take longer than --most has that many sources, drawn evenly, as the row says.
Each command has one thread, and --jobs run at once, the cheapest first. Rows are printed as they are found. After
--budget seconds nothing more is begun, and what runs is ended; the last line counts the missing rows.

intervals estimates the change of --changes for each seed, and compares all intervals with the difference of two runs. A
row has how many seeds had an interval that missed, and the same of the control: intervals narrowed by --narrow,
which a test of honest bounds has to catch. The last number is the largest error over its half-width of all seeds.

removals removes --rows edges and vertices: random ones, and those of the highest betweenness. A row has the user seconds
of a run. For each of the four it has the share of a run that a row of whatif takes, without reading and the graph
before, and how many rows searched some blocks only.
"""

import argparse
import concurrent.futures
import contextlib
import csv
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import graphs


def left(until):
    """Seconds until then; TimeoutError is raised if it is over."""
    if time.time() >= until:
        raise TimeoutError
    return until - time.time()


def spent(command, *arguments, until=math.inf):
    """User and system seconds of a command, which is ended by a TimeoutError."""
    seconds = min(left(until), threading.TIMEOUT_MAX)
    process = subprocess.Popen([command, *arguments, "-q"])
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    _, status, used = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        left(until)
        raise SystemExit(f"{' '.join([command, *arguments])}: exit code {process.returncode}")
    return used.ru_utime, used.ru_stime


def table(path):
    with open(path) as file:
        return list(csv.reader(file))[1:]


def column(path, name):
    """A column of numbers by id."""
    with open(path) as file:
        return {row["vertex"]: float(row[name]) for row in csv.DictReader(file)}


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


class Graph:
    """A simple graph as a table, and the changes drawn of it."""

    def __init__(self, path, question):
        n, edges, arcs = graphs.simple(path)
        self.directed, self.weight = (word in question.split("+") for word in ("directed", "lengths"))
        self.edges, lengths = arcs if self.directed else edges, random.Random(1)
        self.length = {e: lengths.randint(1, 9) for e in self.edges} if self.weight else {}
        self.near = [[] for _ in range(n)]
        for u, v in self.edges:
            self.near[u].append(v)
            self.near[v].append(u)
        self.header = ["src", "dst"] + ["metres"] * self.weight
        self.flags = ["--directed"] * self.directed + ["--weight", "metres"] * self.weight

    def ends(self, u, v):
        return (u, v) if self.directed or u < v else (v, u)

    def changed(self, kind, seed, keep=False):
        """Rows of the edges after a change; keep: each vertex keeps an edge."""
        draw, is_, n, now = random.Random(seed), set(self.edges), len(self.near), dict.fromkeys(self.edges)
        fresh, (count, unit) = (lambda: draw.randint(1, 9)), kind.split()
        touched, degree = set(), [len(near) for near in self.near]
        if unit == "leaves":
            now |= {(draw.randrange(n), n + i): fresh() for i in range(int(count))}
            touched = range(int(count))
        wanted = max(round(float(count) * len(self.edges) / 100), 1) if unit == "%" else int(count)
        while len(touched) < wanted:
            ways = ["close", "close", "remove", "add"] if not self.weight else ["close", "close", "close", "remove", "add", "resize"]
            way = draw.choice(ways)
            if way in ("remove", "resize"):
                u, v = draw.choice(self.edges)
            else:
                u = draw.randrange(n)
                v = draw.choice(self.near[draw.choice(self.near[u])]) if way == "close" else draw.randrange(n)
            e = self.ends(u, v)
            if u == v or e in touched or (e in is_) != (way in ("remove", "resize")):
                continue
            if way == "remove" and keep and 1 in (degree[u], degree[v]):
                continue
            touched.add(e)
            if way == "remove":
                del now[e]
                degree[u] -= 1
                degree[v] -= 1
            else:
                now[e] = self.length[e] % 9 + 1 if way == "resize" else fresh()
        return self.rows(now)

    def rows(self, edges):
        """Rows of a table, of edges whose length is given, or the graph's."""
        return [(*e, given or self.length[e]) if self.weight else e for e, given in edges.items()]


def begin(command, path, question, most, work, until):
    """Makes yesterday's files in the folder work. Returns a run's seconds, the number of sources or "all", and the flags of all runs."""
    left(until)
    graph = Graph(path, question)
    y, one = os.path.join(work, "y.csv"), ["--threads", "1", "--engine", "cpu"]
    write(y, graph.header, graph.rows(dict.fromkeys(graph.edges)))
    told = json.loads(subprocess.run([command, "info", y, *graph.flags, *one, "--json", "-q"], check=True, capture_output=True).stdout)
    seconds, sources = told["estimated_seconds"], "all"
    if seconds > most:
        sources = max(int(len(graph.near) * most / seconds), 1)
        some = random.Random(1).sample(range(len(graph.near)), sources)
        graph.flags += ["--sources", write(os.path.join(work, "sources.csv"), ["id"], [[v] for v in some])]
        seconds = most
    spent(command, "prepare", y, "-o", os.path.join(work, "y.bcg"), *graph.flags, until=until)
    spent(command, y, "-o", os.path.join(work, "y.parquet"), *graph.flags, *one, until=until)
    return seconds, sources, graph.flags


def compared(command, path, question, kind, draws, before, flags, until):
    """The number of edges, and the fields of a row after the names."""
    left(until)
    graph, anew, updated, ways, difference = Graph(path, question), [], [], [], 0
    with tempfile.TemporaryDirectory() as work:
        today, whole, new, stats = (os.path.join(work, n) for n in ("today.csv", "whole.csv", "new.csv", "stats.json"))
        for seed in range(1, draws + 1):
            write(today, graph.header, graph.changed(kind, seed, "--sources" in flags))
            run = [today, "--engine", "cpu", "--threads", "1", *flags]
            anew.append(sum(spent(command, *run, "-o", whole, until=until)))
            updated.append(sum(spent(command, *run, "--since", f"{before}/y.bcg,{before}/y.parquet", "-o", new, "--stats", stats, until=until)))
            ways.append(value(stats, "since", "way"))
            a, b = (column(scores, "betweenness_centrality") for scores in (whole, new))
            assert a.keys() == b.keys()
            difference = max(difference, max(abs(a[v] - b[v]) for v in a) / (max(a.values()) or 1))
    costs = [s / a for s, a in zip(updated, anew)]
    a, s = statistics.median(anew), statistics.median(updated)
    return len(graph.edges), [f"{a:.2f}", f"{s:.2f}", f"{s / a:.3f}", f"{min(costs):.3f}-{max(costs):.3f}", " / ".join(ways), f"{difference:.1e}"]


def since(options):
    until = time.time() + options.budget
    names = options.graphs or sorted(name for name in os.listdir(options.folder) if name.endswith(".gz"))
    names.sort(key=lambda name: os.path.getsize(os.path.join(options.folder, name)))
    print("graph", "edges", "question", "sources", "change", "a run, s", "--since, s", "ratio", "least-largest", "way", "difference", sep="\t", flush=True)
    printed, wanted = 0, len(names) * len(options.questions) * len(options.changes)
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        begun, ready = {}, []
        for i, (name, question) in enumerate((n, q) for n in names for q in options.questions):
            before = os.path.join(work, str(i))
            os.mkdir(before)
            path = os.path.join(options.folder, name)
            begun[pool.submit(begin, options.bcstage, path, question, options.most, before, until)] = name, path, question, before
        for done in concurrent.futures.as_completed(begun):
            with contextlib.suppress(TimeoutError):
                ready.append((*done.result(), *begun[done]))
        rows = {}
        for _, sources, flags, name, path, question, before in sorted(ready, key=lambda of: of[0]):
            for kind in options.changes:
                rows[pool.submit(compared, options.bcstage, path, question, kind, options.draws, before, flags, until)] = name, question, sources, kind
        for done in concurrent.futures.as_completed(rows):
            name, question, sources, kind = rows[done]
            with contextlib.suppress(TimeoutError):
                edges, fields = done.result()
                print(name, edges, question, sources, kind, *fields, sep="\t", flush=True)
                printed += 1
    print(f"# {wanted - printed} of {wanted} rows are missing: they need more than {options.budget} s", flush=True)


def missed(truth, before, path, narrow):
    """Whether an interval of the change misses, whether one narrowed by that factor does, and the largest error over its
    half-width. The end at which no score is left is certain, and does not count."""
    worst, slack = 0, 1e-9 * max(1, *(abs(x) for x in truth.values()))
    with open(path) as file:
        for row in csv.DictReader(file):
            v, change = row["vertex"], float(row["change"])
            end = float(row["change_upper" if truth[v] > change else "change_lower"])
            error, half = truth[v] - change, end - change
            if abs(error) > slack and (error > 0 or end > -before.get(v, 0)):
                worst = max(worst, error / half if half else math.inf)
    return worst > 1, worst > 1 / narrow, worst


def estimated(command, work, seed, truth, before, flags, narrow, until):
    with tempfile.NamedTemporaryFile(suffix=".csv", dir=work) as out:
        run = ["--since", f"{work}/y.bcg,{work}/y.parquet", "--estimate", "--way", "pairs", "--seed", str(seed), *flags, "--threads", "1", "--engine", "cpu"]
        spent(command, f"{work}/today.csv", *run, "-o", out.name, until=until)
        return missed(truth, before, out.name, narrow)


def intervals(options):
    until = time.time() + options.budget
    print("graph", "change", *options.flags, "seeds", "missed", "control missed", "largest", sep="\t", flush=True)
    for name, kind in itertools.product(options.graphs, options.changes):
        with tempfile.TemporaryDirectory() as work, concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            graph = Graph(os.path.join(options.folder, name), "undirected")
            y, today, scores = (os.path.join(work, n) for n in ("y.csv", "today.csv", "scores.csv"))
            write(y, graph.header, graph.edges)
            write(today, graph.header, graph.changed(kind, 1))
            spent(options.bcstage, "prepare", y, "-o", os.path.join(work, "y.bcg"))
            spent(options.bcstage, y, "--engine", "cpu", "-o", os.path.join(work, "y.parquet"))
            of = []
            for table in (y, today):
                spent(options.bcstage, table, "--engine", "cpu", "-o", scores)
                of.append(column(scores, "betweenness_centrality"))
            truth = {v: x - of[0].get(v, 0) for v, x in of[1].items()}
            found = []
            for done in [pool.submit(estimated, options.bcstage, work, seed, truth, of[0], options.flags, options.narrow, until) for seed in range(1, options.seeds + 1)]:
                with contextlib.suppress(TimeoutError):
                    found.append(done.result())
            if found:
                print(name, kind, *options.flags, len(found), sum(f[0] for f in found), sum(f[1] for f in found), f"{max(f[2] for f in found):.2f}", sep="\t", flush=True)


def removals(options):
    command, work = options.bcstage, tempfile.TemporaryDirectory()
    edges, vertices, out, stats, removed = (os.path.join(work.name, n) for n in ("edges.csv", "vertices.csv", "out.csv", "stats.json", "removed.csv"))
    for graph in options.graphs:
        name, _, flags = graph.partition("=")
        path, more, rows = os.path.join(options.folder, name), flags.split(), options.rows
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
        print(*line, sep="\t", flush=True)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["since", "intervals", "removals"])
    parser.add_argument("--questions", type=lambda text: text.split(","), default=["undirected", "directed", "lengths"], help="with + between several: directed+lengths")
    parser.add_argument("--changes", type=lambda text: text.split(","), help='"20 leaves,1 edge,10 edges" of since, ".1 %%" of intervals, if not given')
    parser.add_argument("--draws", type=int, default=3, help="changes of each kind")
    parser.add_argument("--most", type=float, default=20, help="seconds of a run with all sources")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--budget", type=float, default=math.inf, help="seconds")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--flags", type=str.split, default=["--eps", "0.001"], help="of an estimate")
    parser.add_argument("--narrow", type=float, default=6)
    parser.add_argument("--rows", type=int, default=10)
    parser.add_argument("bcstage")
    parser.add_argument("folder")
    parser.add_argument("graphs", nargs="*")
    options = parser.parse_args(arguments)
    options.changes = options.changes or {"since": ["20 leaves", "1 edge", "10 edges"], "intervals": [".1 %"]}.get(options.what)
    {"since": since, "intervals": intervals, "removals": removals}[options.what](options)
