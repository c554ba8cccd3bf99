#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/api/check_program.cpp, built with the tree: it checks programs and prints what it finds.

Usage: api_test.py BUILD EXAMPLES
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, EXAMPLES = Path(sys.argv[1]), Path(sys.argv[2])


def check(source, ranks):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program")
        subprocess.run([BUILD / "bin" / "rehearse", "cc", "-g", EXAMPLES / source, "-o", program], check=True)
        return subprocess.run([BUILD / "bin" / "example_check_program", program, str(ranks)], capture_output=True,
                              text=True, timeout=120, cwd=folder)


class Api(unittest.TestCase):
    def test_findings_are_values_with_places(self):
        done = check("1_head_to_head.c", 2)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(done.stdout.startswith("violation, "), done.stdout)
        self.assertIn("deadlock.cycle: ", done.stdout)
        self.assertIn("rank 0 in main: MPI_Send(", done.stdout)

    def test_a_program_that_is_right_is_verified(self):
        done = check("1_head_to_head_fixed.c", 2)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(done.stdout.startswith("verified, "), done.stdout)

    def test_what_is_wrong_with_the_request_is_an_error(self):
        done = subprocess.run([BUILD / "bin" / "example_check_program", "/nowhere", "2"], capture_output=True,
                              text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/nowhere", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
