# SPDX-License-Identifier: MIT
"""The parts of the conformance runner that need no suite: lists of run lines, of expectations, reports of runtests."""
import io
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))

# pylint: disable=wrong-import-position
import conformance  # noqa: E402
import expectations  # noqa: E402
import launch  # noqa: E402
import progress  # noqa: E402
import run_lines  # noqa: E402
import runtests  # noqa: E402
from closing_line import main  # noqa: E402

REPORT = """<testsuites>
    <testcase name=" - ./coll/bcast 4 -count=1 " time="0.50"></testcase>
    <testcase name=" - ./coll/red3 10  " time="0.25">
      <failure type="TestFailed"
               message="not ok  - ./coll/red3 10"><![CDATA[not ok  - ./coll/red3 10
## Test output (expected 'No Errors'):
## wrong <sum> & more
    ]]></failure>
    </testcase>
    <testcase name=" - ./coll/broken   " time="">
      <failure type="TestFailed">
## Failed to build broken
    ]]></failure>
    </testcase>
</testsuites>
"""


class RunLines(unittest.TestCase):
    def test_are_read_without_comments_and_foreign_marks(self):
        lines = run_lines.parse("coll", "# none\nred3 10\n!util:lib\np_red 4 strict=false\n"
                                        "bcast 4 arg=-a env=X=1\nself\n")
        self.assertEqual([line.name for line in lines],
                         ["coll/red3 10", "coll/p_red 4", "coll/bcast 4 -a X=1", "coll/self 2"])
        self.assertEqual([line.text for line in lines][1:3], ["p_red 4", "bcast 4 arg=-a env=X=1"])

    def test_are_selected_by_folder_or_program(self):
        lines = run_lines.parse("coll", "red 2\nred 4\nred3 2\n")
        self.assertEqual(len(run_lines.selected(lines, "coll")), 3)
        self.assertEqual(len(run_lines.selected(lines, "coll/red")), 2)
        self.assertEqual(run_lines.selected(lines, "col"), [])


    def test_of_io_run_one_behind_the_other(self):
        lines = run_lines.parse("coll", "red 2\nred 4\n") + run_lines.parse("io", "rdwr 4\nsetsize 4\n")
        self.assertEqual([[line.program for line in chunk] for chunk in conformance.chunks_of(lines)],
                         [["red"], ["red"], ["rdwr", "setsize"]])

    def test_are_reported_when_they_have_run(self):
        output = io.StringIO()
        shown = progress.Progress(2, output)
        for passed, line in zip((True, False), run_lines.parse("coll", "red 2\nred 4\n")):
            shown.show(runtests.Result(line, passed, 1.5, ""))
        self.assertEqual(output.getvalue(), "[1/2] passed 1.50 s coll/red 2\n[2/2] FAILED 1.50 s coll/red 4\n")


class Reports(unittest.TestCase):
    def test_give_outcome_and_output_of_each_line(self):
        cases = runtests.report_cases(REPORT)
        self.assertEqual([case[:3] for case in cases],
                         [("coll/bcast", True, 0.5), ("coll/red3", False, 0.25), ("coll/broken", False, 0.0)])
        self.assertIn("wrong <sum> & more", cases[1][3])


class Expectations(unittest.TestCase):
    def entries(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "list.txt"
            path.write_text(text)
            return expectations.read(path)

    def result(self, name, passed, output="output"):
        return runtests.Result(run_lines.parse("coll", name)[0], passed, 0.0, output)

    def test_hold_in_both_directions(self):
        entries = self.entries("# a comment\ncoll/red* 4  # failure: a reason\n")
        self.assertEqual(expectations.differences(entries, [self.result("red3 4", False)]), [])
        self.assertEqual(expectations.differences(entries, [self.result("bcast 4", True)]), [])
        self.assertEqual(expectations.differences(entries, [self.result("bcast 4", False)])[0][1], "failed")
        self.assertIn("list.txt:2 expects", expectations.differences(entries, [self.result("red3 4", True)])[0][1])

    def test_of_limits_allow_what_ends_there_and_nothing_else(self):
        entries = self.entries("coll/red3 4  # limit: a reason\n")
        for passed, output in ((True, ""), (False, "ended after 180 s"),
                               (False, "inconclusive: the time is up (--max-seconds); nothing wrong in 0 executions"),
                               (False, "inconclusive: files (9 bytes; --max-memory allows more) is not supported yet; "
                                       "nothing wrong in 0 executions")):
            self.assertEqual(expectations.differences(entries, [self.result("red3 4", passed, output)]), [])
        for output in ("violation: deadlock", "",
                       "inconclusive: MPI_Put is not supported yet; nothing wrong in 0 executions"):
            found = expectations.differences(entries, [self.result("red3 4", False, output)])
            self.assertIn("not at a limit", found[0][1])

    def test_need_a_reason(self):
        for line in ("coll/red3 4", "coll/red3 4  # because", "coll/red3 4  # failure:"):
            with self.assertRaises(SystemExit):
                self.entries(line + "\n")

    def test_that_mean_no_line_are_found(self):
        entries = self.entries("coll/red3 4  # failure: a reason\ncoll/gone 4  # excluded: a reason\n")
        self.assertEqual([entry.pattern for entry in expectations.unused(entries, ["coll/red3 4"])], ["coll/gone 4"])

    def test_of_the_suite_can_be_read(self):
        for path in HERE.glob("expected_*.txt"):
            self.assertIsNotNone(expectations.read(path))


class Launcher(unittest.TestCase):
    def test_hands_on_the_status(self):
        self.assertEqual(launch.main(["sh", "--", "-c", "exit 3"]), 3)
        command = ["rehearse", "check", "--search", "random:20", "--max-seconds", "20", "-n", "2"]
        self.assertEqual(launch.for_a_single_execution(command, 150.5),
                         ["rehearse", "check", "--search", "random:1", "--max-seconds", "150.5", "-n", "2"])

    def test_takes_chance_for_what_it_is(self):
        self.assertTrue(launch.good_verdict(3, b"inconclusive: by chance; nothing wrong in 20 executions"))
        self.assertFalse(launch.good_verdict(3, b"inconclusive: MPI_Put is not supported yet"))
        self.assertFalse(launch.good_verdict(1, b"violation"))

    def test_believes_no_program_that_says_it_failed(self):
        self.assertFalse(launch.good_status(0, b"0:FAILURE - oo"))

    def test_replay_must_have_been_made(self):
        self.assertTrue(launch.good_replay(1, b"10 errors\nreplayed: same dates\n"))
        self.assertFalse(launch.good_replay(0, b" No Errors\nnot replayed: the run has exit status 3\n"))


if __name__ == "__main__":
    main()
