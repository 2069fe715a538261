"""One figure, for docs/claims.tsv. Every call prints a number on its last line.

    figure ledger value|mean|least|most KEY=TEXT... [over KEY=TEXT...]
                                        a figure of figures.tsv, or of several; over others, graph by graph
    figure peer NAME mean|least|GRAPH   how many times as fast as the peer (measure peers, run once)
    figure difference                   largest relative difference from igraph's scores
    figure stat KEY FILE [FLAGS...]     a field of --stats (dots lead inside), median of 3 runs
    figure processor COMMAND...         processor seconds of a command, median of 5 runs
    figure ratio A B                    wall seconds of shell line A over those of B, in turn, median of 7
    figure beside FILE FLAGS...         compute stage with the flags over that of a plain run, in turn, of medians of 5
    figure peak COMMAND...              peak resident MB of a command
    figure spread A B                   largest relative difference of two CSV tables of scores
    figure memory MB                    over shapes of input: peak MB less 1.25 times the limit less 32, at most
    figure demand, zones, cityseer, aequilibrae, cells   see demand.py

bcstage, the graphs and a scratch folder are $BCSTAGE, $GRAPHS and $WORK.
"""
import csv
import glob
import json
import math
import os
import statistics
import subprocess
import sys
import time

import demand as of_demand
import ledger as kept
import peers as beside_peers

zones, cityseer, aequilibrae = of_demand.zones, of_demand.cityseer, of_demand.aequilibrae
NOWHERE = of_demand.NOWHERE
BCSTAGE, GRAPHS, WORK = (os.environ.get(name, "") for name in ("BCSTAGE", "GRAPHS", "WORK"))


def peers():
    """The file of single times, measured if it is not there."""
    log = os.path.join(WORK, "peers.jsonl")
    if not os.path.exists(log):
        beside_peers.main(["--bcstage", BCSTAGE, "--graphs", GRAPHS, "--output", WORK, "--peers", "igraph,networkit", "--questions", "hops",
                           "--threads", "2", "--runs", "3", "--once", "20", "--names", os.environ.get("NAMES", "facebook_combined.txt.gz,"
                           "wiki-Vote.txt.gz,ca-GrQc.txt.gz,ca-CondMat.txt.gz,musae_facebook_edges.csv.gz,power.graph.gz,rome99.gr.gz")])
    return log


def peer(name, what):
    median, _ = beside_peers.medians(peers())
    return chosen({key[0].split(".")[0]: seconds / median[*key[:3], "bcstage"] for key, seconds in median.items() if key[3] == name}, what)


def chosen(values, what):
    """One of several values by name, or their geometric mean, least or most."""
    if what in ("mean", "least", "most"):
        return {"mean": beside_peers.geometric, "least": min, "most": max}[what](list(values.values()))
    return values[what]


def difference():
    with open(peers()) as file:
        return max(row["difference"] for row in map(json.loads, file) if "difference" in row)


def ledger(what, *words):
    """Figures are chosen by the texts that their columns have; over: ratios, graph by graph."""
    parts = [list(words[:words.index("over")]), list(words[words.index("over") + 1:])] if "over" in words else [list(words)]
    found = [{row["graph"]: float(row["value"]) for row in kept.figures() if all({**row, "program": kept.program(row)}[key] == text for key, _, text in (word.partition("=") for word in part))}
             for part in parts]
    values = {graph: value / found[1][graph] if len(found) > 1 else value for graph, value in found[0].items()}
    return next(iter(values.values())) if what == "value" and len(values) == 1 else chosen(values, what)


def once(key, file, *flags):
    subprocess.run([BCSTAGE, file, "-o", os.path.join(WORK, "out.csv"), "--stats", os.path.join(WORK, "stats.json"),
                    "--quiet", *flags], check=True)
    with open(os.path.join(WORK, "stats.json")) as out:
        value = json.load(out)
    for part in key.split("."):
        value = value[part]
    return value


def stat(key, file, *flags):
    return statistics.median(once(key, file, *flags) for _ in range(3))


def beside(file, *flags):
    shared = (file, "--engine", "cpu", "--ignore-weight")
    pairs = [(once("seconds.compute", *shared, *flags), once("seconds.compute", *shared)) for _ in range(5)]
    return statistics.median(a for a, _ in pairs) / statistics.median(b for _, b in pairs)


def wall(line):
    began = time.perf_counter()
    subprocess.run(["bash", "-c", line], check=True, stdout=NOWHERE, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def processor(*command):
    return statistics.median(of_demand.processor(["bash", "-c", " ".join(command)]) for _ in range(5))


def demand(what, *words):
    return chosen(of_demand.demand(*words), what)


def cells(*words):
    return min(of_demand.cells(*words).values())


def ratio(a, b):
    return statistics.median(wall(a) / wall(b) for _ in range(7))


def run_peak(command):
    """Peak resident MB and exit code; a child's own figure, not that of all children so far."""
    usage, code = of_demand.ended(command)
    return usage.ru_maxrss / 1024 * (1024 * 1024 / 1e6), code


def peak(*command):
    return run_peak(list(command))[0]


def scores(path):
    with open(path) as file:
        return {row[0]: float(row[-1]) for row in list(csv.reader(file))[1:]}


def spread(a, b):
    ours, theirs = scores(a), scores(b)
    assert ours.keys() == theirs.keys()
    return max(abs(x - theirs[v]) / max(abs(theirs[v]), 1) for v, x in ours.items())


SHAPES = {
    "path": "generate path --n 3000000", "star": "generate star --n 2000000", "tree": "generate tree --n 2000000 --k 2",
    "cycle": "generate cycle --n 1500000", "grid": "generate grid --rows 700 --cols 700", "kron": "generate kron --scale 17 --edge-factor 16",
    "sparse": "generate gnp --n 400000 --p 0.00001", "ba": "generate ba --n 300000 --k 4",
}


def shapes():
    """Inputs of many shapes, made once: Parquet, CSV, names, ids far apart, and headers that declare vertices."""
    folder = os.path.join(WORK, "shapes")
    if not os.path.isdir(folder):
        os.makedirs(folder)
        for name, line in SHAPES.items():
            subprocess.run([BCSTAGE, *line.split(), "-o", os.path.join(folder, name + ".parquet")], check=True)
        csv_path = os.path.join(folder, "path.csv")
        subprocess.run([BCSTAGE, *"generate path --n 800000".split(), "-o", csv_path], check=True)
        with open(csv_path) as file, open(os.path.join(folder, "names.csv"), "w") as names, open(os.path.join(folder, "far.csv"), "w") as far:
            for number, line in enumerate(file):
                pair = line.strip().split(",")
                names.write(line if number == 0 else ",".join(f"somebody-with-a-name-{v}" for v in pair) + "\n")
                far.write(line if number == 0 else ",".join(str(int(v) * 0x9E3779B97F4A7C15 % 2**62) for v in pair) + "\n")
        for name, text in {"declared.col": "p edge 30000000 1\ne 1 2\n",
                           "declared.mtx": "%%MatrixMarket matrix coordinate pattern general\n30000000 30000000 1\n1 2\n",
                           "declared.graph": "30000000 0\n"}.items():
            with open(os.path.join(folder, name), "w") as out:
                out.write(text)
    return sorted(glob.glob(os.path.join(folder, "*")))


def memory(megabytes):
    limit, worst = float(megabytes), -math.inf
    for path in shapes():
        for lanes in ("1", "64"):
            # Refused, done, or still computing when the time is up: all the same here.
            got, code = run_peak(["timeout", "-s", "INT", "10", BCSTAGE, path, "-o", os.path.join(WORK, "scores.arrow"), "--quiet",
                                  "--engine", "cpu", "--lanes", lanes, "--memory", f"{megabytes}M"])
            over = got - (1.25 * limit * 1.048576 + 32)
            print(f"{os.path.basename(path)} lanes {lanes}: {got:.0f} MB, exit {code}, {over:+.0f}")
            worst = max(worst, over)
    return worst


def main(arguments):
    if not arguments or arguments[0] not in ("ledger", "peer", "difference", "stat", "beside", "processor", "ratio", "peak", "spread", "memory",
                                             "demand", "zones", "cityseer", "aequilibrae", "cells"):
        sys.exit(__doc__)
    print(globals()[arguments[0]](*arguments[1:]))
