#!/usr/bin/env python3
"""Does an estimate keep its promise? Runs of many seeds beside exact scores.

    seeds.py BCSTAGE EXACT.csv SEEDS GRAPH FLAGS...

runs `BCSTAGE GRAPH FLAGS... --estimate --seed S` for seeds 1 to SEEDS. One line per
seed, tab-separated: graph, flags, seed, draws, eps that the run states, largest error
over n(n-1)/2 pairs, vertices outside of their interval, CPU seconds of the process."""
import csv, io, json, os, resource, subprocess, sys, tempfile


def table(text):
    return {r["vertex"]: r for r in csv.DictReader(io.StringIO(text))}


def main():
    bcstage, exact, seeds, graph, *flags = sys.argv[1:]
    truth = {v: float(r["betweenness_centrality"]) for v, r in table(open(exact).read()).items()}
    pairs = len(truth) * (len(truth) - 1) / 2
    for seed in range(1, int(seeds) + 1):
        with tempfile.TemporaryDirectory() as folder:
            stats = os.path.join(folder, "stats.json")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            out = subprocess.run([bcstage, graph, *flags, "--estimate", "--seed", str(seed), "-o", "-", "--format", "csv", "--quiet", "--stats", stats],
                                 capture_output=True, text=True, check=True).stdout
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            with open(stats) as f:
                estimate = json.load(f)["estimate"]
        worst, outside = 0.0, 0
        for v, r in table(out).items():
            score, lower, upper = (float(r[c]) for c in ("betweenness_centrality", "lower", "upper"))
            slack = 1e-9 * max(truth[v], 1)
            worst = max(worst, abs(score - truth[v]) / pairs)
            outside += not lower - slack <= truth[v] <= upper + slack
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(os.path.basename(graph), " ".join(flags), seed, estimate.get("draws", 0), f"{estimate['eps']:.6f}", f"{worst:.6f}", outside, f"{cpu:.3f}", sep="\t", flush=True)


if __name__ == "__main__":
    main()
