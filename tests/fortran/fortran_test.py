#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fortran programs of all three interfaces (mpif.h, mpi, mpi_f08): right ones run, are verified, and have times that do
not depend on where their output goes; wrong ones have the finding and the line that their headers name.

The headers: `! ranks: N`; of a wrong program `! finding: ID`, `! severity: warning` if it is no error, and `! here`
behind its line; of a right one whose loads and stores decide `! verdict: inconclusive`.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("REHEARSE_BUILD", HERE.parents[1] / "build"))
REHEARSE = BUILD / "bin" / "rehearse"
sys.path.append(str(HERE.parents[0] / "tools"))
import closing_line  # noqa: E402


def header(path, key):
    found = re.search(rf"^! {key}: (.*)$", path.read_text(), re.M)
    return found.group(1) if found else ""


def finish(words, folder, **environment):
    return subprocess.run([str(word) for word in words], cwd=folder, text=True, capture_output=True, check=False,
                          timeout=600, stdin=subprocess.DEVNULL, env={**os.environ, **environment})


class Programs(unittest.TestCase):
    """What is expected of a program; a class derived from this one builds it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.cache = cls.folder / "cache"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def check(self, program, ranks):
        done = finish([REHEARSE, "check", "-n", ranks, "--quiet", "--json", "-", program], self.folder)
        self.assertTrue(done.stdout.startswith("{"), done.stdout + done.stderr)
        return json.loads(done.stdout)

    def right(self, name):
        path = HERE / "programs" / name
        program, ranks = self.build(path), header(path, "ranks")
        # Without measured time, both runs write the lines of the ranks in the same order.
        words = [REHEARSE, "run", "-n", ranks, "--compute", "none", program]
        to_pipe = finish(words, self.folder)
        self.assertEqual(to_pipe.returncode, 0, to_pipe.stdout + to_pipe.stderr)
        self.assertIn("passed", to_pipe.stdout)
        with (self.folder / "output").open("w") as output:
            subprocess.run([str(word) for word in words], check=True, stdout=output, stderr=subprocess.DEVNULL)
        self.assertEqual((self.folder / "output").read_text(), to_pipe.stdout)
        report = self.check(program, ranks)
        self.assertEqual(report["verdict"], header(path, "verdict") or "verified", report)
        self.assertFalse([finding for finding in report["findings"] if finding["id"] == "buffer.type"], report)

    def wrong(self, name):
        path = HERE / "programs" / name
        report = self.check(self.build(path), header(path, "ranks"))
        severity = header(path, "severity") or "error"
        errors = [finding for finding in report["findings"] if finding["severity"] == severity]
        self.assertEqual([finding["id"] for finding in errors], [header(path, "finding")], report)
        lines = {number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("! here")}
        places = {place["line"] for place in errors[0]["locations"] if pathlib.Path(place["file"]).name == path.name}
        self.assertLessEqual(lines, places, errors[0])


@unittest.skipUnless(shutil.which("gfortran"), "gfortran is not installed")
class FortranPrograms(Programs):
    def build(self, path):
        program = self.folder / path.stem
        done = finish([REHEARSE, "fortran", "-o", program, path], self.folder, XDG_CACHE_HOME=str(self.cache))
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def test_wrong_memory_of_integers_is_refused(self):
        (self.folder / "w.f90").write_text("end\n")
        done = finish([REHEARSE, "fortran", "-fdefault-integer-8", "w.f90"], self.folder,
                      XDG_CACHE_HOME=str(self.cache))
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("-fdefault-integer-8: MPI's INTEGER has 4 bytes", done.stderr)

    def test_mpif_h_does_not_compile_with_wide_integers(self):
        # As a build system does that takes the options of the wrapper, and then calls the compiler.
        words = ["gfortran", "-w", "-c", "-I", BUILD / "include", HERE / "programs" / "ring.f"]
        self.assertEqual(finish(words, self.folder).returncode, 0)
        done = finish([*words, "-fdefault-integer-8"], self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"mpif\.h:7:")
        self.assertIn("INTEGERS_OF_4_BYTES", (BUILD / "include" / "mpif.h").read_text().splitlines()[6])

    def test_constants_of_mpich_are_named(self):
        # Its module mpi_f08 leaves nothing but its constants in an object.
        (self.folder / "c.f90").write_text("program c\n call mpi_init(ierr)\n call mpi_comm_rank(1140850688, i, ierr)\n"
                                           " call mpi_finalize(ierr)\nend program\n")
        done = finish([REHEARSE, "run", "-n", "1", self.build(self.folder / "c.f90")], self.folder)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        text = " ".join((done.stdout + done.stderr).split())
        self.assertIn("the communicator is 0x44000000, a constant of MPICH; compile all of the program with", text)

    def test_objects_of_another_mpi_are_refused(self):
        (self.folder / "o.f90").write_text("program o\n common /mpi_fortran_bottom/ i\n call mpi_init(ierr)\n i = 1\n"
                                           " call mpi_finalize(ierr)\nend program\n")
        program = self.build(self.folder / "o.f90")
        done = finish([REHEARSE, "run", "-n", "1", program], self.folder)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("Open MPI", done.stderr)

    def test_message_of_a_failed_open_in_a_locale(self):
        (self.folder / "open.f90").write_text("use mpi\ncharacter(len=80) text\ncall MPI_Init(i)\n"
                                              "open(10, file='/no file', status='old', iostat=i, iomsg=text)\n"
                                              "call MPI_Comm_rank(MPI_COMM_WORLD, i, j)\n"
                                              "if (i == 1) print *, trim(text)\ncall MPI_Finalize(i)\nend\n")
        program = self.build(self.folder / "open.f90")
        done = finish([REHEARSE, "check", "-n", "3", "--quiet", "--json", "-", program], self.folder, LC_ALL="C.UTF-8")
        self.assertEqual(json.loads(done.stdout)["findings"], [], done.stdout)
        done = finish([REHEARSE, "run", "-n", "2", program], self.folder, LC_ALL="C.UTF-8")
        self.assertIn("No such file or directory", done.stdout)

    def test_list_calls_names_the_functions_of_mpi(self):
        program = self.build(HERE / "programs" / "sections.f90")
        done = finish([REHEARSE, "list", "calls", program], self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("all of them supported", done.stdout)

    def test_all_names_of_the_modules_can_be_linked_and_found(self):
        symbols = subprocess.run(["nm", "-D", "--defined-only", BUILD / "lib" / "libmpi_abi.so.1"], check=True,
                                 text=True, capture_output=True).stdout
        names = sorted(set(re.findall(r"\bp?mpi_\w+_$", symbols, re.M)) - {"mpi_rehearse_"})
        self.assertGreater(len(names), 1800)
        calls = "\n".join(f" call {name[:-1]}()" for name in names if "fortran_" not in name)
        (self.folder / "all.f90").write_text(f"subroutine never()\n{calls}\nend subroutine\nprogram p\n"
                                             " call mpi_init(ierr)\n call mpi_finalize(ierr)\n"
                                             " if (ierr == 7) call never()\nend program\n")
        program = self.build(self.folder / "all.f90")
        done = finish([REHEARSE, "run", "-n", "1", program], self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)


def add_tests():
    for path in sorted((HERE / "programs").iterdir()):
        kind = "wrong" if path.stem.startswith("wrong_") else "right"
        setattr(FortranPrograms, f"test_{path.stem}_{path.suffix[1:]}",
                lambda self, kind=kind, name=path.name: getattr(self, kind)(name))


add_tests()

if __name__ == "__main__":
    closing_line.main()
