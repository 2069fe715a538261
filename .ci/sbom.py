#!/usr/bin/env python3
"""Writes what a binary of Go is made of, as it says itself, as a bill of materials
in CycloneDX 1.5: sbom.py BINARY NAME. Equal binaries have equal bills."""
import base64
import json
import subprocess
import sys

binary, name = sys.argv[1:]
modules, settings, compiler = [], {}, ""
for line in subprocess.run(["go", "version", "-m", binary], capture_output=True, text=True, check=True).stdout.splitlines():
    fields = line.split("\t")
    if len(fields) == 1:
        compiler = line.rsplit(": go", 1)[1].split()[0]
    elif fields[1] in ("mod", "dep"):
        modules.append(fields[2:])
    elif fields[1] == "build":
        key, _, value = fields[2].partition("=")
        settings[key] = value.strip('"')


def component(path, version, digest="", kind="library"):
    """A module; its digest is go.sum's h1, a SHA-256 of the module's files."""
    purl = f"pkg:golang/{path}@{version}"
    of = {"bom-ref": purl, "type": kind, "name": path, "version": version, "purl": purl}
    if digest.startswith("h1:"):
        of["hashes"] = [{"alg": "SHA-256", "content": base64.b64decode(digest[3:]).hex()}]
    return of


main = component(*modules[0], kind="application")
libraries = sorted((component(*m) for m in modules[1:]), key=lambda c: c["purl"])
libraries.append(component("std", compiler))
json.dump({
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "version": 1,
    "metadata": {
        "component": main,
        "properties": [{"name": "bcstage:archive", "value": name}]
        + [{"name": f"bcstage:build:{key}", "value": value} for key, value in sorted(settings.items())],
    },
    "components": libraries,
    "dependencies": [{"ref": main["bom-ref"], "dependsOn": [c["bom-ref"] for c in libraries]}],
}, sys.stdout, indent=1)
print()
