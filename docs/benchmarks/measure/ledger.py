"""The tables of docs/benchmarks/README.md, the picture docs/speed.svg and its words in README.md, made of figures.tsv.

    measure ledger [--check]    writes them, or exits with 1 if one differs from what is there

figures.tsv has a line per figure: date, commit, machine, graph, question, command, value, unit, raw. The first word of
command is the program. Seconds (s) are of the clock, bcstage's of the whole process and a peer's of its call; "s CPU"
are of processors, "s stage" of the compute stage. raw is the file of raw/ that has the output; or a page: the
figure stands there alone, at the commit that README.md names if not today.
"""
import csv
import math
import os
import re
import sys

import graphs

FOLDER = os.path.join(graphs.TOP, "docs", "benchmarks")
COLUMNS = ["date", "commit", "machine", "graph", "question", "command", "value", "unit", "raw"]
SIZED = {"kron19": "7.7", "kron20": "15.7", "kron21": "29", "kron22": "64", "kron23": "129", "kron24": "260", "kron26": "1050", "lake": "99"}  # millions of edges
CORES = "Xeon AVX-512, 16 cores"


def figures():
    with open(os.path.join(FOLDER, "figures.tsv")) as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def program(row):
    return row["command"].split()[0]


def short(text):
    """Three digits, or all before the point, with spaces between thousands."""
    x = float(text)
    return f"{x:,.0f}".replace(",", " ") if abs(x) >= 100 else f"{x:.3g}"


def markdown(head, rows):
    left = [name in ("question", "graph", "machine", "date", "strategy", "commit") for name in head]
    yield "| " + " | ".join(head) + " |\n|" + "".join("---|" if l else "--:|" for l in left) + "\n"
    for row in rows:
        yield "| " + " | ".join(row) + " |\n"


def by_question(rows):
    """Seconds beside peers: a line for each question, graph, machine, day and unit that a peer was asked on. Links lead to questions."""
    groups, linked, order = {}, set(), list(dict.fromkeys(row["question"] for row in rows))
    for row in rows:
        if row["unit"] in ("s", "s CPU", "× bcstage") and row["graph"] not in SIZED:
            key = row["question"], row["graph"], row["machine"], row["date"], row["unit"]
            groups.setdefault(key, {}).setdefault(program(row), float(row["value"]))
    for key, of in sorted(groups.items(), key=lambda group: order.index(group[0][0])):
        if key[4] == "× bcstage":  # ratios alone are kept
            ours, times = "", {peer: f"({short(ratio)}×)" for peer, ratio in of.items()}
        elif "bcstage" in of and len(of) > 1:
            ours = f"{short(of['bcstage'])}{' CPU' if key[4] != 's' else ''}"
            times = {peer: f"{short(of[peer])} ({short(of[peer] / of['bcstage'])}×)" for peer in of if peer != "bcstage"}
        else:
            continue
        anchor = "" if key[0] in linked else f'<a id="{"-".join(re.findall("[a-z0-9]+", key[0].lower()))}"></a>'
        linked.add(key[0])
        yield [anchor + key[0], *key[1:4], ours, times.pop("igraph", ""), times.pop("NetworKit", ""),
               ", ".join(f"{peer} {text}" for peer, text in times.items())]


def on_devices(rows):
    """Of one device the last measurement: speed and seconds of the compute stage, seconds of the process, and those of 16 cores."""
    groups, order = {}, list(dict.fromkeys(row["question"] for row in rows))
    for row in sorted(rows, key=lambda row: row["date"]):
        if program(row) == "bcstage" and row["graph"] not in SIZED and "one search" not in row["question"]:
            if row["machine"] in ("H200", "H100") and row["unit"] in ("GTEPS", "s stage", "s"):
                groups.setdefault((row["question"], row["graph"]), {})[row["unit"]] = row
            elif row["machine"] == CORES and row["unit"] == "s":
                groups.setdefault((row["question"], row["graph"]), {})["cores"] = row
    for key, of in sorted(groups.items(), key=lambda group: order.index(group[0][0])):
        if any(unit in of for unit in ("GTEPS", "s stage", "s")):
            last = max((row for unit, row in of.items() if unit != "cores"), key=lambda row: row["date"])
            yield [*key, last["machine"], last["date"], *(short(of[unit]["value"]) if unit in of else "" for unit in ("GTEPS", "s stage", "s", "cores"))]


def by_size(rows):
    groups = {}
    for row in rows:
        if row["graph"] in SIZED:
            groups.setdefault(tuple(row[key] for key in ("graph", "question", "machine", "date")), []).append(f"{short(row['value'])} {row['unit']}")
    for key, figures in sorted(groups.items(), key=lambda group: (float(SIZED[group[0][0]]), *group[0])):
        yield [key[0], SIZED[key[0]], *key[1:], "; ".join(figures)]


TABLES = {
    "question": (["question", "graph", "machine", "date", "bcstage, s", "igraph", "NetworKit", "others"], by_question),
    "devices": (["question", "graph", "machine", "date", "GTEPS", "compute stage, s", "process, s", "process of 16 cores, s"], on_devices),
    "size": (["graph", "10⁶ edges", "question", "machine", "date", "figure"], by_size),
}


# The rows of the picture, of one run: name and question.
SPEED = {
    "hops": "hops", "directed": "directed hops", "lengths": "lengths", "directed by lengths": "directed lengths",
    "scores of edges": "edges", "closeness": "closeness", "closeness by lengths": "closeness lengths",
}
RUN = {"machine": "Xeon AVX-512, 1 of 16 busy cores", "date": "2026-11-28", "unit": "s CPU"}
LEAST = 0.2  # seconds of igraph: below, a process takes most of the time to start
STYLE = """text{font:14px sans-serif;fill:#1f2328}.grid{stroke:#d1d9e0}.bar{stroke:#57a0f5;stroke-width:10;stroke-linecap:round}circle{fill:#0b4a9e}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.grid{stroke:#3d444d}.bar{stroke:#1f6feb}circle{fill:#cfe3ff}}"""


def ratios(rows, question):
    """How many times as long igraph takes, on each graph of RUN that takes it LEAST seconds."""
    seconds = {}
    for row in rows:
        if row["question"] == question and all(row[key] == text for key, text in RUN.items()):
            seconds.setdefault(program(row), {})[row["graph"]] = float(row["value"])
    return [x / seconds["bcstage"][graph] for graph, x in seconds["igraph"].items() if x >= LEAST]


def picture(rows):
    """Of each question a bar from the least ratio to the largest, on a logarithmic scale, with a dot at the geometric mean."""
    at, bottom = lambda x: 150 + 330 * math.log10(x) / math.log10(120), 40 + 34 * len(SPEED)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {bottom + 30}"><title>How many times as long igraph takes, by question</title>',
             f"<style>{STYLE}</style>", '<text x="150" y="18">igraph takes this many times as long</text>']
    for x in (1, 3, 10, 30, 100):
        parts.append(f'<path class="grid" d="M{at(x):.1f} 30V{bottom}"/><text x="{at(x):.1f}" y="{bottom + 20}" text-anchor="middle">{x}</text>')
    for number, (name, question) in enumerate(SPEED.items()):
        found, y = ratios(rows, question), 52 + 34 * number
        mean = math.exp(sum(map(math.log, found)) / len(found))
        parts.append(f'<text x="138" y="{y + 5}" text-anchor="end">{name}</text>'
                     f'<path class="bar" d="M{at(min(found)):.1f} {y}H{at(max(found)):.1f}"/><circle cx="{at(mean):.1f}" cy="{y}" r="5"/>'
                     f'<text x="500" y="{y + 5}">{min(found):.0f} to {max(found):.0f}, mean {mean:.0f}; {len(found)} graphs</text>')
    return "\n".join([*parts, "</svg>\n"])


def described(text, rows):
    """README with the picture in words."""
    words = ", ".join(f"{name} {min(found):.0f} to {max(found):.0f}" for name, found in ((name, ratios(rows, question)) for name, question in SPEED.items()))
    return re.sub(r'(How many times as long igraph takes: )[^"]*', lambda m: m[1] + words, text)


def made(text):
    rows = figures()
    for row in rows:
        if None in row.values() or list(row) != COLUMNS:
            sys.exit(f"figures.tsv: not {len(COLUMNS)} columns: {row}")
        float(row["value"])
    kept, cited = set(os.listdir(os.path.join(FOLDER, "raw"))), {row["raw"] for row in rows if row["raw"].endswith("z")}
    if kept != cited:
        sys.exit(f"figures.tsv and raw/ differ: {', '.join(sorted(kept ^ cited))}")
    for name, (head, table) in TABLES.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, rest = text.split(begin)
        text = before + begin + "".join(markdown(head, table(rows))) + end + rest.split(end)[1]
    return text


def main(arguments):
    page, speed, readme = (os.path.join(graphs.TOP, "docs", *at) for at in (["benchmarks", "README.md"], ["speed.svg"], [os.pardir, "README.md"]))
    for path, make in (page, made), (speed, lambda _: picture(figures())), (readme, lambda text: described(text, figures())):
        with open(path, "a+") as file:
            file.seek(0)
            kept = file.read()
            text = make(kept)
            if text == kept:
                continue
            if arguments == ["--check"]:
                sys.exit(f"{os.path.relpath(path, graphs.TOP)} is not what figures.tsv says: make generate")
            file.truncate(0)
            file.write(text)
