"""The package's types, checked by mypy."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import bcstage
from support import optional

CALLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "typed_calls.py")


class Types(unittest.TestCase):
    def test_right_and_wrong_calls(self):
        optional("mypy")
        with open(CALLS, encoding="utf-8") as file:
            lines = file.read().splitlines()
        wrong = {i for i, line in enumerate(lines, 1) if line.endswith("# wrong")}
        right = {i for i, line in enumerate(lines, 1) if re.match(r"(for batch in )?bcstage\.", line)} - wrong
        self.assertGreaterEqual(min(len(wrong), len(right)), 30)
        package = os.path.dirname(os.path.dirname(bcstage.__file__))
        with tempfile.TemporaryDirectory() as cache:
            # From the parent of the package's folder, which works for a checkout, too.
            out = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", cache, CALLS], capture_output=True, text=True,
                                 env={**os.environ, "MYPYPATH": "" if "site-packages" in package else package})
        found = {int(n) for n in re.findall(r"typed_calls\.py:(\d+): error", out.stdout)}
        self.assertEqual({n: lines[n - 1] for n in found - wrong}, {}, out.stdout)
        self.assertEqual({n: lines[n - 1] for n in wrong - found}, {}, out.stdout)


if __name__ == "__main__":
    unittest.main()
