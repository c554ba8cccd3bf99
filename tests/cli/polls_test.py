#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Loops of polls: where a rank is the same again after "no", no assumption about their number is needed."""
import unittest

from checking import WithPrograms

import closing_line

LOOP = """
  int flag = 0, tries = 0;
  double begin = MPI_Wtime();
  (void)begin; (void)tries;
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (!flag) {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
      %s
    }
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""

IN_TURN = """
  int flag = 0;
  for (int got = 0; rank == 0 && got < 2;)
    for (int source = 1; source <= 2; ++source) {
      MPI_Iprobe(source, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
      if (!flag) continue;
      MPI_Recv(&data, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      ++got;
    }
  if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
"""


class Polls(WithPrograms):
    def assumptions(self, source, ranks, *options):
        report = self.check(self.compile(source), ranks, *options)
        self.assertEqual(report["verdict"], "verified")
        return report.get("assumptions", [])

    def test_a_loop_that_is_where_it_was_needs_no_assumption(self):
        self.assertEqual(self.assumptions(LOOP % "", 2), [])

    def test_one_that_counts_may_do_something_else_later(self):
        assumptions = self.assumptions(LOOP % "if (++tries == 10) abort();", 2)
        self.assertEqual(len(assumptions), 1)
        self.assertIn('gets the answer "no" at most 1 time in a row (--polls)', assumptions[0])

    def test_with_enough_polls_what_it_does_later_is_found(self):
        report = self.check(self.compile(LOOP % "if (++tries == 3) abort();"), 2, "--polls", 3, status=1)
        self.assertEqual(report["findings"][0]["id"], "crash.abort")

    def test_one_that_looks_at_the_clock_is_not_where_it_was(self):
        self.assertEqual(len(self.assumptions(LOOP % "if (MPI_Wtime() - begin > 1e9) break;", 2)), 1)

    def test_a_round_over_several_polls_is_recognised_when_it_has_been_made_once(self):
        self.assertEqual(len(self.assumptions(IN_TURN, 3, "--polls", 1)), 1)
        self.assertEqual(self.assumptions(IN_TURN, 3, "--polls", 2), [])

    def test_a_loop_of_two_ranks_that_wait_for_each_other_is_no_progress(self):
        report = self.check(self.compile("""
  int flag = 0;
  while (!flag) MPI_Iprobe(1 - rank, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
"""), 2, status=1)
        self.assertEqual(report["findings"][0]["id"], "progress.polling")


if __name__ == "__main__":
    closing_line.main()
