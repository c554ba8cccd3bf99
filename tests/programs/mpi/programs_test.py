#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles every C program of this folder with the wrapper compiler, runs it in simulated time and checks it, and
compares with what the program's own header says.

Header (comments at the top of the program, one `// key: value` each):
  ranks: N             how many ranks; default 2
  run: completes | fails | is refused  in simulated time; default completes, which also means that nothing is printed
  check: verified | inconclusive | violation ID...
                       default verified; the ids of the findings of severity error, as a set
  also: ID...          ids of the findings of lesser severity, as a set; default none
  executions: N        of `check` with infinite buffering; default: not compared
  buffering: POLICY    of `check`; default infinite
A program that completes prints nothing: it asserts what it computes.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import closing_line  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("REHEARSE_BUILD", HERE.parents[2] / "build"))
REHEARSE = BUILD / "bin" / "rehearse"
PROGRAMS = sorted(HERE.glob("*.c"))
STATUS_OF_RUN = {"completes": 0, "fails": 1, "is refused": 3}
STATUS_OF_VERDICT = {"verified": 0, "violation": 1, "inconclusive": 3}


class Expectation:
    """The header of a program."""

    def __init__(self, path):
        values = {"ranks": "2", "run": "completes", "check": "verified", "also": "", "executions": "",
                  "buffering": "infinite"}
        for line in path.read_text().splitlines():
            key, colon, value = line.removeprefix("// ").partition(": ")
            if not line.startswith("// ") or not colon or key not in values:
                if not line.startswith("//"):
                    break
                continue
            values[key] = value.strip()
        self.ranks, self.run, self.buffering = values["ranks"], values["run"], values["buffering"]
        self.verdict, *errors = values["check"].split()
        self.errors, self.also = set(errors), set(values["also"].split())
        self.executions = int(values["executions"]) if values["executions"] else None


def finish(words, folder):
    return subprocess.run([str(w) for w in words], cwd=folder, text=True, capture_output=True, timeout=120)


def faults_of_run(program, expected, folder):
    done = finish([REHEARSE, "run", "--no-summary", "-n", expected.ranks, program], folder)
    words = done.stdout + done.stderr
    if (done.returncode, words == "") == (STATUS_OF_RUN[expected.run], expected.run == "completes"):
        return []
    return [f"run ended with status {done.returncode}, printed:\n{words}"]


def faults_of_check(program, expected, folder):
    done = finish([REHEARSE, "check", "-n", expected.ranks, "--buffering", expected.buffering, "--all",
                   "--json", "-", program], folder)
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return [f"check ended with status {done.returncode}, printed:\n{done.stdout}{done.stderr}"]
    errors = {f["id"] for f in report["findings"] if f["severity"] == "error"}
    others = {f["id"] for f in report["findings"] if f["severity"] == "warning"}
    wanted = [("verdict", expected.verdict, report["verdict"]),
              ("status", STATUS_OF_VERDICT[expected.verdict], done.returncode),
              ("errors", expected.errors, errors), ("other findings", expected.also, others),
              ("duplicates", 0, report["duplicates"])]
    if expected.executions is not None:
        wanted.append(("executions", expected.executions, report["executions"]))
    faults = [f"{what} should be {want}, not {got}" for what, want, got in wanted if want != got]
    return faults + [f["message"] for f in report["findings"] if faults]


def faults_of(path):
    """What is not as the header of this program says."""
    expected = Expectation(path)
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / path.stem
        done = finish([REHEARSE, "cc", "-Wall", "-Wextra", "-Werror", path, "-o", program, "-lm"], folder)
        if done.returncode != 0:
            return [done.stderr]
        return faults_of_run(program, expected, folder) + faults_of_check(program, expected, folder)


class Programs(unittest.TestCase):
    """One test per program; they all run at once, and each test waits for its own."""

    @classmethod
    def setUpClass(cls):
        cls.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        cls.faults = {path: cls.pool.submit(faults_of, path) for path in PROGRAMS}

    @classmethod
    def tearDownClass(cls):
        cls.pool.shutdown()

    def test_there_are_programs(self):
        self.assertGreaterEqual(len(PROGRAMS), 30)


def add_test(path):
    setattr(Programs, "test_" + path.stem, lambda self: self.assertEqual(self.faults[path].result(), []))


for program_path in PROGRAMS:
    add_test(program_path)

if __name__ == "__main__":
    closing_line.main()
