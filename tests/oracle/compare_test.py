#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The comparison with the oracle notices wrong counts, and the oracle still counts what it counted."""
import json
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "tools"))
import closing_line  # noqa: E402
import compare  # noqa: E402
import matching_oracle  # noqa: E402

WANTED = {"executions": 4, "executions_by_match": 6, "deadlocks": 1, "deadlocks_by_match": 1}
GOOD = {"executions": 4, "blocked": 1, "duplicates": 0, "exhaustive": True, "reasons": []}


class Differences(unittest.TestCase):
    def said(self, **changes):
        return list(compare.differences(dict(GOOD, **changes), WANTED))

    def test_none_between_the_two_counts(self):
        for executions in (4, 5, 6):
            self.assertEqual(self.said(executions=executions), [])

    def test_anything_else(self):
        for changes in ({"executions": 3}, {"executions": 7}, {"blocked": 0}, {"blocked": 2}, {"duplicates": 1},
                        {"exhaustive": False}, {"problem": "exit status 70"}):
            with self.subTest(changes=changes):
                self.assertTrue(self.said(**changes))


class Oracle(unittest.TestCase):
    def test_counts_the_litmus_programs_as_ever(self):
        expected = json.loads((HERE / "litmus" / "expected.json").read_text())
        for path in sorted((HERE / "litmus").glob("*.txt")):
            for buffering in ("infinite", "zero"):
                with self.subTest(program=path.stem, buffering=buffering):
                    counts, _ = matching_oracle.enumerate_program(matching_oracle.parse(path.read_text()), buffering)
                    wanted = expected[path.stem][buffering]
                    self.assertEqual({key: counts[key] for key in wanted}, wanted)


if __name__ == "__main__":
    closing_line.main()
