#!/bin/bash
# Estimates on one device: `h200.sh [FOLDER]`, in the root of the repository, or with
# BCSTAGE naming a command that was built with the tag opencl. The graph is made and
# prepared in the folder first. Each line of the result is one run: what was asked, eps
# reached, draws, searches, seconds (total, compute), and what was in use.
set -euo pipefail
out=${1:-$(mktemp -d)}
if [ -n "${BCSTAGE:-}" ]; then
	cp "$BCSTAGE" "$out/bcstage"
else
	go build -tags opencl -o "$out/bcstage" ./cli/bcstage
fi
cd "$out"
[ -e kron22.bcg ] || {
	./bcstage generate kron --scale 22 --edge-factor 16 -o kron22.parquet
	./bcstage prepare kron22.parquet -o kron22.bcg
}
./bcstage devices
run() {
	local name=$1
	shift
	./bcstage kron22.bcg --estimate --confidence 0.9 "$@" -o "$name.parquet" --stats "$name.json" --quiet
	command -v python3 >/dev/null || { cat "$name.json"; return; }
	python3 - "$name.json" "$*" <<-'P'
		import json, sys
		s = json.load(open(sys.argv[1])); e = s["estimate"]
		print(sys.argv[2], "| eps %.3g" % e["eps"], e["way"], e["draws"], "draws", e["searches"], "searches of", e["sources"], "stages", e["stages"],
		      "| total %.1f s, compute %.1f s, reduce %.1f s" % (s["seconds"]["total"], s["seconds"]["compute"], s["seconds"]["reduce"]),
		      "| gteps %.1f" % s["gteps"], [(x["name"], round(x["share"], 3)) for x in s["engines"]], "peak %.1f GB" % (s["peak_memory_bytes"] / 1e9), e.get("plan", ""))
	P
}
run warm --way sources --engine gpu --samples 2000
run raw3 --way sources-raw --engine gpu --eps 0.001
run lin3 --way sources --engine gpu --eps 0.001
run raw3b --way sources-raw --engine gpu --eps 0.0003
run lin3b --way sources --engine gpu --eps 0.0003
run pairs3 --way pairs --engine cpu --eps 0.001
run pairs3b --way pairs --engine cpu --eps 0.0003
