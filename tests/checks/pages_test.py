#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/checks is what pages.py makes of the catalogue and the labelled programs."""
import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(HERE.parents[0] / "tools"))
import closing_line  # noqa: E402
import labels  # noqa: E402
import pages  # noqa: E402

REHEARSE = pathlib.Path(os.environ.get("REHEARSE_BUILD", ROOT / "build")) / "bin" / "rehearse"


class Pages(unittest.TestCase):
    def setUp(self):
        self.checks = pages.checks_of(REHEARSE)
        self.programs = labels.everything()

    def test_are_up_to_date(self):
        made = pages.pages(self.checks, self.programs)
        kept = {path.name: path.read_text() for path in (ROOT / "docs/checks").glob("*.md")}
        self.assertEqual(sorted(made), sorted(kept))
        self.assertEqual([name for name in made if made[name] != kept[name]], [], "run ./dev pages")

    def test_labels_name_checks_that_exist(self):
        known = {check["name"] for check in self.checks}
        named = {id_ for label in self.programs for id_ in label.check + label.warns + label.notes}
        self.assertEqual(named - known, set())


if __name__ == "__main__":
    closing_line.main()
