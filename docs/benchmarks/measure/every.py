"""Every benchmark of this machine, kept as raw output. Compress what a figure of figures.tsv needs into raw/."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

import graphs
import peers


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="?", default=os.path.join(graphs.TOP, "..", "shared", "graphs"), help="folder of the public graphs; what is missing is named")
    parser.add_argument("output", nargs="?", default=os.path.join("build", time.strftime("%Y-%m-%d-bench")), help="folder for the raw output")
    options = parser.parse_args(arguments)
    folder, output = os.path.realpath(options.graphs), os.path.realpath(options.output)
    os.makedirs(output, exist_ok=True)
    os.chdir(graphs.TOP)
    subprocess.run(["go", "build", "-o", "bcstage", "./cli/bcstage"], check=True)

    def keep(name, *command, env={}):
        """Runs a command, and shows and keeps what it prints."""
        print("==", *command, flush=True)
        with open(os.path.join(output, name), "a") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **env})
            for line in process.stdout:
                print(line, end="", flush=True)
                log.write(line)
        if process.wait():
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}")

    def present(*names):
        paths = [os.path.join(folder, name) for name in names]
        for path in paths:
            if not os.path.exists(path):
                print(path, "is missing: left out", file=sys.stderr)
        return [path for path in paths if os.path.exists(path)]

    with open(os.path.join(output, "machine.txt"), "w") as file:
        for line in (time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), graphs.machine()):
            print(line, file=file)
    keep("machine.txt", "git", "describe", "--always", "--dirty")
    keep("machine.txt", "go", "version")
    peers.main(["--bcstage", "./bcstage", "--graphs", folder, "--output", output, "--questions", "hops", "--threads", "2", "--runs", "3", "--once", "20",
                "--cap", "200", "--peers", ",".join(["igraph", "networkit", "networkx"]), "--names", "facebook_combined.txt.gz,wiki-Vote.txt.gz,"
                "ca-GrQc.txt.gz,ca-CondMat.txt.gz,musae_facebook_edges.csv.gz,p2p-Gnutella31.txt.gz,power.graph.gz,rome99.gr.gz,luxembourg.osm.graph.gz"])
    bench = ["./bcstage", "bench", "--quiet", "--engines", "cpu", "--runs", "1"]
    if paths := present("wiki-Vote.txt.gz", "ca-CondMat.txt.gz", "luxembourg.osm.graph.gz", "web-NotreDame.txt.gz"):
        keep("threads.txt", *bench, "--threads", f"1,{os.cpu_count()}", *paths)
    if paths := present("ca-CondMat.txt.gz", "delaunay_n16.graph.gz", "soc-Epinions1.txt.gz"):
        keep("lanes.txt", *bench, "--lanes", "16,32,64", *paths)
    with tempfile.TemporaryDirectory() as work:
        for path in present("luxembourg.osm.graph.gz", "web-NotreDame.txt.gz"):
            stats = os.path.join(work, "stats.json")
            subprocess.run(["./bcstage", path, "-o", os.path.join(work, "scores.arrow"), "-q", "--engine", "cpu", "--threads", "2", "--stats", stats], check=True)
            with open(stats) as file, open(os.path.join(output, "memory.txt"), "a") as log:
                print(os.path.basename(path), json.load(file)["peak_memory_bytes"], "bytes at the most", file=log)
        kron = os.path.join(work, "kron21.parquet")
        subprocess.run(["./bcstage", "generate", "kron", "--scale", "21", "--edge-factor", "24", "-o", kron], check=True)
        plain, strings = os.path.join(work, "kron18.csv"), os.path.join(work, "kron18-strings.csv")
        subprocess.run(["./bcstage", "generate", "kron", "--scale", "18", "--edge-factor", "16", "-o", plain], check=True)
        with open(plain) as file, open(strings, "w") as out:
            out.write(next(file))
            out.writelines("v" + line.replace(",", ",v") for line in file)
        for path in (kron, strings):  # a process each: peak-B/edge is a process's
            keep("ingest.txt", "go", "test", "-run", "^$", "-bench", "Ingest", "-benchtime", "1x", "./pipeline", env={"BCSTAGE_EDGES": path})
    keep("go-bench.txt", "go", "test", "-run", "^$", "-bench", ".", "-benchtime", "1x", "-timeout", "0", "./...", env={"BCSTAGE_GRAPHS": folder})
