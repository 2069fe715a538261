"""Shell lines in turn, compared with the first.

    measure turns [--runs 7] 'LINE' 'LINE' ...
    measure turns "./old GRAPH -q -o \\$OUT --stats \\$STATS" "./new GRAPH -q -o \\$OUT --stats \\$STATS"

Each line runs once before it counts. Prints medians, and the least, of wall and processor time in milliseconds and of
pages given; of cycles and instructions in user mode where perf counts them; of stages where the line writes $STATS. Then the ratios to the first line: of the medians, the median of the turns' ratios, of the least. On a
machine that others use, too, processor time and instructions are what can be compared.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time

EVENTS = ["cycles:u", "instructions:u"]


def once(line, folder):
    stats, counts = os.path.join(folder, "stats.json"), os.path.join(folder, "counts")
    for path in (stats, counts):
        if os.path.exists(path):
            os.remove(path)
    perf = ["perf", "stat", "-x,", "-o", counts, "-e", ",".join(EVENTS)] if shutil.which("perf") else []
    env = dict(os.environ, OUT=os.path.join(folder, "out.arrow"), STATS=stats)
    began = time.perf_counter()
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen([*perf, "bash", "-c", line], env=env, stdout=nowhere)
        _, status, used = os.wait4(process.pid, 0)
    found = {"wall": 1e3 * (time.perf_counter() - began), "processor": 1e3 * (used.ru_utime + used.ru_stime), "pages": used.ru_minflt}
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{line}: exit code {process.returncode}")
    if perf:
        with open(counts) as file:
            found |= {f[2]: float(f[0]) / 1e6 for f in (row.split(",") for row in file) if len(f) > 2 and f[2] in EVENTS and f[0][0].isdigit()}
    if os.path.exists(stats):
        with open(stats) as file:
            seconds = json.load(file)["seconds"]
        found |= {name: 1e3 * seconds[name] for name in ("read", "build", "reduce", "compute", "write")}
    return found


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("lines", nargs="+")
    options = parser.parse_args(arguments)
    runs = [[] for _ in options.lines]
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(-1, options.runs):
            for i in sorted(range(len(runs)), reverse=turn % 2):
                found = once(options.lines[i], folder)
                if turn >= 0:
                    runs[i].append(found)
    keys = [key for key in runs[0][0] if all(key in found for of in runs for found in of)]
    values = [{key: [found[key] for found in of] for key in keys} for of in runs]
    for line, of in zip(options.lines, values):
        print(line)
        for key in keys:
            a, b = values[0][key], of[key]
            ratio = ("", f"  over the first: {statistics.median(b) / statistics.median(a):.3f}, by turns "
                     f"{statistics.median(y / x for x, y in zip(a, b)):.3f}, of the least {min(b) / min(a):.3f}")[of is not values[0] and min(a) > 0]
            print(f"  {key:<15} {statistics.median(b):10.1f} (least {min(b):.1f}){ratio}")
