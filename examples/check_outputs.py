"""Validates the command's outputs beside the scores.

    check_outputs.py --stats FILE...      against docs/stats.schema.json
    check_outputs.py --metrics FILE...    by Prometheus's own parser; prints the samples
"""

import json
import sys

option, *files = sys.argv[1:]
for file in files:
    with open(file) as text:
        if option == "--stats":
            import jsonschema

            with open("../docs/stats.schema.json") as described:
                schema = json.load(described)

            def closed(of):
                """A key that is not in the schema is a failure here."""
                if isinstance(of, dict):
                    for value in of.values():
                        closed(value)
                    if "properties" in of:
                        of["additionalProperties"] = False

            closed(schema)
            jsonschema.Draft202012Validator.check_schema(schema)
            jsonschema.validate(json.load(text), schema)
        else:
            from prometheus_client.parser import text_fd_to_metric_families

            for family in text_fd_to_metric_families(text):
                assert family.type == "gauge" and family.documentation, family
                for sample in family.samples:
                    print(sample.name, *sample.labels.values(), f"{sample.value:g}")
