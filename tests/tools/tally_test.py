#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tally.py counts what ran, also where one program holds many tests or dies before its closing line."""
import sys
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import closing_line  # noqa: E402
import tally  # noqa: E402


def case(status, output=""):
    return f'<testcase name="t" status="{status}"><system-out>{output}</system-out></testcase>'


def count(*cases):
    return tally.tally(xml.fromstring("<testsuite>" + "".join(cases) + "</testsuite>"))


class Tally(unittest.TestCase):
    def test_a_program_counts_as_one(self):
        self.assertEqual(count(case("run"), case("fail")), (1, 1, 0))

    def test_a_closing_line_counts_as_it_says(self):
        self.assertEqual(count(case("run", "x\n12 passed, 0 failed\n"), case("run")), (13, 0, 0))
        self.assertEqual(count(case("fail", "10 passed, 2 failed, 3 skipped\n")), (10, 2, 3))

    def test_a_program_that_died_after_its_closing_line_has_failed(self):
        self.assertEqual(count(case("fail", "10 passed, 0 failed\n")), (10, 1, 0))

    def test_what_did_not_run_is_skipped(self):
        self.assertEqual(count(case("notrun"), case("disabled"), case("run")), (1, 0, 2))


if __name__ == "__main__":
    closing_line.main()
