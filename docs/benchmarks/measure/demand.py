"""What questions of demand cost, in processor seconds of whole processes with one thread; for docs/claims.tsv.

    figure demand most|mean|GRAPH GRAPHS hops|lengths FLAGS... [over FLAGS...]
                                        a run with the flags over one without, or with others, in turn. The word
                                        VERTICES is a table of vertices: one (1) and some (from 1 to 7)
    figure zones GRAPH hops|lengths     what a source more takes if all vertices are destinations, over what it takes
                                        if only the zones are: contraction
    figure cityseer JUNCTIONS RADIUS    cityseer's call over bcstage's process, generate road
    figure aequilibrae JUNCTIONS        AequilibraE's assignment of trips over bcstage's process, generate road with
                                        drawn lengths, directed; fails if the flows of links differ by more than 1e-9
    figure cells QUESTIONS GRAPHS       igraph's call over bcstage's process, the least ratio where igraph takes .2 s or more

GRAPHS are names in $GRAPHS, or generate:KIND FLAGS, with commas between them. Lengths are as in measure peers.
"""
import csv
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile

import graphs
import peers

BCSTAGE, GRAPHS, WORK = (os.environ.get(name, "") for name in ("BCSTAGE", "GRAPHS", "WORK"))
NOWHERE = open(os.devnull, "wb")  # for writing alone: the command takes DEVNULL for a stdout that is closed
TURNS = 9


def ended(command):
    """What a command used, its children left out, and its exit code."""
    process = subprocess.Popen(command, stdout=NOWHERE, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used, process.returncode


def processor(command):
    """Processor seconds of a command."""
    used, code = ended(command)
    if code:
        sys.exit(f"{command}: exit code {code}")
    return used.ru_utime + used.ru_stime


def asked(path, weight, folder, *flags):
    flags = [os.path.join(folder, "vertices.csv") if flag == "VERTICES" else flag for flag in flags]
    lengths = ["--weight", "length"] if weight == "lengths" else ["--ignore-weight"]
    return [BCSTAGE, path, *lengths, "--engine", "cpu", "--threads", "1", "-q", "-o", os.path.join(folder, "scores.arrow"), *flags]


def in_turn(*commands):
    """The seconds of each command, TURNS of them, after one that does not count."""
    for command in commands:
        processor(command)
    turns = [[processor(command) for command in commands] for _ in range(TURNS)]
    return list(zip(*turns))


def vertices(folder, n, zones=()):
    with open(os.path.join(folder, "vertices.csv"), "w") as file:
        file.write("vertex,one,some," + ",".join(f"zones{i}" for i in range(len(zones))) + "\n")
        for v in range(n):
            file.write(f"{v},1,{1 + v % 7}," + ",".join(str(int(v in chosen)) for chosen in zones) + "\n")


def graph(name, folder):
    """The table of a graph's edges, with lengths, and its number of vertices."""
    path = graphs.source(name, GRAPHS, BCSTAGE, folder)
    if not path:
        sys.exit(f"{name} is missing")
    n, edges, _ = graphs.simple(path)
    return graphs.table(os.path.join(folder, "edges.csv"), edges), n


def demand(names, weight, *flags):
    """By graph: a run with the flags over one without, or with those after the word over."""
    flags, others = (flags[:flags.index("over")], flags[flags.index("over") + 1:]) if "over" in flags else (flags, ())
    found = {}
    for name in names.split(","):
        with tempfile.TemporaryDirectory(dir=WORK) as folder:
            path, n = graph(name, folder)
            vertices(folder, n)
            with_flags, without = in_turn(asked(path, weight, folder, *flags), asked(path, weight, folder, *others))
            found[name.removeprefix("generate:").split(".")[0]] = statistics.median(a / b for a, b in zip(with_flags, without))
            print(name, weight, *flags, f"{statistics.median(with_flags):.3f} over {statistics.median(without):.3f} s:",
                  f"{list(found.values())[-1]:.3f}", file=sys.stderr)
    return found


def zones(name, weight):
    """Zones are nested draws of 500 and 1 500 vertices; slopes leave out what a process takes for any of them."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        path, n = graph(name, folder)
        drawn = random.Random(1).sample(range(n), 1500)
        vertices(folder, n, [set(drawn[:500]), set(drawn)])
        command = lambda i, ends: asked(path, weight, folder, "--vertices", "VERTICES", "--origins", f"zones{i}", "--destinations", ends.format(i))
        times = in_turn(*(command(i, ends) for ends in ("one", "zones{}") for i in (0, 1)))
        few, many, few_zones, many_zones = map(statistics.median, times)
        print(f"{name} {weight}: {many - few:.3f} and {many_zones - few_zones:.3f} ms a source", file=sys.stderr)
        return (many - few) / (many_zones - few_zones)


def cells(questions, names):
    """measure peers, five runs in turn with one thread."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        peers.main(["--bcstage", BCSTAGE, "--graphs", GRAPHS, "--output", folder, "--peers", "igraph", "--threads", "1",
                    "--questions", questions, "--names", names])
        median, _ = peers.medians(os.path.join(folder, "peers.jsonl"))
    ratios = {key[:2]: seconds / median[*key[:3], "bcstage"] for key, seconds in median.items() if key[3] == "igraph" and seconds >= 0.2}
    for key, value in ratios.items():
        print(*key, f"{value:.2f}", file=sys.stderr)
    return ratios


def roads(folder, junctions):
    """Segments of whole metres, and places: their files and rows."""
    names = [os.path.join(folder, name) for name in ("roads.csv", "places.csv")]
    subprocess.run([BCSTAGE, "generate", "road", "--n", junctions, "-q", "-o", names[0], "--vertices", names[1]], check=True)
    return names


def call_cityseer(roads, places, radius):
    """In a process of its own. A segment is a line of two straight parts, so that it has its length."""
    from cityseer import rustalgos
    with open(roads) as file, open(places) as others:
        at = {row["vertex"]: (0.9 * float(row["x"]), 0.9 * float(row["y"])) for row in csv.DictReader(others)}
        lengths = {}
        for row in csv.DictReader(file):
            key = tuple(sorted((row["src"], row["dst"])))
            if key[0] != key[1]:
                lengths[key] = min(lengths.get(key, math.inf), float(row["length"]))
    network = rustalgos.graph.NetworkStructure()
    number = {v: network.add_street_node(v, *xy, True, 1.0) for v, xy in at.items()}
    for i, ((a, b), length) in enumerate(lengths.items()):
        (x, y), (u, w) = at[a], at[b]
        straight = math.hypot(u - x, w - y)
        aside = math.sqrt(max(length**2 - straight**2, 0)) / 2
        across = ((y - w) / straight, (u - x) / straight) if straight else (1, 0)
        points = [f"{x} {y}", f"{(x + u) / 2 + across[0] * aside!r} {(y + w) / 2 + across[1] * aside!r}", f"{u} {w}"]
        network.add_street_edge(number[a], number[b], i, a, b, f"LINESTRING({', '.join(points)})")
        network.add_street_edge(number[b], number[a], i, b, a, f"LINESTRING({', '.join(reversed(points))})")
    network.validate()
    began = peers.spent(resource.RUSAGE_SELF)
    found = network.centrality_shortest(distances=[int(radius)], closeness_exprs=None, betweenness_exprs=[("b", "1")], pbar_disabled=True, speed_m_s=1.0)
    print(peers.spent(resource.RUSAGE_SELF) - began, float(found.metrics["b"][int(radius)].sum()))


def cityseer(junctions, radius):
    """Sums may differ by 2e-3: its distances have 32 bits, and ties are within 1e-4."""
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        table, places = roads(folder, junctions)
        ours, theirs = [], []
        for _ in range(3):
            call = [sys.executable, __file__, "cityseer", table, places, radius]
            made = subprocess.run(call, env=dict(os.environ, RAYON_NUM_THREADS="1"), check=True, capture_output=True, text=True)
            seconds, total = map(float, made.stdout.split())
            theirs.append(seconds)
            command = asked(table, "lengths", folder, "--cutoff", radius, "--format", "csv")
            ours.append(statistics.median(processor(command) for _ in range(3)))
        with open(os.path.join(folder, "scores.arrow")) as file:
            sums = sum(float(list(row.values())[-1]) for row in csv.DictReader(file))
        print(f"{statistics.median(theirs):.2f} and {statistics.median(ours):.3f} s, sums {total} and {sums}", file=sys.stderr)
        if abs(total - sums) > 2e-3 * sums:
            sys.exit("other sums")
        return statistics.median(theirs) / statistics.median(ours)


def assignment(folder, junctions):
    """A table of arcs, two for a segment, and one of trips between a twentieth of the places, at most 1 000. Lengths have
    nine decimals, so no two paths are equally long."""
    table, _ = roads(folder, junctions)
    drawn = random.Random(1)
    with open(table) as file:
        segments = sorted({tuple(sorted((int(row["src"]), int(row["dst"])))) for row in csv.DictReader(file)})
    places = sorted({v for segment in segments for v in segment})
    zones = drawn.sample(places, min(len(places) // 20, 1000))
    arcs, trips = os.path.join(folder, "arcs.csv"), os.path.join(folder, "trips.csv")
    with open(arcs, "w") as file:
        file.write("src,dst,length\n")
        for a, b in segments:
            length = f"{drawn.uniform(10, 300):.9f}" if a != b else ""
            file.write(f"{a},{b},{length}\n{b},{a},{length}\n" if length else "")
    with open(trips, "w") as file:
        file.write("origin,destination,trips\n")
        for origin in zones:
            for destination in drawn.sample(zones, min(len(zones) // 2, 100)):
                file.write(f"{origin},{destination},{drawn.randint(1, 100)}\n" if origin != destination else "")
    return arcs, trips


def call_aequilibrae(arcs, trips, flows):
    """In a process of its own, with one thread. The call's time leaves out its making of the graph."""
    import numpy
    import pandas
    from aequilibrae.matrix import AequilibraeMatrix
    from aequilibrae.paths import AssignmentResults, Graph, allOrNothing
    table, rows = pandas.read_csv(arcs), pandas.read_csv(trips)
    zones = numpy.unique(rows[["origin", "destination"]].values)
    graph = Graph()
    graph.network = pandas.DataFrame({"link_id": numpy.arange(1, len(table) + 1), "a_node": table.src + 1, "b_node": table.dst + 1,
                                      "direction": numpy.ones(len(table), numpy.int8), "distance": table.length})
    graph.mode = "c"
    graph.prepare_graph((zones + 1).astype(numpy.int64))
    graph.set_graph("distance")
    graph.set_blocked_centroid_flows(False)
    matrix = AequilibraeMatrix()
    matrix.create_empty(zones=len(zones), matrix_names=["trips"], memory_only=True)
    matrix.index[:] = zones + 1
    matrix.matrix["trips"][:] = 0
    numpy.add.at(matrix.matrix["trips"], (numpy.searchsorted(zones, rows.origin), numpy.searchsorted(zones, rows.destination)), rows.trips)
    matrix.computational_view(["trips"])
    found = AssignmentResults()
    found.set_cores(1)
    found.prepare(graph, matrix)
    call = allOrNothing("trips", matrix, graph, found)
    began = peers.spent(resource.RUSAGE_SELF)
    call.execute()
    print(peers.spent(resource.RUSAGE_SELF) - began)
    loads = found.get_load_results()
    table["flow"] = loads["trips_ab"].reindex(numpy.arange(1, len(table) + 1)).fillna(0).values
    table.to_csv(flows, index=False)


def flows_of(path):
    with open(path) as file:
        return {(row["src"], row["dst"]): float(row["flow"]) for row in csv.DictReader(file)}


def aequilibrae(junctions):
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        arcs, trips = assignment(folder, junctions)
        ours, theirs = os.path.join(folder, "ours.csv"), os.path.join(folder, "theirs.csv")
        calls, processes = [], []
        for _ in range(3):
            made = subprocess.run([sys.executable, __file__, "aequilibrae", arcs, trips, theirs], check=True, capture_output=True, text=True)
            calls.append(float(made.stdout.split()[-1]))
            command = asked(arcs, "lengths", folder, "--directed", "--trips", trips, "--edge-scores", ours)
            processes.append(statistics.median(processor(command) for _ in range(3)))
        flows, others = flows_of(ours), flows_of(theirs)
        worst = max(abs(flows[arc] - flow) / max(flow, 1) for arc, flow in others.items())
        print(f"{statistics.median(calls):.2f} and {statistics.median(processes):.3f} s; {len(others)} links, flow {sum(others.values()):.0f},",
              f"largest difference {worst:.1e}", file=sys.stderr)
        if flows.keys() != others.keys() or worst > 1e-9:
            sys.exit("other flows")
        return statistics.median(calls) / statistics.median(processes)


if __name__ == "__main__":  # a peer's call
    {"cityseer": call_cityseer, "aequilibrae": call_aequilibrae}[sys.argv[1]](*sys.argv[2:])
