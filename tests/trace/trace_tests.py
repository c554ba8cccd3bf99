# SPDX-License-Identifier: MIT
"""The common part of the tests of traces: calls of rehearse in a temporary folder, and the count of checks.

A test is a class below Checks, with main(): run_tests(Class, ...) makes the folder, runs it, and prints the last line.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
MPIS = ("openmpi", "mpich")
# Open MPI asks root, and only root, for this.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MOST_PROBLEMS = 50  # printed


class Checks:
    def __init__(self, build, folder):
        self.build, self.folder = pathlib.Path(build).resolve(), pathlib.Path(folder)
        self.rehearse = self.build / "bin/rehearse"
        self.done = self.failures = 0

    def run(self, *words, timeout=600, cores=None):
        """Any command, in the folder; `cores`: on these only."""
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace",
                              timeout=timeout, cwd=self.folder, env=ENVIRONMENT, check=False,
                              preexec_fn=cores and (lambda: os.sched_setaffinity(0, cores)))

    def call(self, *words, cores=None):
        return self.run(self.rehearse, *words, cores=cores)

    def check(self, name, is_right, problem=""):
        self.done += 1
        if not is_right:
            self.failures += 1
            if self.failures <= MOST_PROBLEMS:
                print(f"{name}: {problem}")
        return is_right

    def judge(self, name, problem):
        """`problem`: a text, or something that is false."""
        return self.check(name, not problem, problem)

    def expect(self, name, done, status, *texts):
        """A finished command: its exit status, and texts in its output."""
        found = done.stdout + done.stderr
        missing = [text for text in texts if text not in found]
        return self.check(name, done.returncode == status and not missing,
                          f"status {done.returncode}, expected {status}; missing {missing} in: {found[-800:]}")

    def good(self, *words):
        done = self.call(*words)
        self.expect(" ".join(map(str, words)), done, 0)
        return done

    def refused(self, status, texts, *words):
        """One line on standard error, with this text or these texts."""
        done, name = self.call(*words), " ".join(map(str, words))
        self.check(name, done.stderr.count("\n") == 1, f"no single line: {done.stderr[-300:]}")
        return self.expect(name, done, status, *([texts] if isinstance(texts, str) else texts))

    def is_there(self, mpi):
        return shutil.which(f"mpicc.{mpi}") and (self.build / f"lib/librehearse_trace_{mpi}.so").exists()

    def mpis_here(self):
        """The installed ones; a line for each other one."""
        here = [mpi for mpi in MPIS if self.is_there(mpi)]
        for mpi in MPIS:
            if mpi not in here:
                print(f"without {mpi}: mpicc.{mpi} or its profiling library is not here "
                      "(packages marked [trace] in packages.txt)")
        return here


def make_parser(description, **ranges):
    """--build, and for each name a pair FIRST COUNT with this default."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--build", required=True, type=pathlib.Path)
    for name, default in ranges.items():
        parser.add_argument(f"--{name}", nargs=2, type=int, default=default, metavar=("FIRST", "COUNT"))
    return parser


def run_tests(make, options, work, least=0):
    """The exit status. `work` gets the object and the options, and may return another status. `least`: of checks."""
    with tempfile.TemporaryDirectory() as folder:
        tests = make(options.build, folder)
        status = work(tests, options)
    print(f"{tests.done - tests.failures} passed, {tests.failures} failed")
    return status or (1 if tests.failures or tests.done < least else 0)
