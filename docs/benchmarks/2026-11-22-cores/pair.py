#!/usr/bin/env python3
"""pair.py N COMMAND -- COMMAND [-- COMMAND ...]

Runs the commands in turn, N times each, and compares them with the first: processor
time, cycles and instructions in user mode, as medians, as medians of the ratios of
each turn, and as ratios of the smallest. For machines that others use, too, where
wall times say nothing.
"""
import os
import resource
import statistics as st
import subprocess
import sys
import tempfile

EVENTS = ["cycles:u", "instructions:u"]
NAMES = ["CPU s", "Gcycles", "Ginstructions"]


def measure(command):
    with tempfile.NamedTemporaryFile("r") as out, open(os.devnull, "wb") as nowhere:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(["perf", "stat", "-x,", "-o", out.name, "-e", ",".join(EVENTS), *command], stdout=nowhere, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        counts = {f[2]: float(f[0]) / 1e9 for f in (line.split(",") for line in out) if len(f) > 2 and f[2] in EVENTS}
    return [after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, *(counts[e] for e in EVENTS)]


def main():
    commands = [[]]
    for word in sys.argv[2:]:
        if word == "--":
            commands.append([])
        else:
            commands[-1].append(word)
    runs = [[] for _ in commands]
    for turn in range(int(sys.argv[1])):
        for i in sorted(range(len(commands)), reverse=turn % 2):
            runs[i].append(measure(commands[i]))
    for i, of in enumerate(runs):
        print("ABCDEFGH"[i], *(f"{name} {st.median(r[j] for r in of):.3f} (least {min(r[j] for r in of):.3f})" for j, name in enumerate(NAMES)))
    for i, of in enumerate(runs[1:], 1):
        for j, name in enumerate(NAMES):
            medians = st.median(r[j] for r in of) / st.median(r[j] for r in runs[0])
            paired = st.median(b[j] / a[j] for a, b in zip(runs[0], of))
            least = min(r[j] for r in of) / min(r[j] for r in runs[0])
            print(f"{'ABCDEFGH'[i]}/A {name}: medians {medians:.3f} paired {paired:.3f} least {least:.3f}")


main()
