#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counter-examples of the wrong programs elsewhere in the project: tests/programs/mpi, the examples, and what students
might hand in for the exercises of the classroom. counterexample_test.py has those of tests/checks."""
import concurrent.futures
import json
import os
import sys
import unittest

from checking import EXAMPLES, ROOT
from counterexamples import Case, look_at

import closing_line

sys.path += [str(ROOT / "tests" / "programs" / "mpi"), str(ROOT / "tests" / "classroom")]
import classroom_test  # noqa: E402
import programs_test  # noqa: E402

FEWEST = 50
FEWEST_WITH_CRITICAL = 6
DEMONSTRATION = (("1_head_to_head", 2), ("2_stolen_message", 3), ("3_overtaking", 3))


def of_programs():
    for path in programs_test.PROGRAMS:
        expected = programs_test.Expectation(path)
        if expected.errors:
            yield Case(path.stem, [path], int(expected.ranks), options=["--buffering", expected.buffering])


def of_classroom():
    """One for each check that a submission fails."""
    for exercise, submissions in classroom_test.FAILS.items():
        folder = classroom_test.CLASSROOM / exercise
        described = json.loads((folder / "exercise.json").read_text())
        for submission, failed in submissions.items():
            source = folder if submission == classroom_test.SKELETON else folder / "wrong" / submission
            for check in described["checks"]:
                if "check" not in check or check["name"] not in failed:
                    continue
                sources = [source / name for name in described["sources"]]
                hidden = [folder / name for name in described["hidden"]]
                yield Case(f"{exercise}/{submission}: {check['name']}", sources + hidden, check["check"]["ranks"],
                           compile=["-I", source, *described.get("compiler_options", [])],
                           arguments=check["check"].get("arguments", []))


def everything():
    yield from (Case(name, [EXAMPLES / f"{name}.c"], ranks) for name, ranks in DEMONSTRATION)
    yield from of_programs()
    yield from of_classroom()


class WrongPrograms(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cases = list(everything())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            cls.seen = dict(zip([case.name for case in cases], pool.map(look_at, cases)))
        if len(cls.seen) != len(cases):
            raise ValueError("two programs have one name")

    def test_have_small_counter_examples_that_happen_again_in_time_with_the_same_bytes(self):
        self.assertGreaterEqual(len(self.seen), FEWEST)
        self.assertEqual({name: faults for name, (_, faults) in self.seen.items() if faults}, {})

    def test_are_reported_what_was_critical(self):
        reported = [name for name, (document, _) in self.seen.items()
                if document and "critical" in document.get("explanation", {})]
        self.assertGreaterEqual(len(reported), FEWEST_WITH_CRITICAL, reported)


if __name__ == "__main__":
    closing_line.main()
