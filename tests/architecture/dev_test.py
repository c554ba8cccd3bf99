#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The script ./dev: quiet when nothing is to be done, usable from anywhere, clear about what it does not know."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tools"))
import closing_line  # noqa: E402


def run(*words, path=ROOT / "dev", folder="/", **environment):
    return subprocess.run([path, *words], cwd=folder, capture_output=True, text=True, env=os.environ | environment,
                          timeout=120)


class Dev(unittest.TestCase):
    def test_setup_is_silent_when_all_is_there(self):
        done = run("setup")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_setup_asks_once_which_packages_are_there_and_installs_only_what_is_missing(self):
        with tempfile.TemporaryDirectory(prefix="with a blank ") as folder:
            calls = Path(folder, "calls")
            for name, text in (("dpkg-query", "echo g++ installed\necho cmake config-files\n"), ("apt-get", ""),
                               ("id", "echo 0\n")):
                fake = Path(folder, name)
                fake.write_text(f'#!/bin/sh\necho "{name} $*" >>"{calls}"\n{text}')
                fake.chmod(0o755)
            done = run("setup", PATH=f"{folder}:{os.environ['PATH']}")
            self.assertEqual(done.returncode, 0, done.stderr)
            called = calls.read_text().splitlines()
            self.assertEqual(sum(line.startswith("dpkg-query") for line in called), 1)
            install = next(line for line in called if line.startswith("apt-get install"))
            self.assertIn(" cmake ", install + " ")
            self.assertNotIn(" g++ ", install + " ")
            self.assertNotIn("clang-tidy", install)

    def test_an_installation_that_fails_is_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("dpkg-query", "exit 1\n"), ("apt-get", "echo no network; exit 100\n"),
                               ("id", "echo 0\n")):
                fake = Path(folder, name)
                fake.write_text(f"#!/bin/sh\n{text}")
                fake.chmod(0o755)
            done = run("test", PATH=f"{folder}:{os.environ['PATH']}")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("no network", done.stderr)
            self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 1 failed")

    def test_is_found_through_a_path_with_blanks(self):
        with tempfile.TemporaryDirectory(prefix="with a blank ") as folder:
            os.symlink(ROOT, Path(folder, "a tree"))
            done = run("setup", path=Path(folder, "a tree", "dev"))
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_an_unknown_command_is_named_and_the_known_ones_listed(self):
        done = run("biuld")
        self.assertEqual(done.returncode, 1)
        self.assertIn("unknown command 'biuld'", done.stderr)
        for command in re.findall(r"^  (\w+)  ", run("help").stdout, re.MULTILINE):
            self.assertIn(command, done.stderr)

    def test_the_packages_have_reasons(self):
        for line in (ROOT / "packages.txt").read_text().splitlines():
            if not line.startswith("#"):
                self.assertRegex(line, r"^[a-z0-9.+-]+ +# \S")

    @unittest.skipUnless(shutil.which("clang-format"), "not installed")
    def test_format_check_names_the_places_and_changes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            good, bad = Path(folder, "good.cpp"), Path(folder, "bad.cpp")
            good.write_text("int one() { return 1; }\n")
            bad.write_text("int one() { return 1; }\nint  two( ) {return 2;}\n")
            self.assertEqual(run("format", "--check", str(good)).returncode, 0)
            done = run("format", "--check", str(good), str(bad))
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{bad}:2:", done.stdout)
            self.assertNotIn(":1:", done.stdout)
            self.assertIn("two( )", bad.read_text())
            self.assertEqual(run("format", str(bad)).returncode, 0)
            self.assertEqual(bad.read_text().splitlines()[1], "int two() { return 2; }")

    def test_format_refuses_what_it_does_not_know(self):
        self.assertIn("--chek", run("format", "--chek").stderr)

    def test_continuous_integration_runs_the_tests(self):
        self.assertIn("./dev test", (ROOT / ".ci" / "run").read_text())


if __name__ == "__main__":
    closing_line.main()
