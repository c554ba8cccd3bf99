#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gdb on `rehearse run`: breakpoints in the program, and backtraces and variables with their names."""
import shutil
import subprocess
import unittest

from checking import REHEARSE, WithPrograms

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


if __name__ == "__main__":
    closing_line.main()
