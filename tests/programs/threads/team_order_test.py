#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Teams of OpenMP whose order an exploration follows: verified where every order of the threads has the same results,
inconclusive with a reason where that is not known, and errors that only some orders have."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("REHEARSE_BUILD", HERE.parents[2] / "build"))
REHEARSE = BUILD / "bin" / "rehearse"
PROGRAM = """
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int shared, other, cells[4];
int main(int argc, char **argv) {
  int rank, level, value = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  %s
  MPI_Finalize();
  return level < 0;
}
"""
TEAM = "#pragma omp parallel num_threads(2)\n"


class TeamOrder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def check(self, body, *options, ranks=2, flags=("--check-memory",)):
        source, program, report = (self.folder / name for name in ("team.c", "team", "report.json"))
        source.write_text(PROGRAM % body)
        made = subprocess.run([REHEARSE, "cc", "-g", "-fopenmp", *flags, source, "-o", program], capture_output=True,
                              text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        subprocess.run([REHEARSE, "check", "-n", str(ranks), "--json", report, *options, program], cwd=self.folder,
                       capture_output=True, text=True, check=False, timeout=120)
        return json.loads(report.read_text())

    def is_verified(self, body, executions=None, **how):
        report = self.check(body, **how)
        self.assertEqual((report["verdict"], report.get("reasons", [])), ("verified", []), report)
        if executions is not None:
            self.assertEqual(report["executions"], executions)

    def is_open(self, body, reason, *options, **how):
        report = self.check(body, *options, **how)
        self.assertEqual(report["verdict"], "inconclusive", report)
        self.assertIn(reason, " ".join(report["reasons"]))

    def test_loops_with_barriers(self):
        self.is_verified(TEAM + "{\n#pragma omp for\nfor (int i = 0; i < 4; ++i) cells[i] = i;\n"
                                "#pragma omp for\nfor (int i = 0; i < 4; ++i) if (cells[3 - i] != 3 - i) abort();\n}",
                         executions=1)

    def test_a_race_of_two_threads(self):
        self.is_open(TEAM + "{\n#pragma omp for nowait\nfor (int i = 0; i < 4; ++i) cells[i] = i;\n"
                            "#pragma omp for\nfor (int i = 0; i < 4; ++i) if (cells[3 - i] > 3) abort();\n}",
                     "a race of two threads of a team")

    def test_a_race_behind_a_barrier(self):
        for earlier in range(3):
            self.is_open(TEAM + "{\n" + "#pragma omp barrier\n" * earlier +
                         "if (omp_get_thread_num() == 0) shared = 1;\nelse other = shared;\n}",
                         "a race of two threads of a team")

    def test_a_race_of_an_ordered_region_and_a_later_loop(self):
        loop = ("#pragma omp for ordered schedule(static, 1) nowait\nfor (int i = 0; i < 2; ++i) {\n"
                "#pragma omp ordered\n")
        self.is_open(TEAM + "{\n" + loop + "{ if (i == 0) shared = 1; }\n}\n" + loop +
                     "{ if (i == 0) other = 1; if (omp_get_thread_num() == 1) cells[0] = 1; }\n}\n"
                     "if (omp_get_thread_num() == 0) cells[0] = 2;\n}", "a race of two threads of a team")

    def test_the_thread_of_a_single_construct_is_chosen(self):
        self.is_verified(TEAM + "{\n#pragma omp single\nshared = 1;\nif (shared != 1) abort();\n}", executions=3,
                         ranks=1)

    def test_an_error_of_one_choice_of_threads(self):
        body = TEAM + "{\nint mine = 0;\n#pragma omp single\nmine = omp_get_thread_num();\nif (mine == 1) abort();\n}"
        report = self.check(body, ranks=1)
        self.assertEqual((report["verdict"], [f["id"] for f in report["findings"]]), ("violation", ["crash.abort"]))

    def test_ordered_regions(self):
        self.is_verified(TEAM + "{\n#pragma omp for ordered\nfor (int i = 0; i < 4; ++i) {\n#pragma omp ordered\n"
                                "{ if (shared != i) abort(); ++shared; }\n}\n}")

    def test_code_behind_an_ordered_region_is_not_ordered(self):
        self.is_open(TEAM + "{\n#pragma omp for ordered schedule(static, 1)\nfor (int i = 0; i < 4; ++i) {\n"
                            "#pragma omp ordered\n{ ++shared; }\n++other; }\n}", "a race of two threads of a team")

    def test_constructs_that_decide_an_order(self):
        self.is_open(TEAM + "{\n#pragma omp critical\n++shared;\n}", "critical sections and locks")
        self.is_open(TEAM + "{\n#pragma omp atomic\n++shared;\n}", "atomic operations")
        self.is_open(TEAM + "{\n#pragma omp single\n{\n#pragma omp task\nshared = 1;\n}\n}", "tasks")
        self.is_open(TEAM + "{\n#pragma omp for schedule(dynamic)\nfor (int i = 0; i < 64; ++i) shared |= 0;\n}",
                     "which thread of a team gets a part")

    def test_functions_with_a_state_of_their_own(self):
        self.is_open(TEAM + "{\n#pragma omp single\nshared = rand();\n}", "run in one fixed order")

    def test_programs_whose_accesses_are_not_known(self):
        self.is_open(TEAM + "{\n#pragma omp single\nshared = 1;\n}", "run in one fixed order", flags=())

    def test_calls_of_several_threads(self):
        self.is_open(TEAM + "{\n#pragma omp for schedule(static, 1)\nfor (int i = 0; i < 2; ++i) {\n"
                            "if (rank == 0) MPI_Send(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD);\n"
                            "else MPI_Recv(&cells[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}\n}",
                     "the order of the MPI calls of several threads")

    def test_a_rank_whose_other_thread_would_end_the_wait(self):
        # In the order that is explored, rank 1 waits for a message that its other thread makes rank 0 send.
        body = TEAM + """{
#pragma omp for schedule(static, 1)
          for (int i = 0; i < 2; ++i) {
            if (rank == 1 && i == 0) MPI_Recv(&cells[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1 && i == 1) { usleep(1000); MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); }
            if (rank == 0 && i == 0) {
              MPI_Recv(&cells[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
              MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            }
          }
        }"""
        report = self.check(body)
        self.assertEqual((report["verdict"], report["findings"]), ("inconclusive", []), report)

    def test_a_buffer_that_another_thread_stores_into(self):
        body = TEAM + """{
#pragma omp for schedule(static, 1)
          for (int i = 0; i < 2; ++i) {
            if (rank == 0 && i == 0) MPI_Send(&shared, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            if (rank == 0 && i == 1) shared = 5;
          }
        }
        if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""
        report = self.check(body)
        self.assertEqual((report["verdict"], [f["id"] for f in report["findings"]]), ("violation", ["buffer.written"]))


if __name__ == "__main__":
    unittest.main()
