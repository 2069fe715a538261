"""The papers' tables again: searches from one source by every strategy, on a device.

    measure papers --bcstage ./bcstage-opencl --output build/papers

It runs bench --problem for every family of graphs of the papers (docs/searches.md), all problems in one
process. The file raw.json has every row of bench. The page tables.md has a table for each problem: millions of edges a second,
graphs by strategies, with the winner, its milliseconds, the strategy of auto and its speed in percent of the
winner. Both files are written again after each graph, so a run that is cut short keeps its results.

--join RAW adds graphs that this run lacks from the raw.json of an earlier one; the first of several wins.
--only takes some graphs, in the order given; --only - measures none. --smaller K makes all graphs 2^K times as
small, for a trial. --have NAME=FILE is a file of one of them, or of another graph. --graphs FOLDER adds the
published graphs there. --makers processes in the background make every graph once, ahead of its turn.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import platform
import shlex
import subprocess
import sys
import tempfile
import time

PROBLEMS = ["bfs", "sssp", "bc"]
PUBLISHED = ["power.graph.gz", "rome99.gr.gz", "facebook_combined.txt.gz", "wiki-Vote.txt.gz", "p2p-Gnutella31.txt.gz", "luxembourg.osm.graph.gz", "delaunay_n16.graph.gz", "t60k.graph.gz", "soc-Epinions1.txt.gz", "soc-Slashdot0902.txt.gz", "web-NotreDame.txt.gz", "Douban.graph.gz"]

DEEP = {"luxembourg": 4, "t60k": 4, "delaunay_n16": 8}  # from how many sources


def families(smaller):
    """Name, generator, who measured such a graph, and from how many sources at most:
    fewer where a search has thousands of rounds. Small graphs first."""
    scale = lambda s: max(s - smaller, 6)
    count = lambda n: max(n >> smaller, 100)
    side = lambda n: (max(n >> smaller // 2, 16), max(n >> (smaller + 1) // 2, 16))
    return [
        ("small world", "smallworld:n=%d,k=10,p=0.1" % count(100_000), "2014", 16),
        ("rmat20", f"rmat:scale={scale(20)},edge-factor=8", "2017", 16),
        ("ER20", f"er:scale={scale(20)},edge-factor=4", "2017", 16),
        ("Graph500 20", f"kron:scale={scale(20)},edge-factor=16", "2012, 2014", 16),
        ("ER23", f"er:scale={scale(23)},edge-factor=4", "2017", 16),
        ("Graph500 22", f"kron:scale={scale(22)},edge-factor=16", "2012", 16),
        ("road 1 M", f"road:n={count(1_000_000)}", "2017", 4),
        ("Delaunay-like 20", "triangles:rows=%d,cols=%d" % side(1024), "2014", 4),
        ("random geometric 20", f"geometric:n={count(1 << 20)}", "2014", 4),
        ("mesh", "grid:rows=%d,cols=%d" % side(2048), "2012", 2),
        ("Graph500 24", f"kron:scale={scale(24)},edge-factor=16", "2017", 4),
        ("road 6 M", f"road:n={count(6_000_000)}", "2017", 2),
    ]


def output_of(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def generator(options, graph, *more):
    """The command that writes a graph."""
    kind, _, parameters = graph.partition(":")
    return [options.bcstage, "generate", kind, *(word for item in parameters.split(",") for word in ("--" + item.split("=")[0], item.split("=")[1])), *more]


def made(options, path, graph):
    """Makes the file of a graph, and says where it is."""
    if ":" not in graph:
        return graph
    subprocess.run(generator(options, graph, "-o", path), check=True, stderr=subprocess.DEVNULL)
    return path


def measure(options, graph, sources):
    command = [options.bcstage, "bench", "--quiet", "--json", "--ignore-weight", "--problem", options.problems, "--runs", str(min(options.runs, sources)), "--strategies", options.strategies]
    if options.device:
        command += ["--device", options.device]
    done = subprocess.run(command + [graph], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{graph}: exit {done.returncode}: {done.stderr.strip()}", flush=True)
        return [], done.stderr.strip()
    return json.loads(done.stdout), ""


def figure(x):
    """Three digits, or all before the point."""
    return f"{x:.3g}" if x < 1000 else f"{x:,.0f}".replace(",", " ")


def table(problem, rows, failures):
    strategies = list(dict.fromkeys(r["strategy"] for r in rows))
    lines = [f"## {problem}", "", "Millions of reached edges by second, each edge once; the median over the sources.", "",
             "| graph | n | m | sources | rounds | " + " | ".join(strategies) + " | best | ms | auto takes | auto of best | device memory |",
             "|---|--:|--:|--:|--:|" + "--:|" * len(strategies) + "---|--:|---|--:|--:|"]
    for graph in dict.fromkeys(r["name"] for r in rows):
        own = {r["strategy"]: r for r in rows if r["name"] == graph}
        any_row = next(iter(own.values()))
        fixed = {s: r["mteps"]["median"] for s, r in own.items() if not r.get("failed") and s not in ("auto", "sampling")}
        best = max(fixed, key=fixed.get) if fixed else ""
        auto = own.get("auto")
        cells = [graph, str(any_row["n"]), str(any_row["m"]), str(any_row["sources"]), "%.0f" % max(r["rounds"]["median"] for r in own.values())]
        cells += ["–" if s not in own else "failed" if own[s].get("failed") else figure(own[s]["mteps"]["median"]) for s in strategies]
        cells += [best, "%.3g" % own[best]["milliseconds"]["median"] if best else "–", auto["chosen"] if auto and not auto.get("failed") else "–"]
        cells += ["%.0f %%" % (100 * auto["mteps"]["median"] / fixed[best]) if best and auto and not auto.get("failed") else "–"]
        if not fixed:
            failures = failures + [(graph, any_row["failed"])]
        sizes = [r["device_bytes"] for r in own.values() if not r.get("failed")]
        cells.append(f"{min(sizes) / 2**20:.0f}–{max(sizes) / 2**20:.0f} MiB" if sizes else "–")
        lines.append("| " + " | ".join(cells) + " |")
    lines += [""] + [f"* {graph}: could not be measured: {why}" for graph, why in failures]
    return "\n".join(lines) + "\n"


def said(name, rows, seconds):
    """A line by problem: the strategies, the fastest first, and their MTEPS."""
    for problem in dict.fromkeys(r["problem"] for r in rows):
        own = sorted((r for r in rows if r["problem"] == problem and not r.get("failed")), key=lambda r: -r["mteps"]["median"])
        print(f"{seconds:.0f} s: {name}: {problem}: " + " ".join(
            "%s%s %.4g" % (r["strategy"], f" ({r['chosen']})" if r["chosen"] != r["strategy"] else "", r["mteps"]["median"]) for r in own), flush=True)


def write(options, every, failures, header):
    """The files, with what there is so far."""
    order = [family[0] for family in families(0)]
    every = sorted(every, key=lambda r: order.index(r["name"]) if r["name"] in order else len(order))
    with open(os.path.join(options.output, "raw.json"), "w") as out:
        json.dump({**header, "rows": every}, out, indent=1)
    used = sorted({r["device"] for r in every})
    with open(os.path.join(options.output, "tables.md"), "w") as out:
        out.write(f"# Searches from one source: the papers' families\n\nDevice: {', '.join(used) or 'none'}. "
                  f"{datetime.date.today()}.\nEach of the searches was compared with one on a core. Made by\n\n"
                  f"    measure papers {' '.join(shlex.quote(a) for a in options.arguments)}\n")
        for problem in options.problems.split(","):
            rows = [r for r in every if r["problem"] == problem]
            if rows or failures:
                out.write("\n" + table(problem, rows, failures))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bcstage", default="./bcstage-opencl")
    parser.add_argument("--device", help="as for bench; the first that is no CPU if not given")
    parser.add_argument("--output", required=True)
    parser.add_argument("--graphs", help="folder of published graphs")
    parser.add_argument("--runs", type=int, default=16)
    parser.add_argument("--strategies", default="all")
    parser.add_argument("--problems", default=",".join(PROBLEMS))
    parser.add_argument("--only", help="names of families, with commas between them; none: -")
    parser.add_argument("--have", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--join", action="append", default=[], metavar="RAW")
    parser.add_argument("--makers", type=int, default=4)
    parser.add_argument("--smaller", type=int, default=0)
    options = parser.parse_args(arguments)
    options.arguments = arguments
    os.makedirs(options.output, exist_ok=True)
    graphs = families(options.smaller)
    files = dict(item.split("=", 1) for item in options.have)
    if options.graphs:
        for name in PUBLISHED:
            path = os.path.join(options.graphs, name)
            if os.path.exists(path):
                files.setdefault(name.split(".")[0], path)
            else:
                print(f"{path} is missing: left out", file=sys.stderr)
    others = [(name, path, "", DEEP.get(name, 16)) for name, path in files.items() if name not in (g[0] for g in graphs)]
    graphs = others + [(name, files.get(name, graph), of, sources) for name, graph, of, sources in graphs]
    if options.only:
        graphs = [g for name in options.only.split(",") for g in graphs if g[0] == name]
    devices = json.loads(output_of([options.bcstage, "devices", "--json"]) or "[]")
    version = output_of([options.bcstage, "version"]).split("\n")
    if options.smaller:
        graphs = [(name if not of else f"{name} / {2**options.smaller}", graph, of, sources) for name, graph, of, sources in graphs]
    every, failures, edges, began = [], [], {}, time.monotonic()
    header = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "version": version,
              "system": platform.platform(), "devices": devices, "command": arguments, "joined": []}
    earlier = []
    for path in options.join:
        with open(path) as raw:
            joined = json.load(raw)
        there = {r["name"] for r in earlier}
        earlier += [r for r in joined.pop("rows") if r["name"] not in there]
        header["joined"].append(joined)
    write(options, earlier, [], header)
    makers = concurrent.futures.ThreadPoolExecutor(options.makers)
    with tempfile.TemporaryDirectory() as folder:
        try:
            files = [makers.submit(made, options, os.path.join(folder, f"{i}.arrow"), g[1]) for i, g in enumerate(graphs)]
            for (name, graph, _, sources), file in zip(graphs, files):
                path = file.result()
                found, failed = measure(options, path, sources)
                if path != graph:
                    os.remove(path)
                if failed:
                    failures.append((name, failed))
                for row in found:
                    row["name"], row["graph"] = name, os.path.basename(graph)
                    edges[name] = row["m"]
                every += found
                said(name, found, time.monotonic() - began)
                write(options, [r for r in earlier if r["name"] not in edges] + every, failures, header)
        finally:
            makers.shutdown(cancel_futures=True)

