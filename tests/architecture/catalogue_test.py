#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The catalogue of checks holds exactly the ids that the sources make."""
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tools"))
import closing_line  # noqa: E402

CATALOGUE = ROOT / "properties" / "catalogue.cpp"
CLASSES = ("deadlock", "assertion", "crash", "error", "message", "collective", "argument", "request", "buffer", "rma",
           "operator", "resource", "thread", "lifecycle", "progress", "time", "outcome", "race", "hint", "property",
           "ltl", "file", "failure", "unsupported")
ID = re.compile(r'"((?:' + "|".join(CLASSES) + r')(?:\.[a-z][a-z_]*)+)"')
# Ids that are put together: the class here, and the words in the driver's outcome (PendingRequest::mismatch).
COMPOSED = {"collective." + word for word in ("operation", "root", "operator", "count", "signature")}


def listed():
    return re.findall(r'Check\{"([^"]+)"', CATALOGUE.read_text())


def made():
    """The ids that stand as literals in the components."""
    result = {}
    for folder in ("simcore", "smpi", "mc", "properties", "app"):
        for path in sorted((ROOT / folder).rglob("*.cpp")) + sorted((ROOT / folder).rglob("*.hpp")):
            if path != CATALOGUE:
                for id_ in ID.findall(path.read_text()):
                    result.setdefault(id_, path)
    return result | dict.fromkeys(COMPOSED)


class Catalogue(unittest.TestCase):
    def test_lists_each_id_once(self):
        self.assertEqual(sorted(set(listed())), sorted(listed()))

    def test_lists_every_id_that_is_made(self):
        missing = {id_: str(path) for id_, path in made().items() if id_ not in listed()}
        self.assertEqual(missing, {})

    def test_lists_nothing_that_is_not_made(self):
        self.assertEqual(set(listed()) - set(made()), set())


if __name__ == "__main__":
    closing_line.main()
