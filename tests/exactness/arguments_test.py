#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse_exactness refuses arguments that it does not understand, rather than compare something else."""
import os
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import closing_line  # noqa: E402

EXACTNESS = pathlib.Path(os.environ["REHEARSE_BUILD"]) / "bin/rehearse_exactness"


def run(*arguments):
    return subprocess.run([EXACTNESS, *arguments], capture_output=True, text=True, check=False)


class Arguments(unittest.TestCase):
    def assert_refused(self, arguments, *parts):
        with self.subTest(arguments=arguments):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr.count("\n"), 1)
            for part in parts:
                self.assertIn(part, done.stderr)

    def test_what_is_not_known_or_no_value_is_refused_with_what_is_accepted(self):
        self.assert_refused(["--radnom", "1-5"], "'--radnom'", "--random")
        self.assert_refused(["--two", "3", "12"], "'12'")
        self.assert_refused(["--two"], "--two has no value", "a number")
        self.assert_refused(["--jobs", "-1"], "'-1'", "--jobs", "a number")
        self.assert_refused(["--random", "7"], "'7'", "FIRST-LAST")
        self.assert_refused(["--part", "2/2"], "'2/2'", "K less than N")
        self.assert_refused(["--count", "file"], "'file'", "standard input")

    def test_comparing_nothing_is_refused(self):
        self.assert_refused([], "nothing to compare")

    def test_what_was_compared_is_said(self):
        done = run("--random", "1-12", "--groups", "1-9", "--names", "4", "--parts", "2", "--jobs", "6", "--odpor", "3")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"^random: 12 programs, 60 pairs with a policy, \d+ classes, \d+ under other "
                                      r"names, \d+ parts, 6 with several processes, \d+ by orders of steps; 0 too "
                                      r"large\n"
                                      r"groups: \d+ groups, \d+ interleavings, \d+ orders, \d+ begun twice; \d+ too "
                                      r"large\n$")


if __name__ == "__main__":
    closing_line.main()
