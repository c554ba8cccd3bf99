#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Flow equations of MPI programs: what they prove, what they must not prove, and what else happens then."""
import unittest

from checking import EXAMPLES, WithPrograms

import closing_line

INFINITE = ("--buffering", "infinite")
SUM = """
  const int bad = %d;
  int total = 0;
  if (rank == 0) {
    for (int i = 1; i < size; ++i) {
      MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      total += data;
      assert(total != bad);
    }
  } else {
    data = 1 << (rank - 1);
    MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
RING = """
  MPI_Request request;
  MPI_Irecv(&data, 1, MPI_INT, (rank + size - 1) %% size, 0, MPI_COMM_WORLD, &request);
  MPI_%s(&rank, 1, MPI_INT, (rank + 1) %% size, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  assert(data == (rank + size - 1) %% size);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  assert(sum == size * (size - 1) / 2);
"""


class Flow(WithPrograms):
    def flow(self, source, ranks, *options, status=0):
        return self.check(self.compile(source), ranks, "--reduction", "flow", *options, status=status)

    def assert_proved(self, report):
        self.assertEqual((report["verdict"], report["executions"]), ("verified", None))
        for count in ("local_steps", "steps", "equations", "questions"):
            self.assertGreater(report["flow"][count], 0)

    def test_heat_is_proved_although_it_has_a_class_for_each_order_of_turns(self):
        program = self.compile(EXAMPLES / "classics" / "heat.c", "heat")
        for ranks in (4, 8, 16):
            self.assert_proved(self.check(program, ranks, "--reduction", "flow", *INFINITE))
        report = self.check(program, 32, "--reduction", "flow", *INFINITE)
        self.assert_proved(report)
        self.assertEqual(report["flow"]["steps"], 4 * 31 ** 2 - 30)
        report = self.check(program, 4, "--reduction", "flow", status=1)  # sends may wait
        self.assertEqual(report["findings"][0]["id"], "deadlock.cycle")
        self.assertIn("a wait that never ends", report["no_flow_proof"])

    def test_a_long_exploration_is_decided_by_flow_equations_without_being_asked(self):
        program = self.compile(EXAMPLES / "classics" / "heat.c", "heat")
        report = self.check(program, 16, *INFINITE)
        self.assert_proved(report)
        self.assertEqual(report["flow"]["steps"], 886)
        self.assertNotIn("merged", report)

    def test_every_wrong_partial_sum_stays_a_violation(self):
        for bad in (1, 4, 5, 6, 7, 11, 15):
            report = self.flow(SUM % bad, 5, status=1)
            self.assertEqual(report["findings"][0]["id"], "assertion.failed")
        self.assert_proved(self.flow(SUM % 16, 5))

    def test_nonblocking_receives_and_collectives_are_proved_under_all_policies(self):
        for send in ("Send", "Ssend"):
            self.assert_proved(self.flow(RING % send, 4))

    def test_the_text_says_by_which_means(self):
        done = self.rehearse("check", "-n", "4", "--reduction", "flow", self.compile(RING % "Send"))
        self.assertRegex(done.stderr, r"verified: nothing goes wrong in any execution: flow equations over \d+ steps")

    def test_what_is_not_supported_is_named(self):
        source = """
  int flag = 0;
  if (rank == 0) {
    MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
        report = self.flow(source, 2)
        self.assertEqual((report["verdict"], report["no_flow_proof"], report["executions"]), ("verified", "probes", 2))
        done = self.rehearse("check", "-n", "2", "--reduction", "flow", self.compile(source))
        self.assertIn("--reduction flow has no proof (probes), so matching explored", done.stderr)

    def test_an_error_that_a_rank_may_report_is_no_proof(self):
        source = """
  if (rank == 0) MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  float wrong = 0;
  if (rank == 1) MPI_Send(&wrong, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD);
"""
        report = self.flow(source, 2, status=1)
        self.assertIn("cannot exclude", report["no_flow_proof"])

    def test_the_rest_of_a_buffer_behind_a_shorter_message_counts(self):
        """Rank 0 sees which long message came before the short one."""
        source = """
  int pair[2] = {0, 0};
  if (rank == 0) {
    for (int i = 1; i < size; ++i) MPI_Recv(pair, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(pair[0] != 3 || pair[1] != %d);
  } else {
    pair[0] = rank;
    pair[1] = rank;
    MPI_Send(pair, rank == 3 ? 1 : 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
        self.assertEqual(self.flow(source % 1, 4, status=1)["findings"][0]["id"], "assertion.failed")
        self.assert_proved(self.flow(source % 4, 4))

    def test_options_that_need_executions_are_refused_by_name(self):
        program = self.compile(SUM % 0)
        for option in ("--save", "--resume"):
            done = self.rehearse("check", "-n", "3", "--reduction", "flow", option, "file", program, status=2)
            self.assert_one_error(done, option, "--reduction matching")


if __name__ == "__main__":
    closing_line.main()
