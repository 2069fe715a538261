#!/usr/bin/env python3
"""What do lengths cost an estimate that do not change its paths?

    lengths.py BCSTAGE GRAPH.txt.gz

runs `BCSTAGE --way sources-raw --samples 1000` by hops and by lengths, seeds 1 to 5, on
the undirected graph with all lengths 2, but for an edge of length 3 beside it, so that 2
is not taken for 1. One line per seed, tab-separated: graph, seed, eps by hops, eps by
lengths, and the square of their ratio: as many times more draws."""
import gzip, os, re, subprocess, sys, tempfile
import pyarrow.ipc


def main():
    bcstage, graph = sys.argv[1:]
    edges = set()
    with gzip.open(graph, "rt") as lines:
        for line in lines:
            ends = re.split(r"[\s,]+", line.strip())
            if line[0] not in "#%" and ends[0].isdigit() and ends[0] != ends[1]:
                edges.add(tuple(sorted(map(int, ends[:2]))))
    with tempfile.TemporaryDirectory() as folder:
        table, out = os.path.join(folder, "edges.csv"), os.path.join(folder, "scores.arrow")
        with open(table, "w") as f:
            f.write("src,dst,km\n")
            f.writelines(f"{u},{v},2\n" for u, v in sorted(edges))
            f.write("99999999,99999998,3\n")

        def eps(seed, *by):
            subprocess.run([bcstage, table, "--estimate", "--way", "sources-raw", "--samples", "1000", "--seed", str(seed), "--quiet", "-o", out, *by], check=True)
            return float(pyarrow.ipc.open_file(out).schema.metadata[b"bcstage:eps"])

        for seed in range(1, 6):
            hops, lengths = eps(seed), eps(seed, "--weight", "km")
            print(os.path.basename(graph).split(".")[0], seed, hops, lengths, (lengths / hops) ** 2, sep="\t")


main()
