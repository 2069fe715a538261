"""Holds a manifest against the schema that Kubernetes publishes: check.py FILE."""

import sys

import kubernetes_validate
import yaml

for document in yaml.safe_load_all(open(sys.argv[1])):
    kubernetes_validate.validate(document, "1.31", strict=True)
    spec = document["spec"]
    args = spec["template"]["spec"]["containers"][0]["args"]
    assert f"--shard=$(SHARD)/{spec['completions']}" in args, "shards and completions differ"
    (rule,) = [r for r in spec["podFailurePolicy"]["rules"] if "onExitCodes" in r]
    final = rule["onExitCodes"]["values"] if rule["onExitCodes"]["operator"] == "In" else []
    assert final == [2, 3, 4, 5, 7], "of the command's failures, 1 and 6 alone are worth a retry"
    print(document["kind"], document["metadata"]["name"], "is valid")
