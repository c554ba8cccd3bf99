#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The fifteen mistakes that were found in another checker of MPI programs (SimGrid's, up to 4.2): one test each, named
by the mistake, in the order of that list. What concerns objects that actors share is tested over the actor API, in
tests/unit/mc/peer_checker_mistakes_test.cpp.
"""
import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from checking import WithPrograms  # noqa: E402

import closing_line  # noqa: E402  (found by checking)

FAN_IN = """
  if (rank == 0) for (int i = 1; i < size; ++i)
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"""

CROSSED_SENDS = """
  MPI_Ssend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(&data, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"""


class PeerCheckerMistakes(WithPrograms):
    def counts(self, program, ranks, executions, blocked=0, verdict="verified", brute_force=True):
        """All executions are visited, each once; with every interleaving the same ones."""
        for reduction in ("matching", "none") if brute_force else ("matching",):
            status = 0 if verdict == "verified" else 1
            report = self.check(program, ranks, "--buffering", "infinite", "--all", "--reduction", reduction,
                                status=status)
            self.assertEqual((report["verdict"], report["executions"], report["blocked"]),
                             (verdict, executions, blocked), reduction)
            self.assertEqual(report["duplicates"] if reduction == "matching" else 0, 0)

    def fails_in_some_execution(self, statements, ranks):
        report = self.check(self.compile(statements, "failing"), ranks, status=1)
        self.assertEqual(report["verdict"], "violation")
        return report["findings"][0]

    def test_01_test_never_says_yes(self):
        test = """
  MPI_Request request;
  int flag = 0;
  if (rank == 0) {
    MPI_Irecv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    %s
    if (!flag) MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }"""
        self.counts(self.compile(test % ""), 2, 2)
        for belief in ("!flag", "flag"):
            finding = self.fails_in_some_execution(test % f"assert({belief});", 2)
            self.assertIn(f"main: {belief}", finding["message"])

    def test_02_testany_ends_the_checker_or_has_one_outcome(self):
        """Which request it reports: none, or any of those whose message may be there."""
        testany = """
  MPI_Request requests[3];
  int values[3], index, flag;
  if (rank == 0) {
    for (int i = 0; i < 3; ++i) MPI_Irecv(&values[i], 1, MPI_INT, 1 + (i & 1), i, MPI_COMM_WORLD, &requests[i]);
    MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE);
    %s
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int i = rank - 1; i < 3; i += 2) MPI_Send(&rank, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
  }"""
        self.counts(self.compile(testany % ""), 3, 4)
        for outcome in ("!flag", "index != 0", "index != 1", "index != 2"):
            finding = self.fails_in_some_execution(testany % f"assert({outcome});", 3)
            self.assertIn(f"main: {outcome}", finding["message"])

    def test_03_waitany_reports_requests_in_their_order(self):
        waitany = """
  MPI_Request requests[2];
  int values[2], index;
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) MPI_Irecv(&values[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    %s
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    assert(values[0] == 10 && values[1] == 11);
  } else {
    for (int i = 10; i < 12; ++i) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }"""
        self.counts(self.compile(waitany % ""), 2, 2)
        self.fails_in_some_execution(waitany % "assert(index == 0);", 2)
        self.fails_in_some_execution(waitany % "assert(index == 1);", 2)

    def test_04_a_random_search_that_has_not_seen_all_reports_success(self):
        program = self.compile(FAN_IN)
        self.counts(program, 6, math.factorial(5), brute_force=False)
        for seed in range(4):
            report = self.check(program, 6, "--search", "random:2000", "--seed", seed, status=3)
            self.assertEqual((report["verdict"], report["exhaustive"]), ("inconclusive", False))
            self.assertEqual(report["executions"], math.factorial(5))  # in the end it has seen all, and does not know
            report = self.check(program, 6, "--search", "random:30", "--seed", seed, status=3)
            self.assertLessEqual(report["executions"], 30)

    def test_05_06_more_choices_than_fit_in_a_byte(self):
        """A call with over 255 outcomes: which of 300 requests is over. With two ranks that do so, all pairs."""
        statements = """
  enum { n = 300 };
  MPI_Request requests[n];
  int values[n], index;
  if (rank == 0) {
    for (int i = 0; i < n; ++i) MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
    %s
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int i = 0; i < n; ++i) MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
  }"""
        self.counts(self.compile(statements % ""), 2, 300, brute_force=False)
        for outcome in (0, 255, 256, 299):
            self.fails_in_some_execution(statements % f"assert(index != {outcome});", 2)

    def test_07_a_nonblocking_barrier_does_not_wait_for_all(self):
        """Rank 1 is past the barrier only when rank 0 has entered it, which waits for a message of rank 1."""
        statements = """
  MPI_Request request;
  if (rank == 0) MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"""
        for root in (0, 2):
            swapped = statements.replace("rank == 0", f"rank == {root}").replace("INT, 0, 0", f"INT, {root}, 0")
            program = self.compile(swapped, f"root_{root}")
            self.counts(program, 3, 1, blocked=1, verdict="violation")
            finding = self.check(program, 3, status=1)["findings"][0]
            self.assertTrue(finding["id"].startswith("deadlock."), finding["id"])

    def test_08_messages_arrive_in_causal_order(self):
        """A message that was sent earlier, but over a longer way, may be received later."""
        forwarding = """
  int from[2] = {0, 0};
  if (rank == 0) for (int i = 0; i < 2; ++i)
    MPI_Recv(&from[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
  if (rank == 2) MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  %s"""
        self.counts(self.compile(forwarding % ""), 3, 2)
        finding = self.fails_in_some_execution(forwarding % "assert(rank != 0 || from[0] == 1);", 3)
        self.assertNotIn("zero", finding.get("policy", []))  # a send that waits is over before the other begins

        crooked = """
  MPI_Request request = MPI_REQUEST_NULL;
  int first = 0;
  if (rank == 0) MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Isend(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 2) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  %s"""
        self.counts(self.compile(crooked % ""), 3, 2)
        self.fails_in_some_execution(crooked % "assert(rank != 0 || first == 1);", 3)

    def test_09_a_barrier_that_is_used_again_is_reported_as_a_crash(self):
        program = self.compile("""
  for (int i = 0; i < 4; ++i) {
    int sum = 0, before = 0, one = 1;
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Exscan(&one, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    assert(sum == rank + 1 && before == rank);
  }""")
        for ranks in (2, 4, 7):
            self.counts(program, ranks, 1, brute_force=False)

    def test_10_probe_is_not_supported(self):
        probe = """
  MPI_Status status;
  if (rank == 0) for (int i = 1; i < size; ++i) {
    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    MPI_Recv(&data, 1, MPI_INT, %s, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(data == status.MPI_SOURCE);
  } else
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);"""
        self.counts(self.compile(probe % "status.MPI_SOURCE"), 3, 2)
        self.counts(self.compile(probe % "status.MPI_SOURCE"), 5, 24, brute_force=False)
        self.fails_in_some_execution(probe % "MPI_ANY_SOURCE", 3)
        self.counts(self.compile("  if (rank == 0) MPI_Probe(1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", "nobody"),
                    2, 1, blocked=1, verdict="violation")

    def test_11_loops_of_polls_do_not_end(self):
        spin = """
  MPI_Request request;
  int flag = 0;
  if (rank == 0) {
    MPI_Irecv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  } else if (%s) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }"""
        report = self.check(self.compile(spin % "1"), 2)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 2))
        report = self.check(self.compile(spin % "0", "nobody"), 2, status=1)
        self.assertTrue(report["findings"][0]["id"].startswith("progress."), report["findings"])

    def test_12_more_than_thirty_ranks_are_refused(self):
        program = self.compile("""
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  MPI_Sendrecv(&rank, 1, MPI_INT, next, 0, &data, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  assert(data == previous);""")
        for ranks in (31, 32, 64, 65, 300):
            self.counts(program, ranks, 1, brute_force=False)

    def test_13_thread_local_variables_are_shared_and_programs_are_judged_by_their_names(self):
        """And what is not supported (threads) is said instead of passed over."""
        private = """
  static __thread int mine;
  static int also_mine;
  mine = also_mine = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  assert(mine == rank && also_mine == rank);"""
        self.counts(self.compile(private), 4, 1)
        for name in ("ls", "sh", "rm", "cat", "wc", "sed", "make"):
            report = self.check(self.compile(CROSSED_SENDS, name), 2, status=1)
            self.assertEqual(report["findings"][0]["id"], "deadlock.cycle")
        (self.folder / "thread.c").write_text("""
#include <mpi.h>
#include <pthread.h>
static void* nothing(void* argument) { return argument; }
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  pthread_t thread;
  pthread_create(&thread, NULL, nothing, NULL);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
""")
        done = self.rehearse("check", "-n", 2, self.compile(self.folder / "thread.c", "thread"), status=3)
        self.assertIn("pthread_create", done.stdout + done.stderr)

    def test_14_a_deadlock_comes_with_an_empty_trace(self):
        """Whatever finds it, what was found happens again."""
        program = self.compile(CROSSED_SENDS)
        for options in ((), ("--search", "random:5"), ("--reduction", "none")):
            report = self.check(program, 2, *options, status=1)
            self.assertEqual(report["findings"][0]["id"], "deadlock.cycle")
            written = json.loads((self.folder / "rehearse-counterexample.json").read_text())
            self.assertEqual(written["finding"]["id"], "deadlock.cycle")
            again = self.rehearse("replay", "rehearse-counterexample.json", "--json", "-", status=1)
            self.assertTrue(json.loads(again.stdout)["reproduced"])

    def test_15_a_bound_that_is_hit_is_a_success(self):
        program = self.compile(FAN_IN)
        for bound in (("--max-executions", 20), ("--max-seconds", 0.01), ("--max-memory", 30_000_000)):
            report = self.check(program, 12, *bound, status=3)
            self.assertEqual((report["verdict"], report["exhaustive"]), ("inconclusive", False))
            self.assertIn(bound[0], report["reasons"][0])


if __name__ == "__main__":
    closing_line.main()
