"""Validates a manifest with Kubernetes' published schema, and its Jobs with the
command's exit codes: check.py FILE."""

import sys

import kubernetes_validate
import yaml

# Only the exit codes 1 and 6 are worth a retry.
FINAL = [2, 3, 4, 5, 7]

# Exit code of the container that waits for the shards, if they have failed.
SHARDS_FAILED = 3


def check_job(job):
    pod = job["template"]["spec"]
    own = [c for c in pod.get("initContainers", []) + pod["containers"] if "/bcstage:" in c["image"]]
    final = {}
    for rule in job["podFailurePolicy"]["rules"]:
        if "onExitCodes" in rule:
            assert rule["onExitCodes"]["operator"] == "In" and rule["action"] in ("FailIndex", "FailJob"), rule
            final[rule["onExitCodes"]["containerName"]] = rule["onExitCodes"]["values"]
    want = {c["name"]: FINAL for c in own}
    for container in pod.get("initContainers", []):
        if any("kubectl wait" in arg for arg in container["args"]):
            want[container["name"]] = [SHARDS_FAILED]
            assert f"|| exit {SHARDS_FAILED}" in container["args"][0]
    assert own and final == want, f"exit codes that are final: {final}, want {want}"
    for container in own:
        for arg in container["args"]:
            if arg.startswith("--shard="):
                assert arg == f"--shard=$(SHARD)/{job['completions']}", "shards and completions differ"
                assert job["completionMode"] == "Indexed"


def check(text):
    for document in yaml.safe_load_all(text):
        kubernetes_validate.validate(document, "1.31", strict=True)
        if document["kind"] == "Job":
            check_job(document["spec"])
        elif document["kind"] == "CronJob":
            check_job(document["spec"]["jobTemplate"]["spec"])
        elif document["kind"] == "ConfigMap":
            for manifest in document["data"].values():
                check(manifest.replace("JOB", "betweenness-29000000"))
        print(document["kind"], document["metadata"]["name"], "is valid")


with open(sys.argv[1]) as file:
    check(file.read())
