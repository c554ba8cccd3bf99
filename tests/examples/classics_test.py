#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each program of examples/classics gives the verdict and the number of executions that tests/bench/classics.py says:
those that take under a second or two."""
import pathlib
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "cli"), str(TESTS / "bench")]
import classics  # noqa: E402
from checking import REHEARSE, WithPrograms  # noqa: E402

import closing_line  # noqa: E402  (found by checking)


class Classics(WithPrograms):
    def outcomes(self, kind):
        for case in classics.CASES:
            for ranks, outcome in case.outcomes.items():
                if isinstance(outcome, kind):
                    yield case, ranks, outcome

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.programs = pathlib.Path(folder.name)
        classics.compile_all(REHEARSE, cls.programs)

    def test_all_executions_are_counted(self):
        for case, ranks, outcome in self.outcomes(classics.All):
            with self.subTest(case.name, ranks=ranks, buffering=case.buffering):
                if not outcome.slow:
                    report, _ = classics.checked(REHEARSE, self.programs, case, ranks, "--all")
                    self.assertIsNone(classics.mistake(report, outcome))

    def test_errors_are_found_in_the_first_executions(self):
        for case, ranks, outcome in self.outcomes(classics.Found):
            with self.subTest(case.name, ranks=ranks, buffering=case.buffering):
                report, _ = classics.checked(REHEARSE, self.programs, case, ranks, *classics.options_of(outcome))
                self.assertEqual(report["verdict"], "violation")
                if outcome.execution > 1:
                    before = classics.Found(outcome.execution - 1)
                    report, _ = classics.checked(REHEARSE, self.programs, case, ranks, *classics.options_of(before))
                    self.assertEqual(report["verdict"], "inconclusive")

    def test_each_is_checked_at_four_ranks(self):
        at_four = {case.words[0] for case, ranks, _ in self.outcomes(object) if ranks in (4, 5)}
        self.assertEqual(at_four, {source.stem for source in classics.SOURCES.glob("*.c")})

    def test_counts_are_those_of_brute_force(self):
        """With every interleaving of the small ones."""
        for case, ranks, outcome in self.outcomes(classics.All):
            if ranks <= 5 and case.words[0] in ("matmul", "dtg", "crooked_barrier", "monte"):
                with self.subTest(case.name, ranks=ranks):
                    report, _ = classics.checked(REHEARSE, self.programs, case, ranks, "--all", "--reduction", "none")
                    self.assertIsNone(classics.mistake(report, outcome))

    def test_right_variants_are_right_under_every_policy(self):
        for words, executions in ((("monte", "right"), 6), (("heat", "2", "right"), 1)):
            with self.subTest(words[0]):
                report = self.checked(words, 4)
                self.assertEqual((report["verdict"], report["executions"]), ("verified", executions))

    def checked(self, words, ranks):
        return classics.checked(REHEARSE, self.programs, classics.Case("", words, "all", {}), ranks)[0]


if __name__ == "__main__":
    closing_line.main()
