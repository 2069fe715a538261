#!/usr/bin/env python3
"""Where the time of a whole process goes, for several builds in turn.

    stages.py --graphs ../shared/graphs --names ca-GrQc.txt.gz,power.graph.gz [--runs 30] OLD NEW...

Medians in milliseconds: the stages as --stats has them, "outside", which is what the process
takes beside them (start, flags, end), the whole process, its processor time, and how many
pages it was given. Then the ratios to the first build, run by run. Processor time is
what counts where the machine is shared.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time


def run(binary, path, threads, folder):
    stats = os.path.join(folder, "stats.json")
    began = time.perf_counter()
    process = subprocess.Popen([binary, path, "-o", os.path.join(folder, "scores.csv"), "--stats", stats,
                                "--threads", str(threads), "--engine", "cpu", "--quiet", "--ignore-weight"])
    _, status, used = os.wait4(process.pid, 0)
    whole = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{binary} {path}: exit code {process.returncode}")
    with open(stats) as file:
        seconds = json.load(file)["seconds"]
    return {name: 1e3 * seconds[name] for name in ("read", "build", "reduce", "compute", "write")} | {
        "outside": 1e3 * (whole - seconds["total"]), "whole": 1e3 * whole,
        "processor": 1e3 * (used.ru_utime + used.ru_stime), "pages": used.ru_minflt}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", required=True)
    parser.add_argument("--names", required=True)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("binaries", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names.split(","):
            path = os.path.join(options.graphs, name)
            rows = [[run(binary, path, options.threads, folder) for binary in options.binaries] for _ in range(options.runs + 1)][1:]
            for i, binary in enumerate(options.binaries):
                print(name, binary, *(f"{key} {statistics.median(row[i][key] for row in rows):.1f}" for key in rows[0][i]))
            for i, binary in enumerate(options.binaries[1:], 1):
                print(name, binary, *(f"{key} {statistics.median(row[i][key] / row[0][key] for row in rows):.3f}" for key in ("whole", "processor", "pages")))


if __name__ == "__main__":
    main()
