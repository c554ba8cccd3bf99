#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What findings say: the operation behind a wait, the ranks of a communicator, the argument that differs, advice that
fits, one finding for one cause.
"""
import json
import unittest

from checking import EXAMPLES, REHEARSE, WithPrograms

import closing_line

WAIT = """
  MPI_Request request;
  MPI_Irecv(&data, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Send(&data, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD);
"""
GONE = """
  if (rank == 0) MPI_Reduce(&rank, &data, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  else MPI_Reduce(&rank, &data, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
"""


class Messages(WithPrograms):
    def only_finding(self, source, ranks, *options, verb="check"):
        program = self.compile(source)
        if verb == "check":
            report = self.check(program, ranks, "--quiet", *options, status=1)
        else:
            done = self.rehearse("run", "-n", ranks, *options, "--json", "-", program, status=1)
            report = json.loads(done.stdout)
        self.assertEqual(len(report["findings"]), 1, report["findings"])
        return report["findings"][0]

    def test_a_wait_tells_the_operation_and_its_line_in_both_modes(self):
        for verb in ("check", "run"):
            finding = self.only_finding(WAIT, 2, verb=verb)
            self.assertIn("for a message from rank 1 with tag 7 (MPI_Irecv at ", finding["message"])
            posted = [place for place in finding["locations"] if place["call"] == "MPI_Irecv"]
            waits = [place for place in finding["locations"] if place["call"].startswith("MPI_Wait(")]
            self.assertEqual([place["rank"] for place in posted], [0, 1])
            self.assertEqual({place["what"] for place in posted}, {"posted the receive that it waits for"})
            self.assertEqual({place["line"] for place in waits}, {posted[0]["line"] + 1})

    def test_who_is_past_a_reduction_has_a_line_and_an_operator(self):
        for verb, options in (("check", ["--collectives", "relaxed"]), ("run", [])):
            finding = self.only_finding(GONE, 2, *options, verb=verb)
            self.assertEqual(finding["id"], "collective.operator")
            self.assertIn("MPI_SUM", finding["message"])
            self.assertIn("MPI_MAX", finding["message"])
            lines = {place["line"] for place in finding["locations"]}
            self.assertEqual(len(lines), 2, finding["locations"])

    def test_the_first_collective_that_differs_is_reported_and_not_the_second(self):
        source = """
  int all[2];
  if (rank == 0) {
    MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gather(&data, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } else {
    MPI_Gather(&data, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }"""
        for verb, options in (("check", ["--collectives", "relaxed"]), ("check", ["--all"]), ("run", [])):
            finding = self.only_finding(source, 2, *options, verb=verb)
            self.assertEqual(finding["id"], "collective.operation")
            self.assertIn("as the 1st collective on MPI_COMM_WORLD", finding["message"])

    def test_the_advice_to_a_rank_that_waits_for_itself_fits(self):
        finding = self.only_finding("MPI_Ssend(&data, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);", 1)
        self.assertEqual(finding["id"], "deadlock.cycle")
        self.assertIn("waits for a call of its own", finding["advice"])
        reported = self.rehearse("explain", "rehearse-counterexample.json").stdout
        self.assertIn("waits for a call of its own", " ".join(reported.split()))
        self.assertNotIn("Let one of them receive first", " ".join(reported.split()))

    def test_monte_has_one_finding_for_all_its_workers(self):
        program = self.compile(EXAMPLES / "classics" / "monte.c")
        report = self.check(program, 6, "--quiet", "--all", "--buffering", "zero", "--max-executions", "200", status=1)
        deadlocks = [finding for finding in report["findings"] if finding["id"] == "deadlock.cycle"]
        self.assertEqual(len(deadlocks), 1, deadlocks)
        self.assertTrue(deadlocks[0]["likewise"])
        self.assertEqual({len(ranks) for ranks in deadlocks[0]["likewise"]}, {len(deadlocks[0]["ranks"])})
        reported = self.rehearse("check", "-n", 6, "--all", "--buffering", "zero", "--max-executions", 200, program,
                             status=1).stderr
        self.assertEqual(reported.count("deadlock.cycle"), 1, reported)
        self.assertRegex(reported, r"\(likewise with ranks? \d")

    def test_without_debug_information_functions_are_reported_and_g_once(self):
        self.run_program("strip", "--strip-debug", self.compile(WAIT))
        self.rehearse("check", "-n", 2, "--quiet", self.folder / "program", status=1)
        reported = self.rehearse("explain", "rehearse-counterexample.json").stdout
        self.assertIn("rank 0 in main; compile with -g for lines", reported)
        self.assertIn("rank 1 in main\n", reported)
        self.assertEqual(reported.count("compile with -g"), 1)
        self.assertNotIn("at in", reported)

    def test_a_null_buffer_is_no_bottom_and_numbers_have_no_foreign_names(self):
        finding = self.only_finding("if (rank == 0) MPI_Send(NULL, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);", 2)
        self.assertIn("MPI_Send(NULL, 1, MPI_INT", finding["locations"][0]["call"])
        self.assertIn("1 element is to be moved", finding["message"])
        finding = self.only_finding("if (rank == 0) MPI_Send(&data, 1, MPI_INT, 1, -1, MPI_COMM_WORLD);", 2)
        self.assertIn("the tag is -1, but tags are 0 to", finding["message"])
        self.assertNotIn("MPI_ANY_SOURCE", json.dumps(finding))


if __name__ == "__main__":
    closing_line.main()
