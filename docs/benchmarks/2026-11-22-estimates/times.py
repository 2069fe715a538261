#!/usr/bin/env python3
"""What estimates cost.

    times.py BCSTAGE REPEATS GRAPH FLAGS...

runs `BCSTAGE GRAPH FLAGS... --estimate --seed S` for seeds 1 to REPEATS. One line each,
tab-separated: graph, flags, seed, way, draws, eps stated, wall seconds from the end
of reduce, of the whole process, and CPU seconds of the process."""
import json, os, resource, subprocess, sys, tempfile


def main():
    bcstage, repeats, graph, *flags = sys.argv[1:]
    for seed in range(1, int(repeats) + 1):
        with tempfile.TemporaryDirectory() as folder:
            stats, out = os.path.join(folder, "stats.json"), os.path.join(folder, "out.parquet")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([bcstage, graph, *flags, "--estimate", "--seed", str(seed), "-o", out, "--quiet", "--stats", stats], check=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            with open(stats) as f:
                s = json.load(f)
        e, seconds = s["estimate"], s["seconds"]
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(os.path.basename(graph), " ".join(flags), seed, e["way"], e.get("draws", 0), f"{e['eps']:.6f}",
              f"{seconds['compute']:.3f}", f"{seconds['total']:.3f}", f"{cpu:.3f}", sep="\t", flush=True)


if __name__ == "__main__":
    main()
