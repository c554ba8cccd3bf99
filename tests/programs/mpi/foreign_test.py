#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that were compiled with MPICH's and with Open MPI's mpi.h run unmodified: the programs of this folder give
the same output, verdicts and findings as their headers say, and their times do not depend on the library.

Usage:  foreign_test.py [--all]    a selection of the programs, or all that these libraries can compile
Skipped where the compilers of these libraries (mpicc.mpich, mpicc.openmpi) are not installed, or have no mpi.h.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import programs_test
from programs_test import HERE, REHEARSE, Expectation, finish

sys.path.append(str(HERE.parents[1] / "tools"))
import closing_line  # noqa: E402
import real_mpi  # noqa: E402

COMPILERS = ("mpicc.mpich", "mpicc.openmpi")
LIBRARY = {"mpicc.mpich": "MPICH", "mpicc.openmpi": "Open MPI"}
SELECTION = ["attributes", "cartesian", "collectives", "communicators", "datatypes", "error_handlers", "generalized",
             "graphs", "intercommunicators", "matched_probes", "neighbours", "nonblocking_halo", "object_leaks",
             "persistent", "request_status", "ring", "send_forms", "truncated", "type_mismatch", "user_operator",
             "wrong_rank"]
# The results are those of the other library's constants and sizes. Not translated: MPI_T, constants in lists of ranks.
DIFFERENT = {"environment_info", "fortran_handles", "thread_levels", "removed_names", "handles", "tool_categories",
             "tool_interface", "group_sets"}


def compiled(compiler, path, folder):
    """The program, or nothing if this library lacks functions or constants that it uses."""
    program = pathlib.Path(folder) / f"{path.stem}.{compiler}"
    done = finish([compiler, "-g", "-w", path, "-o", program, "-lm"], folder)
    return program if done.returncode == 0 else None


def simulated_time(program, ranks, folder):
    done = finish([REHEARSE, "run", "--compute", "none", "-n", ranks, program], folder)
    found = re.search(r"ranks took (.*) on ", done.stderr)
    return found.group(1) if found else done.stderr


def faults_of(path, compiler):
    expected = Expectation(path)
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(compiler, path, folder)
        if program is None:
            return None
        faults = programs_test.faults_of_run(program, expected, folder)
        return faults + programs_test.faults_of_check(program, expected, folder)


class ForeignPrograms(unittest.TestCase):
    names = SELECTION

    def check_all(self, compiler):
        if not real_mpi.compiles(compiler):
            self.skipTest(f"{compiler} is not installed, or has no mpi.h")
        paths = [HERE / f"{name}.c" for name in self.names if name not in DIFFERENT]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = dict(zip(paths, pool.map(lambda path: faults_of(path, compiler), paths)))
        for path, faults in results.items():
            with self.subTest(program=path.name):
                self.assertFalse(faults, "\n".join(faults or []))
        found = sum(faults is not None for faults in results.values())
        self.assertGreater(found, len(paths) // 2)

    def test_of_mpich(self):
        self.check_all("mpicc.mpich")

    def test_of_open_mpi(self):
        self.check_all("mpicc.openmpi")

    def test_library_is_named_and_times_are_equal(self):
        path = HERE / "ring.c"
        with tempfile.TemporaryDirectory() as folder:
            own = pathlib.Path(folder) / "own"
            subprocess.run([REHEARSE, "cc", path, "-o", own], check=True)
            times = {"own": simulated_time(own, "4", folder)}
            for compiler in COMPILERS:
                if not real_mpi.compiles(compiler):
                    continue
                program = compiled(compiler, path, folder)
                times[compiler] = simulated_time(program, "4", folder)
                listed = finish([REHEARSE, "list", "calls", program], folder)
                self.assertIn(f"compiled for {LIBRARY[compiler]}", listed.stdout)
        self.assertEqual(len(set(times.values())), 1, times)


if __name__ == "__main__":
    if "--all" in sys.argv:
        sys.argv.remove("--all")
        ForeignPrograms.names = [path.stem for path in programs_test.PROGRAMS]
    closing_line.main()
