#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Predictions from one execution: what they find, what they leave open, and what they refuse."""
import json
import unittest

from checking import REHEARSE, WithPrograms

import closing_line

PREDICT = ("--search", "predict")
# The message of the last rank must come last, and does so if messages are taken in the order of ranks.
LATE = """
  if (rank == 0) {
    for (int i = 1; i < size; ++i)
      MPI_Recv(&data, 1, MPI_INT, i < size - 1 ? MPI_ANY_SOURCE : size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
# No order of these messages is wrong, although the last receive names its source.
SECOND = """
  if (rank == 0) {
    for (int i = 1; i < size; ++i)
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&data, 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == size - 1) MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
"""
# The long message fits only into the last buffer.
LONG = """
  int many[4] = {0};
  if (rank == 0) {
    for (int i = 1; i < size; ++i)
      MPI_Recv(many, i == size - 1 ? 4 : 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(many, rank == size - 1 ? 4 : 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
# The calls of rank 0 depend on the message that it gets first.
BRANCH = """
  if (rank == 0) {
    MPI_Status status;
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Recv(&data, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
    if (status.MPI_SOURCE == 1) MPI_Recv(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &status);
  } else if (rank < 3) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
LATE_TRACE = "".join(f"{r} send 0 0 8\n" for r in range(1, 65)) + "0 recv -333 0 8\n" * 63 + "0 recv 64 0 8\n"


class Predictions(WithPrograms):
    def predict(self, source, ranks, *options, status):
        return self.check(self.compile(source), ranks, *PREDICT, *options, status=status)

    def test_a_deadlock_that_the_first_execution_does_not_show_is_found_and_replayed(self):
        program = self.compile(LATE)
        self.assertEqual(self.check(program, 5, "--search", "bounded:0", status=3)["findings"], [])
        for ranks in (5, 65, 257):
            report = self.check(program, ranks, *PREDICT, status=1)
            self.assertEqual([f["id"] for f in report["findings"] if f["severity"] == "error"], ["deadlock.orphan"])
            self.assertEqual(report["prediction"]["confirmed"], 1)
            self.assertEqual(report["prediction"]["refuted"], 0)
            self.assertLessEqual(report["executions"], 2)
            done = self.rehearse("replay", "rehearse-counterexample.json", status=1)
            self.assertIn("violation: reproduced deadlock.orphan", done.stderr)
        self.assertIn("deadlock.orphan", self.rehearse("explain", "rehearse-counterexample.json").stdout)

    def test_without_an_error_the_verdict_is_inconclusive_and_says_what_is_covered(self):
        report = self.predict(SECOND, 9, status=3)
        self.assertEqual((report["verdict"], report["findings"], report["executions"]), ("inconclusive", [], 1))
        self.assertIn("each rank makes the calls of the recorded one", report["reasons"][0])
        self.assertEqual(report["prediction"]["open"], [])
        self.assertGreater(report["prediction"]["questions"], 0)

    def test_a_program_with_one_execution_is_verified(self):
        ring = """
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &data, 1, MPI_INT, (rank + size - 1) % size, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
"""
        report = self.predict(ring, 4, status=0)
        self.assertEqual((report["executions"], report["prediction"]["questions"]), (1, 0))

    def test_a_message_that_does_not_fit_is_found(self):
        report = self.predict(LONG, 6, status=1)
        self.assertIn("message.truncated", [f["id"] for f in report["findings"]])

    def test_errors_of_other_calls_are_not_claimed_to_be_absent(self):
        program = self.compile(BRANCH)
        self.assertEqual(self.check(program, 3, status=1)["verdict"], "violation")
        report = self.check(program, 3, *PREDICT, "--buffering", "infinite", status=None)
        self.assertNotEqual(report["verdict"], "verified")

    def test_what_is_not_supported_is_named(self):
        probe = """
  if (rank == 0) {
    for (int i = 1; i < size; ++i) {
      MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
        report = self.predict(probe, 3, status=3)
        self.assertEqual(report["prediction"]["open"], ["rank 0 probes for messages"])
        self.assertIn("rank 0 probes for messages", report["reasons"][0])

    def test_a_trace_is_decided(self):
        self.write("late.ti", LATE_TRACE)
        done = self.rehearse("trace", "check", "--predict", "late.ti", status=1)
        self.assertIn("violation: deadlock.orphan: rank 0 waits in recv 64 0 8", done.stderr)
        self.write("good.ti", LATE_TRACE.replace("recv 64 0 8", "recv -333 0 8"))
        done = self.rehearse("trace", "check", "--predict", "--json", "-", "good.ti")
        report = json.loads(done.stdout)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))
        self.assertIn("verified: nothing goes wrong in any execution: predicted from one execution of 65 ranks",
                      done.stderr)
        self.assertIn("each rank makes the calls of the trace", done.stderr)
        self.assertIn("nothing else can go wrong than a deadlock, a lost message", done.stderr)

    def test_a_trace_with_polls_is_not_called_verified(self):
        self.write("polls.ti", "1 send 0 0 8\n2 send 0 0 8\n0 irecv -333 0 8\n0 test\n0 recv -333 0 8\n0 waitall\n")
        done = self.rehearse("trace", "check", "--predict", "polls.ti", status=None)
        self.assertNotIn("verified", done.stderr)

    def test_options_that_do_not_go_together_are_refused(self):
        program = self.compile(LATE)
        for options, words in (
            (("--search", "predict:3"), ("'predict:3'", "expected depth-first, predict, random:N")),
            ((*PREDICT, "--seed", "3"), ("--seed needs a random search",)),
            ((*PREDICT, "--reduction", "odpor"), ("--search predict does not work with --reduction odpor",)),
            ((*PREDICT, "--jobs", "2"), ("--jobs 2 needs --search depth-first",)),
            ((*PREDICT, "--save", "x"), ("--save needs --search depth-first",)),
            ((*PREDICT, "--on", "cluster:4"), ("--search predict does not work with --on and --time-bound",)),
            ((*PREDICT, "--needless-barriers"), ("--needless-barriers needs --search depth-first",)),
            ((*PREDICT, "--count-merges"), ("--count-merges needs --search depth-first",)),
        ):
            with self.subTest(options=options):
                self.assert_one_error(self.rehearse("check", "-n", "4", *options, program, status=2), *words)
        self.write("late.ti", LATE_TRACE)
        for options, words in (
            (("--predict", "--all-orders"), ("--predict", "--all-orders")),
            (("--predict", "--max-executions", "3"), ("--max-executions needs --all-orders",)),
        ):
            with self.subTest(options=options):
                self.assert_one_error(self.rehearse("trace", "check", *options, "late.ti", status=2), *words)

    def test_without_the_library_one_line_names_its_package(self):
        """A file that is no library stands before the real one."""
        program = self.compile(LATE)
        self.write("libz3.so.4", "no library\n")
        self.write("late.ti", LATE_TRACE)
        for words, option in ((("check", "-n", "4", *PREDICT, program), "--search predict"),
                              (("trace", "check", "--predict", "late.ti"), "--predict")):
            with self.subTest(option=option):
                done = self.run_program(REHEARSE, *words, status=2, LD_LIBRARY_PATH=str(self.folder))
                self.assert_one_error(done, option, "Z3", "libz3-4")


if __name__ == "__main__":
    closing_line.main()
