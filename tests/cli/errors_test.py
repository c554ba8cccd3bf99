#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Errors that calls return, levels of threads that are not there, warnings as errors, and what goes on as usual where
it is not looked at: verdicts and exit statuses.
"""
import json
import unittest

from checking import REHEARSE, WithPrograms

import closing_line

THREADS = """#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int level, rank, number = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  %s
  MPI_Finalize();
  return 0;
}
"""
IGNORED = """
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Send(&data, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
"""
LEAK = "MPI_Comm other; MPI_Comm_dup(MPI_COMM_WORLD, &other);"
UNCOMMITTED = """
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  int numbers[2] = {rank, 7};
  MPI_Bcast(numbers, 1, pair, 0, MPI_COMM_WORLD);
  assert(numbers[0] == 0 && numbers[1] == 7);
  MPI_Type_free(&pair);
"""
TRUNCATED = """
  int numbers[2] = {5, 6};
  if (rank == 0) MPI_Send(numbers, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(rank == 0 || data == 5);
"""
CANCELLED = """
  MPI_Request request;
  MPI_Status status;
  int flag = 0;
  if (rank == 0) {
    MPI_Isend(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    %s
  }
  %s
"""
RECEIVE = "if (rank == 1) MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"


class Errors(WithPrograms):
    def ids(self, report, severity):
        return {finding["id"] for finding in report["findings"] if finding["severity"] == severity}

    def test_an_ignored_error_is_what_the_option_says(self):
        program = self.compile(IGNORED)
        self.assertEqual(self.ids(self.check(program, 2), "warning"), {"error.ignored"})
        report = self.check(program, 2, "--errors-return", "error", status=1)
        self.assertEqual((report["verdict"], self.ids(report, "error")), ("violation", {"error.ignored"}))
        report = self.check(program, 2, "--errors-return", "ignore")
        self.assertEqual((report["verdict"], report["findings"]), ("verified", []))
        self.assertIn("errors that calls return do not count", report["assumptions"])

    def test_a_timed_run_tells_of_ignored_errors_too(self):
        program = self.compile(IGNORED)
        done = self.rehearse("run", "-n", 2, "--verbose", program)
        self.assertIn("warning: error.ignored", done.stderr)
        self.rehearse("run", "-n", 2, "--errors-return", "error", program, status=1)

    def test_a_program_that_gives_up_without_its_level_of_threads_is_inconclusive(self):
        for name, text in (("abort", "if (level < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);"),
                           ("status", "if (level < MPI_THREAD_MULTIPLE) exit(77);"),
                           ("finalize", "if (level < MPI_THREAD_MULTIPLE) { MPI_Finalize(); return 1; }"),
                           ("asserts", "assert(level == MPI_THREAD_MULTIPLE);")):
            with self.subTest(name):
                self.write(name + ".c", THREADS % text)
                self.run_program(REHEARSE, "cc", "-w", name + ".c", "-o", name)
                report = self.check(self.folder / name, 2, status=3)
                self.assertEqual((report["verdict"], report["findings"]), ("inconclusive", []))
                self.assertIn("MPI_THREAD_MULTIPLE (the program ends without it", report["reasons"][0])
                self.rehearse("run", "-n", 2, self.folder / name)  # provides the level

    def test_a_program_that_goes_on_without_its_level_is_judged(self):
        self.write("later.c", THREADS % "MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);\n"
                                        "  if (number) MPI_Abort(MPI_COMM_WORLD, 1);")
        self.run_program(REHEARSE, "cc", "-w", "later.c", "-o", "later")
        report = self.check(self.folder / "later", 2, status=1)
        self.assertEqual(self.ids(report, "error"), {"crash.mpi_abort"})

    def test_warnings_are_errors_where_that_is_wanted(self):
        program = self.compile(LEAK)
        self.assertEqual(self.check(program, 2)["verdict"], "verified")
        report = self.check(program, 2, "--warnings-as-errors", status=1)
        self.assertEqual((report["verdict"], self.ids(report, "error")), ("violation", {"resource.communicator"}))
        self.rehearse("replay", "rehearse-counterexample.json", "--quiet", status=1)
        self.rehearse("run", "-n", 2, program)
        done = self.rehearse("run", "-n", 2, "--warnings-as-errors", program, status=1)
        self.assertIn("violation: resource.communicator", done.stderr)

    def test_errors_come_before_warnings_that_are_errors(self):
        program = self.compile(LEAK + "if (rank == 0) { MPI_Finalize(); return 3; }")
        report = self.check(program, 2, "--warnings-as-errors", "--all", status=1)
        self.assertEqual(report["findings"][0]["id"], "crash.exit_status")

    def test_what_has_a_usual_meaning_goes_on_where_it_is_not_told(self):
        for text, id_ in ((UNCOMMITTED, "argument.datatype"), (TRUNCATED, "message.truncated")):
            with self.subTest(id_):
                program = self.compile(text, id_.replace(".", "_"))
                self.assertEqual(self.ids(self.check(program, 2, status=1), "error"), {id_})
                self.rehearse("replay", "rehearse-counterexample.json", "--quiet", status=1)
                self.assertEqual(self.check(program, 2, "--without", id_)["verdict"], "verified")
                self.rehearse("run", "-n", 2, "--without", id_, program)

    def test_a_sum_of_characters_is_one_of_small_numbers(self):
        program = self.compile("""
          signed char all[2] = {0, 0}, mine[2] = {-3, 100};
          for (int i = 0; i < 3; ++i) MPI_Allreduce(mine, all, 2, MPI_CHAR, i ? MPI_MIN : MPI_SUM, MPI_COMM_WORLD);
          assert(all[0] == -3 && all[1] == 100);
        """)
        report = self.check(program, 2)
        self.assertEqual([finding["id"] for finding in report["findings"]], ["argument.operator.character"])
        self.assertEqual(self.check(program, 2, "--without", "argument.operator")["findings"], [])
        self.rehearse("run", "-n", 2, program)

    def test_a_cancelled_send_that_nobody_receives_is_fine(self):
        self.assertEqual(self.check(self.compile(CANCELLED % ("", "")), 2)["verdict"], "verified")

    def test_a_cancelled_send_is_cancelled_or_received(self):
        program = self.compile(CANCELLED % ("", RECEIVE))
        report = self.check(program, 2, status=1)  # who waits for it may wait for ever
        self.assertEqual(self.ids(report, "error"), {"deadlock.orphan"})
        self.assertEqual(self.ids(report, "note"), {"message.cancelled"})
        self.assertEqual(report["executions"], 2)
        self.rehearse("run", "-n", 2, program)
        sends = ("MPI_Test_cancelled(&status, &flag); MPI_Send(&flag, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);",
                 "if (rank == 1) MPI_Recv(&flag, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status); if (!flag) " + RECEIVE)
        report = self.check(self.compile(CANCELLED % sends, "sends"), 2)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 2))
        asserts = "MPI_Test_cancelled(&status, &flag); assert(flag);"  # nobody receives it
        self.assertEqual(self.check(self.compile(CANCELLED % (asserts, ""), "asserts"), 2)["verdict"], "verified")

    def test_what_is_in_doubt_of_cancelled_sends_is_inconclusive(self):
        probe = "if (rank == 1) MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, &status); if (flag) " + RECEIVE
        report = self.check(self.compile(CANCELLED % ("", probe)), 2, status=3)
        self.assertIn("a probe may have seen", report["reasons"][0])

    def test_the_same_status_of_all_ranks_is_one_finding_of_a_run(self):
        program = self.compile("MPI_Finalize(); return 4;")
        done = self.rehearse("run", "-n", 3, "--json", "report.json", program, status=1)
        findings = json.loads((self.folder / "report.json").read_text())["findings"]
        self.assertEqual([(each["id"], each["ranks"]) for each in findings], [("crash.exit_status", [0, 1, 2])])
        self.assertEqual(done.stderr.count("exit status 4"), 1)
        self.assertIn("did not crash", done.stderr)


if __name__ == "__main__":
    closing_line.main()
