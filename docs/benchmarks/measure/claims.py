"""Check the figures that README and docs promise, as far as this machine can.

docs/claims.tsv has one line per figure: id, needs, command, relation, target,
unit, where. A command is a line for bash, run from the top of the repository;
its figure is the last number that it prints. It may use

    $BCSTAGE   the command, just built          $OPENCL   the same with OpenCL
    $GRAPHS    the folder of public graphs      $WORK     a scratch folder, kept until the end
    figure     measure figure

The second column lists its needs: graphs, go, peers (igraph and networkit for python3), igraph, cityseer, aequilibrae,
avx2 or avx512 (a processor without or with AVX-512). The need device is an OpenCL device, not a CPU; before
is a build of an earlier commit, in $BEFORE. A claim that needs long takes minutes, and is left out
unless --long. Claims whose id begins with ledger need nothing: they compare pages with figures.tsv.

    measure claims [--graphs DIR] [--before COMMAND] [--long] [--list] [ID-PREFIX ...]

Prints value, target and pass, fail or why it was left out; exits with 1 if one fails.
"""
import argparse
import csv
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

from graphs import HERE, TOP

RELATIONS = {"<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b, "==": lambda a, b: a == b}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def claims(prefixes):
    with open(os.path.join(TOP, "docs", "claims.tsv")) as file:
        for row in csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t", quoting=csv.QUOTE_NONE):
            if not prefixes or row["id"].startswith(tuple(prefixes)):
                yield row


def have(need, options, env):
    """Whether the machine has it."""
    if need == "graphs":
        return os.path.isdir(env["GRAPHS"])
    if need == "peers":
        return all(importlib.util.find_spec(name) for name in ("igraph", "networkit"))
    if need in ("igraph", "cityseer", "aequilibrae"):
        return bool(importlib.util.find_spec(need))
    if need == "before":
        return bool(env.get("BEFORE"))
    if need == "device":
        return built(env["OPENCL"], ["-tags", "opencl"]) and "GPU" in subprocess.run(
            [env["OPENCL"], "devices"], capture_output=True, text=True).stdout
    if need == "go":
        return True
    if need in ("avx2", "avx512"):
        with open("/proc/cpuinfo") as file:
            return ("avx512f" in file.read()) == (need == "avx512")
    if need == "long":
        return options.long
    sys.exit(f"docs/claims.tsv: unknown need {need!r}")


def built(path, flags=()):
    return os.path.exists(path) or subprocess.run(
        ["go", "build", *flags, "-o", path, "./cli/bcstage"], cwd=TOP, stderr=subprocess.DEVNULL).returncode == 0


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default=os.path.join(TOP, "..", "shared", "graphs"))
    parser.add_argument("--before", default="", help="an earlier build, to compare with")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--list", action="store_true", help="only list the claims")
    parser.add_argument("prefixes", nargs="*")
    options = parser.parse_args(arguments)

    failed = False
    with tempfile.TemporaryDirectory() as work:
        env = dict(os.environ, BCSTAGE=os.path.join(work, "bcstage"), OPENCL=os.path.join(work, "bcstage-opencl"),
                   GRAPHS=os.path.realpath(options.graphs), WORK=work, BEFORE=options.before)
        for claim in claims(options.prefixes):
            wanted = f"{claim['relation']} {claim['target']} {claim['unit']}".strip()
            if options.list:
                print(claim["id"], wanted, claim["where"], sep="\t")
                continue
            missing = [need for need in claim["needs"].split(",") if need and not have(need, options, env)]
            if missing:
                print(claim["id"], "", wanted, "left out: needs " + " and ".join(missing), sep="\t", flush=True)
                continue
            if not claim["id"].startswith("ledger") and not built(env["BCSTAGE"]):
                sys.exit("bcstage does not build")
            shell = f'figure() {{ {sys.executable} {HERE} figure "$@"; }}\n' + claim["command"]
            run = subprocess.run(["bash", "-euo", "pipefail", "-c", shell], cwd=TOP, env=env, capture_output=True, text=True)
            numbers = NUMBER.findall(run.stdout)
            passed = run.returncode == 0 and bool(numbers) and RELATIONS[claim["relation"]](float(numbers[-1]), float(claim["target"]))
            failed |= not passed
            value = numbers[-1] if numbers and run.returncode == 0 else (run.stderr.strip().splitlines() or ["no figure"])[-1]
            print(claim["id"], value, wanted, "pass" if passed else "FAIL", sep="\t", flush=True)
    sys.exit(failed)

