#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of this folder, compiled for MPICH and for Open MPI by their own compilers, run unmodified: what their
headers say holds, and portable*.f90 print the same at the same simulated time as with our own interface.

Usage:  foreign_test.py [--all]    a selection of the programs, or all
Skipped where the compilers of these libraries (mpif90.mpich, mpif90.openmpi) are not installed, or have no mpif.h. A
program that a library cannot compile (large counts, functions of MPI-4) is left out for it.
"""
import os
import re
import shutil
import sys
import unittest

import fortran_test
from fortran_test import HERE, REHEARSE, finish

sys.path.append(str(HERE.parents[0] / "tools"))
import closing_line  # noqa: E402
import real_mpi  # noqa: E402

NAMES = {"mpif90.mpich": "MPICH", "mpif90.openmpi": "Open MPI"}
SELECTION = ["portable.f90", "portable_f08.f90", "ring.f", "old_functions.f", "sections.f90", "wrong_class.f90",
             "wrong_rank.f90", "wrong_truncation.f"]
# Open MPI's mpi_f08 has neither sections as buffers nor types of arrays; and with its module mpi, gfortran gives a call
# the line of the program.
LACKING = {"mpif90.mpich": set(),
           "mpif90.openmpi": {"sections.f90", "types_f08.f90", "wrong_types.f90", "wrong_class.f90"}}


class ForeignPrograms(fortran_test.Programs):
    names = SELECTION
    compiler = None

    def build(self, path):
        program = self.folder / f"{path.stem}.{self.compiler}"
        done = finish([self.compiler, "-g", "-w", "-fallow-argument-mismatch", "-o", program, path], self.folder)
        return program if done.returncode == 0 else None

    def check_all(self, compiler):
        if not real_mpi.compiles(compiler, real_mpi.FORTRAN):
            self.skipTest(f"{compiler} is not installed, or has no mpif.h")
        self.compiler = compiler
        names = [name for name in self.names if name not in LACKING[compiler]]
        found = 0
        for name in names:
            if self.build(HERE / "programs" / name) is None:
                continue
            found += 1
            with self.subTest(program=name):
                (self.wrong if name.startswith("wrong_") else self.right)(name)
        self.assertGreater(found, len(names) // 2)

    def test_of_mpich(self):
        self.check_all("mpif90.mpich")

    def test_of_open_mpi(self):
        self.check_all("mpif90.openmpi")

    @unittest.skipUnless(shutil.which("gfortran"), "gfortran is not installed")
    def test_objects_that_are_linked_to_our_library_are_refused(self):
        found = [compiler for compiler in NAMES if real_mpi.compiles(compiler, real_mpi.FORTRAN)]
        if not found:
            self.skipTest("no compiler of another library is installed")
        for compiler in found:
            for interface in ("use mpi", "include 'mpif.h'"):
                with self.subTest(compiler=compiler, interface=interface):
                    source, thing = self.folder / "mixed.f90", self.folder / "mixed.o"
                    source.write_text(f"program mixed\n{interface}\ninteger :: i, ierr\ncall MPI_Init(ierr)\n"
                                      "call MPI_Comm_rank(MPI_COMM_WORLD, i, ierr)\ncall MPI_Finalize(ierr)\nend\n")
                    for words in ([compiler, "-c", source, "-o", thing],
                                  [REHEARSE, "fortran", thing, "-o", self.folder / "mixed"]):
                        done = finish(words, self.folder, XDG_CACHE_HOME=str(self.cache))
                        self.assertEqual(done.returncode, 0, done.stderr)
                    done = finish([REHEARSE, "run", "-n", "1", self.folder / "mixed"], self.folder)
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                    self.assertIn(f"contains Fortran objects compiled with {NAMES[compiler]}", done.stderr)

    @unittest.skipUnless(shutil.which("gfortran"), "gfortran is not installed")
    def test_same_output_and_times(self):
        for name in ("portable.f90", "portable_f08.f90"):
            with self.subTest(program=name):
                self.compare(HERE / "programs" / name)

    def compare(self, path):
        own = self.folder / "own"
        done = finish([REHEARSE, "fortran", "-o", own, path], self.folder, XDG_CACHE_HOME=str(self.cache))
        self.assertEqual(done.returncode, 0, done.stderr)
        programs = {"own": own}
        for compiler in NAMES:
            if real_mpi.compiles(compiler, real_mpi.FORTRAN):
                self.compiler = compiler
                programs[compiler] = self.build(path)
        ranks = fortran_test.header(path, "ranks")
        seen = {name: self.output_and_time(program, ranks) for name, program in programs.items()}
        self.assertEqual(len(set(seen.values())), 1, seen)
        for compiler, library in NAMES.items():
            if compiler in programs:
                listed = finish([REHEARSE, "list", "calls", programs[compiler]], self.folder)
                self.assertIn(f"compiled for {library}", listed.stdout)

    def output_and_time(self, program, ranks):
        done = finish([REHEARSE, "run", "--compute", "none", "-n", ranks, program], self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = re.search(r"ranks took (.*) on ", done.stderr)
        return done.stdout, found.group(1) if found else done.stderr


if __name__ == "__main__":
    if "--all" in sys.argv:
        sys.argv.remove("--all")
        ForeignPrograms.names = sorted(os.listdir(HERE / "programs"))
    closing_line.main()
