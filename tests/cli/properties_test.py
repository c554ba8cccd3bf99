#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rehearse.h: harmless without Rehearse, and the same from Fortran; notes come last and in a bounded number."""
import shutil
import unittest

from checking import REHEARSE, ROOT, WithPrograms

import closing_line

ALL_OF_IT = """#include <rehearse.h>
int main(void) {
  int number = 1;
  rehearse_begin("region");
  rehearse_assert(number == 1);
  rehearse_assume(number == 1);
  rehearse_publish("number", number);
  rehearse_never("number@0 > 1");
  rehearse_always("number@0 < 2");
  rehearse_result("number", &number, sizeof number);
  number = rehearse_choose(3);
  rehearse_end();
  return number;
}
"""
FORTRAN = """
subroutine tell(rank)
  integer :: rank
  call rehearse_publish("rank", rank)
  call rehearse_publish("shade  ", 2 * rank)
  call rehearse_never("rank@0 + shade@1 == 2")
end subroutine
subroutine results(number)
  integer :: number
  call rehearse_result("number", number, 4)
end subroutine
"""
C_PART = """
#include <mpi.h>
void tell_(int* rank);
void results_(int* number);
int main(int argc, char** argv) {
  int rank, first, second;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CALL
  if (rank == 0) {
    MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    results_(&first);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
"""
RECEIVE = "MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"


class Properties(WithPrograms):
    def test_the_header_is_harmless_without_rehearse(self):
        for compiler, name in (("cc", "plain.c"), ("c++", "plain.cpp")):
            source = self.write(name, ALL_OF_IT)
            self.run_program(compiler, "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/smpi/user", source, "-o", "plain")
            done = self.run_program(self.folder / "plain")
            self.assertEqual((done.stdout, done.stderr), ("", ""))

    @unittest.skipUnless(shutil.which("gfortran"), "there is no gfortran")
    def test_fortran_says_the_same(self):
        self.write("tell.f90", FORTRAN)
        self.run_program("gfortran", "-c", "tell.f90")
        for call, told in (("tell_(&rank);", ["property.never"]), ("", [])):
            source = self.write("main.c", C_PART.replace("CALL", call))
            self.run_program(REHEARSE, "cc", source, "tell.o", "-o", "program")
            report = self.check(self.folder / "program", 3, "--without", "race", status=1 if told else 0)
            self.assertEqual([finding["id"] for finding in report["findings"]], told)
            report = self.check(self.folder / "program", 3, "--only", "outcome", "--deterministic", "results", status=1)
            self.assertEqual([finding["id"] for finding in report["findings"]], ["outcome.results"])

    def test_a_predicate_that_cannot_be_read_is_told_with_its_place(self):
        source = self.write("program.c", ALL_OF_IT.replace("number@0 > 1", "number@0 >").replace(
            "<rehearse.h>", "<mpi.h>\n#include <rehearse.h>").replace(
                "int number = 1;", "int number = 1; MPI_Init(0, 0);"))
        self.run_program(REHEARSE, "cc", source, "-o", "program")
        done = self.rehearse("check", "-n", 1, "program", status=1)
        self.assertIn('rehearse_never("number@0 >"): character 11: the end, expected a number', done.stderr)
        self.assertIn("program.c:9", done.stderr)

    def test_predicates_are_not_judged_where_reductions_do_not_suit(self):
        program = self.compile("", "empty")
        source = self.write("program.c", C_PART.replace("CALL", 'rehearse_publish("x", 0); rehearse_never("x@0");')
                            .replace("#include <mpi.h>", "#include <mpi.h>\n#include <rehearse.h>")
                            .replace("results_(&first);", ""))
        self.run_program(REHEARSE, "cc", source, "-o", "program")
        for reduction in ("odpor", "none"):
            report = self.check(self.folder / "program", 3, "--reduction", reduction, status=3)
            self.assertIn("predicates over published values", report["reasons"][0])
            self.check(program, 2, "--reduction", reduction)
        self.check(self.folder / "program", 3)

    def test_notes_come_last_and_not_too_many_are_shown(self):
        receives = "".join(RECEIVE.replace("TAG", str(tag)) * 2 for tag in range(4))
        sends = "".join(f"MPI_Send(&rank, 1, MPI_INT, 0, {tag}, MPI_COMM_WORLD);\n" for tag in range(4))
        program = self.compile(f"  if (rank == 0) {{ {receives} }} else {{ {sends} }}\n"
                               "  MPI_Comm copy; MPI_Comm_dup(MPI_COMM_SELF, &copy);")
        report = self.check(program, 3)
        ids = [finding["id"] for finding in report["findings"]]
        self.assertEqual((ids.count("race.wildcard"), ids.count("resource.communicator"), report["verdict"]),
                         (4, 1, "verified"))
        receives += receives
        sends += sends
        program = self.compile(f"  if (rank == 0) {{ {receives} }} else {{ {sends} }}\n"
                               "  MPI_Comm copy; MPI_Comm_dup(MPI_COMM_SELF, &copy);")
        lines = self.rehearse("check", "-n", 3, program).stderr.splitlines()
        self.assertEqual([line.split(":")[0] for line in lines],
                         ["verified", "warning"] + 5 * ["note"] + ["note"])
        self.assertEqual(lines[-1], "note: 7 more notes in the report (--json)")
        self.assertEqual(self.check(program, 3, "--without", "race")["findings"][0]["severity"], "warning")


if __name__ == "__main__":
    closing_line.main()
