#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mixed buffering: deadlocks that need some sends buffered and others not."""
import json
import unittest

from checking import WithPrograms

import closing_line

# Rank 0 takes the message of rank 1 first only if rank 1's send to rank 3 is buffered. Then ranks 0 and 2 send to each
# other before they receive.
SOURCE = """
  const int main_rank = 0;
  MPI_Status status;
  if (rank == 0) {
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Send(&data, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
    if (status.MPI_SOURCE == 1) {
      MPI_Send(&data, 1, MPI_INT, 2, 2, MPI_COMM_WORLD);
      MPI_Recv(&data, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &status);
    } else {
      MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);
      MPI_Send(&data, 1, MPI_INT, 2, 2, MPI_COMM_WORLD);
    }
  } else if (rank == 1) {
    MPI_Send(&data, 1, MPI_INT, 3, 9, MPI_COMM_WORLD);
    MPI_Send(&data, 1, MPI_INT, main_rank, 0, MPI_COMM_WORLD);
  } else if (rank == 2) {
    %s
  } else {
    MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
    MPI_Recv(&data, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &status);
  }
"""
BLOCKING = """
    MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Recv(&data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
"""
NONBLOCKING = """
    MPI_Request requests[2];
    int sent = 5;
    MPI_Isend(&sent, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Irecv(&data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
"""
RIGHT = """
    MPI_Request request;
    MPI_Irecv(&data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
"""


class MixedBuffering(WithPrograms):
    def assert_found(self, source):
        program = self.compile(SOURCE % source)
        self.assertEqual(self.check(program, 4)["verdict"], "verified")
        report = self.check(program, 4, "--buffering", "mixed", "--counterexample", "mixed.json", status=1)
        finding = report["findings"][0]
        self.assertEqual(finding["id"], "deadlock.cycle")
        self.assertEqual(finding["policy"][0], "mixed")
        self.assertEqual({name.split("+")[0] for name in finding["policy"]}, {"mixed"})
        self.assertEqual(finding["ranks"], [0, 2])
        return program

    def test_a_deadlock_that_needs_one_send_buffered_and_others_not(self):
        for source in (BLOCKING, NONBLOCKING):
            self.assert_found(source)
            schedule = json.loads((self.folder / "mixed.json").read_text())["finding"]["schedule"]
            self.assertEqual([part for part in schedule.split(";") if ":w" in part], ["0:w2", "2:w0"])
            replay = self.rehearse("replay", "mixed.json", status=1).stderr
            self.assertIn("violation: reproduced deadlock.cycle", replay)
            explained = self.rehearse("explain", "mixed.json").stdout
            self.assertIn("some standard sends are buffered and others wait", " ".join(explained.split()))

    def test_the_verdict_names_the_policy(self):
        done = self.rehearse("check", "-n", 4, "--buffering", "mixed", self.compile(SOURCE % BLOCKING), status=1)
        self.assertIn("(policy mixed)", done.stderr)

    def test_a_right_program_is_verified_for_all_choices(self):
        program = self.compile(SOURCE % RIGHT)
        for options in ((), ("--jobs", "1"), ("--search", "bounded:9")):
            report = self.check(program, 4, "--buffering", "mixed", *options)
            self.assertEqual(report["verdict"], "verified")
        done = self.rehearse("check", "-n", 4, "--buffering", "mixed", program)
        self.assertIn("(buffering infinite, zero and mixed)", done.stderr)

    def test_a_deadlock_without_any_buffering_keeps_its_name(self):
        source = "MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);" \
                 "MPI_Recv(&data, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        program = self.compile(source)
        report = self.check(program, 2, "--buffering", "mixed", "--counterexample", "zero.json", status=1)
        self.assertEqual(report["findings"][0]["policy"][0], "zero")
        self.assertIn("reproduced", self.rehearse("replay", "zero.json", status=1).stderr)

    def test_equations_prove_all_choices(self):
        source = """
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i)
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
"""
        program = self.compile(source)
        for reduction in ("flow", "footprints"):
            report = self.check(program, 4, "--buffering", "mixed", "--reduction", reduction)
            self.assertIn(reduction, report)
        report = self.check(program, 4, "--buffering", "mixed", "--reduction", "merged")
        self.assertEqual((report["not_merged"], report["verdict"]), ("mixed buffering", "verified"))

    def test_searches_that_do_not_know_it_refuse_it(self):
        program = self.compile("data = size;")
        for options in (("--reduction", "none"), ("--reduction", "odpor"), ("--search", "predict")):
            done = self.rehearse("check", "-n", 2, "--buffering", "mixed", *options, program, status=2)
            self.assert_one_error(done, "--buffering mixed")


if __name__ == "__main__":
    closing_line.main()
