#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gdb on `rehearse run`: breakpoints in the program, and backtraces and variables with their names."""
import shutil
import subprocess
import unittest

from checking import BEGIN, END, REHEARSE, WithPrograms

import closing_line

SOURCE = """
#include <mpi.h>
static int square(int number) {
  int result = number * number;
  return result;
}
int main(int argc, char **argv) {
  int rank, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int mine = square(rank + 5);
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return sum == 61 ? 0 : 1;
}
"""


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Debugger(WithPrograms):
    def test_stops_in_each_rank_and_knows_the_names(self):
        source = self.write("squares.c", SOURCE)
        self.run_program(REHEARSE, "cc", "-g", "-O0", source, "-o", "squares")
        steps = ["set breakpoint pending on", "break square", "run", "backtrace", "print number", "continue",
                 "backtrace", "print number", "continue"]
        options = [word for step in steps for word in ("-ex", step)]
        done = subprocess.run(["gdb", "-nx", "-batch", *options, "--args", REHEARSE, "run", "-n", "2", "./squares"],
                              cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                              check=False)
        for rank in (0, 1):
            self.assertRegex(done.stdout, rf"#0  square \(number={rank + 5}\) at .*squares\.c:4\n"
                                          r"#1 .* in main \(.*\) at")
            self.assertIn(f"${rank + 1} = {rank + 5}\n", done.stdout)
        self.assertIn("exited normally", done.stdout)


DEADLOCK = """
  int neighbour = 1 - rank, secret = 100 + rank;
  MPI_Recv(&data, 1, MPI_INT, neighbour, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Send(&secret, 1, MPI_INT, neighbour, 0, MPI_COMM_WORLD);
"""

CRASH = """
  int *nowhere = rank == 1 ? NULL : &data;
  MPI_Barrier(MPI_COMM_WORLD);
  *nowhere = 5;
  MPI_Barrier(MPI_COMM_WORLD);
"""


class CounterExample(WithPrograms):
    def found(self, source):
        program = self.compile("-g", "-O0", source)
        self.check(program, 2, status=1)
        return "rehearse-counterexample.json"

    def compile(self, *words):
        *options, source = words
        path = self.write("program.c", BEGIN + source + END)
        self.run_program(REHEARSE, "cc", *options, path, "-o", "program")
        return self.folder / "program"

    def line_of(self, text):
        return (self.folder / "program.c").read_text().splitlines().index(
            next(line for line in (self.folder / "program.c").read_text().splitlines() if text in line)) + 1

    def under_gdb(self, *words, commands=()):
        done = subprocess.run([REHEARSE, "replay", "--gdb", *words], cwd=self.folder, input="\n".join(commands) + "\n",
                              capture_output=True, text=True, timeout=300, check=False)
        return done.stdout

    def test_rank_without_gdb_and_ranks_that_are_not_there_are_refused(self):
        file = self.found(DEADLOCK)
        self.assert_one_error(self.rehearse("replay", file, "--rank", 1, status=2), "--rank", "--gdb")
        self.assert_one_error(self.rehearse("replay", file, "--gdb", "--rank", 2, status=2), "'2'", "0 to 1")

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_stops_at_a_deadlock_and_goes_to_each_rank(self):
        file = self.found(DEADLOCK)
        text = self.under_gdb(file, "--on", "cluster:2",
                              commands=["rehearse rank 0", "print secret", "rehearse rank 1", "print secret",
                                        "rehearse rank 2", "continue"])
        line = self.line_of("MPI_Recv")
        for rank in (0, 1):
            self.assertRegex(text, rf"rank {rank}:\n  #\d+ .* in main \(.*\) at .*program\.c:{line}\n")
            self.assertIn(f"${rank + 1} = {100 + rank}\n", text)
        self.assertNotRegex(text, r"  #\d+ .* in rehearse::")  # only the program's own frames
        self.assertIn("exited with code 01", text)  # it goes on as if nobody had looked

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_shows_where_a_rank_crashed_and_where_the_other_waits(self):
        text = self.under_gdb(self.found(CRASH), "--rank", "1", commands=["print nowhere", "rehearse backtraces"])
        line = self.line_of("*nowhere = 5")
        self.assertRegex(text, rf"rank 1:\n(  .*\n)*  #\d+ .* in main \(.*\) at .*program\.c:{line}\n")
        self.assertIn("$1 = (int *) 0x0\n", text)
        self.assertRegex(text, r"rank 0:\n(  .*\n)*  #\d+ .* in main \(.*\) at .*program\.c:\d+\n")

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_under_valgrind_it_is_reproduced(self):
        file = self.found(DEADLOCK)
        done = subprocess.run(["valgrind", "-q", "--vex-iropt-register-updates=allregs-at-mem-access", REHEARSE,
                               "replay", file], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("reproduced deadlock.cycle", done.stderr)

    def test_under_rr_it_is_reproduced(self):
        trace = self.folder / "trace"
        works = shutil.which("rr") and subprocess.run(["rr", "record", "-o", trace, "true"], capture_output=True,
                                                      check=False).returncode == 0
        if not works:
            self.skipTest("rr is not installed, or cannot count here")
        file = self.found(DEADLOCK)
        done = subprocess.run(["rr", "record", "-o", self.folder / "trace2", REHEARSE, "replay", file],
                              cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)


if __name__ == "__main__":
    closing_line.main()
