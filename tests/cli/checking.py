# SPDX-License-Identifier: MIT
"""What the tests of run, check and replay share: compiling a program and reading its reports."""
import json

from installation import BUILD, ROOT, InFolder

REHEARSE = BUILD / "bin" / "rehearse"
EXAMPLES = ROOT / "examples"

BEGIN = """#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) {
  int rank, size, data = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  (void)data;
"""
END = """
  MPI_Finalize();
  return 0;
}
"""


class WithPrograms(InFolder):
    def compile(self, source, name="program", *options):
        """The path of the compiled program; `source` is a file, or the statements between init and finalize. `options`
        are those of the compiler."""
        if not hasattr(source, "suffix"):
            source = self.write(name + ".c", BEGIN + source + END)
        self.run_program(REHEARSE, "cc", *options, source, "-o", name, "-lm")
        return self.folder / name

    def rehearse(self, *words, status=0):
        return self.run_program(REHEARSE, *words, status=status)

    def check(self, program, ranks, *options, status=0):
        """The report of a check that must end with this status."""
        done = self.rehearse("check", "-n", ranks, *options, "--json", "-", program, status=status)
        return json.loads(done.stdout)

    def assert_one_error(self, done, *words):
        """One line for people that contains these words."""
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Arehearse: error: [^\n]+\n\Z")
        for word in words:
            self.assertIn(str(word), done.stderr)
