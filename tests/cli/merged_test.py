#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Merged states of MPI programs: what counts as equal memory of a rank, errors, and features that are not merged."""
import unittest

from checking import WithPrograms

import closing_line

SUM = """
  int total = 0;
  if (rank == 0) {
    for (int i = 1; i < size; ++i) {
      %s
      total += data;
      assert(total != bad);
    }
  } else {
    data = 1 << (rank - 1);
    MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
BAD = "const int bad = %d;"
RECEIVE = "MPI_Status status; MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);"
RECEIVE_LATER = """
      MPI_Request request;
      MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
"""


# Fills the stack below the caller's frame, as functions that have returned do.
SCRIBBLE = """
  __attribute__((noinline)) void scribble(int value) {
    volatile unsigned char junk[6000];
    for (int k = 0; k < 6000; ++k) junk[k] = (unsigned char)(value + k);
  }
"""


def errors_of(report):
    return sorted(f["id"] for f in report["findings"] if f["severity"] == "error")


class Merged(WithPrograms):
    def merged(self, source, ranks, *options, status=0, bad=-1):
        program = self.compile(BAD % bad + source)
        return self.check(program, ranks, "--reduction", "merged", *options, status=status)

    def states_of(self, source, ranks):
        report = self.merged(source, ranks, "--buffering", "infinite", "--collective-synchronisation", "relaxed")
        self.assertEqual(report["verdict"], "verified")
        self.assertIsNone(report["executions"])
        return report["merged"]["states"]

    def assert_merged(self, source, ranks):
        """Each set of messages has one state, or two where something else in memory differs; not one per order."""
        states = self.states_of(source, ranks)
        self.assertGreaterEqual(states, 2 ** (ranks - 1))
        self.assertLess(states, 2 ** ranks)

    def test_a_sum_of_n_messages_has_about_2_to_the_n_states(self):
        for ranks in (3, 6, 9):
            self.assert_merged(SUM % RECEIVE, ranks)

    def test_blocks_that_are_freed_are_no_part_of_the_state(self):
        use = "int* copy = malloc(400); for (int k = 0; k < 100; ++k) copy[k] = data; data = copy[99]; free(copy);"
        self.assert_merged(SUM % (RECEIVE + use), 6)

    def test_what_earlier_functions_left_on_the_stack_is_no_part_of_the_state(self):
        """Not even where a frame of the call has parts that the call does not write."""
        calls = {"MPI_Recv": RECEIVE,
                 "MPI_Wait": "MPI_Request r; MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &r);"
                             "scribble(data + i); MPI_Wait(&r, MPI_STATUS_IGNORE);",
                 "MPI_Sendrecv": "MPI_Sendrecv(&i, 1, MPI_INT, MPI_PROC_NULL, 0, &data, 1, MPI_INT, MPI_ANY_SOURCE, 0,"
                                 "MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
                 "MPI_Allreduce": RECEIVE + "MPI_Allreduce(MPI_IN_PLACE, &data, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);"}
        for name, call in calls.items():
            with self.subTest(name):
                clean, junk = (self.states_of(SCRIBBLE + SUM % (f"scribble({value});" + call), 6)
                               for value in ("0", "data * 31"))
                self.assertEqual(clean, junk)

    def test_the_order_in_which_requests_end_is_no_part_of_the_state(self):
        """Only which requests ended, and perhaps which one was the last, if a variable still has its number."""
        source = """
  MPI_Request requests[8];
  int values[8], total = 0, which;
  (void)bad;
  if (rank == 0) {
    for (int i = 1; i < size; ++i) MPI_Irecv(&values[i - 1], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
    for (int i = 1; i < size; ++i) {
      MPI_Waitany(size - 1, requests, &which, MPI_STATUS_IGNORE);
      total += values[which];
    }
    assert(total == size * (size - 1) / 2);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
        for ranks in (5, 8):
            requests = ranks - 1
            states = self.states_of(source, ranks)
            self.assertGreaterEqual(states, 2 ** requests)
            self.assertLess(states, requests * 2 ** requests)

    def test_gaps_of_blocks_do_not_show_the_blocks_that_were_there_before(self):
        use = """
      char* junk = malloc(24);
      memset(junk, data, 24);
      free(junk);
      struct { double value; char kind; int count; }* kept = malloc(sizeof *kept);
      kept->value = 1;
      kept->kind = 2;
      kept->count = 3;
"""
        self.assert_merged(SUM % (RECEIVE + use), 6)

    def test_a_program_that_remembers_the_order_has_a_state_for_each_order(self):
        remember = "static int order[8]; order[i] = data;"
        self.assertGreaterEqual(self.states_of(SUM % (RECEIVE + remember), 5), 24)

    def test_every_wrong_partial_sum_is_found(self):
        for bad in (1, 4, 5, 6, 7, 11, 15):
            report = self.merged(SUM % RECEIVE, 5, status=1, bad=bad)
            self.assertEqual(report["findings"][0]["id"], "assertion.failed")

    def test_a_violation_is_replayed(self):
        program = self.compile(BAD % 6 + SUM % RECEIVE)
        report = self.check(program, 4, "--reduction", "merged", status=1)
        plain = self.check(program, 4, status=1)
        self.assertEqual(errors_of(report), errors_of(plain))
        self.assertEqual(report["findings"][0].get("policy"), plain["findings"][0].get("policy"))
        self.check(program, 4, "--reduction", "merged", "--jobs", "2", "--counterexample", "bad.json", status=1)
        self.assertIn("violation: reproduced assertion.failed", self.rehearse("replay", "bad.json", status=1).stderr)
        self.assertIn("Critical decision", self.rehearse("explain", "bad.json").stdout)

    def test_saving_merged_states_is_refused_by_name(self):
        program = self.compile(BAD % -1 + SUM % RECEIVE)
        for option in ("--save", "--resume"):
            done = self.rehearse("check", "-n", "3", "--reduction", "merged", option, "file", program, status=2)
            self.assert_one_error(done, option, "--reduction matching")

    def test_the_rest_of_a_buffer_behind_a_shorter_message_is_state(self):
        """Rank 0 sees which long message came before the short one."""
        source = """
  int pair[2] = {0, 0};
  if (rank == 0) {
    for (int i = 1; i < size; ++i) MPI_Recv(pair, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(pair[0] != 3 || pair[1] != 1);
  } else {
    pair[0] = rank;
    pair[1] = rank;
    MPI_Send(pair, rank == 3 ? 1 : 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  (void)bad;
"""
        report = self.merged(source, 4, status=1)
        self.assertEqual(report["findings"][0]["id"], "assertion.failed")
        right = self.merged(source.replace("pair[1] != 1", "pair[1] != 4"), 4)
        self.assertEqual(right["verdict"], "verified")

    def test_the_part_of_a_buffer_that_the_shortest_message_fills_is_no_state(self):
        """Rank 0 gets two messages of each other rank, a long and a short one: a state for each set of messages that it
        got, and for each sender of the last long one (or none). The last short one makes no difference."""
        source = """
  int numbers[8] = {0};
  (void)bad;
  if (rank == 0) {
    int total = 0;
    for (int i = 0; i < 2 * (size - 1); ++i) {
      MPI_Recv(numbers, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      total += numbers[0];
    }
    assert(total == 4 * size * (size - 1));
  } else {
    for (int k = 0; k < 8; ++k) numbers[k] = 3 * rank + k * k * rank;
    MPI_Send(numbers, 8, MPI_INT, 0, 0, MPI_COMM_WORLD);
    numbers[0] = 5 * rank;
    MPI_Send(numbers, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
  }
"""
        for ranks in (3, 4, 5):
            others = ranks - 1
            # Of 3^others sets, those with a long message have a state for each rank whose message it can be.
            most = 3 ** others * others
            self.assertLessEqual(self.states_of(source, ranks), most)

    def test_each_byte_behind_shorter_and_shorter_messages_is_state(self):
        """Messages of 6, 5, ... 1 numbers, more lengths than the search leaves out bytes for: the assertion fails only
        if they come in the order of their lengths, the long ones first."""
        source = """
  int numbers[6] = {0};
  if (rank == 0) {
    for (int i = 1; i < size; ++i)
      MPI_Recv(numbers, 6, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    int order = 0;
    for (int k = 0; k < size - 1; ++k) order = order * 10 + numbers[k];
    assert(order != bad);
  } else {
    for (int k = 0; k < 6; ++k) numbers[k] = rank;
    MPI_Send(numbers, rank, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
        report = self.merged(source, 7, "--buffering", "infinite", status=1, bad=123456)
        self.assertEqual(report["findings"][0]["id"], "assertion.failed")
        report = self.merged(source, 7, "--buffering", "infinite", bad=123465)
        self.assertEqual(report["verdict"], "verified")

    def test_deadlocks_and_lost_messages_are_those_of_matching(self):
        source = """
  (void)bad;
  if (rank == 0) {
    MPI_Status status;
    MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    if (status.MPI_SOURCE == 2) MPI_Recv(&data, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &status);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
"""
        program = self.compile(BAD % 0 + source)
        merged = self.check(program, 3, "--reduction", "merged", "--all", status=1)
        plain = self.check(program, 3, "--all", status=1)
        self.assertEqual(errors_of(merged), errors_of(plain))

    def test_what_is_not_merged_is_named(self):
        source = """
  int flag = 0;
  if (rank == 0) {
    MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  (void)bad;
"""
        report = self.merged(source, 2)
        self.assertEqual((report["verdict"], report["not_merged"]), ("verified", "probes"))
        self.assertEqual(report["executions"], 2)

    def test_a_long_exploration_is_decided_by_merged_states_without_being_asked(self):
        """Flow equations prove nothing here: for them, the message behind the barrier may as well come first. Nor do
        footprints, which do not support MPI_Irecv."""
        late = """
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == size - 1) MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&data, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
"""
        source = (SUM % RECEIVE_LATER).replace("i < size", "i < size - 1")
        source = source.replace("} else {", "} else if (rank < size - 1) {")
        report = self.check(self.compile(BAD % -1 + source + late, "late"), 13, "--buffering", "infinite",
                            "--collective-synchronisation", "relaxed")
        self.assertEqual((report["verdict"], report["executions"]), ("verified", None))
        self.assertGreaterEqual(report["merged"]["states"], 2 ** 11)
        self.assertNotIn("flow", report)
        self.assertNotIn("footprints", report)
        program = self.compile(BAD % -1 + SUM % RECEIVE)
        plain = self.check(program, 13, "--buffering", "infinite", "--reduction", "matching", "--max-executions",
                           "60000", status=3)
        self.assertEqual(plain["executions"], 60000)

    def test_a_rare_error_is_found_and_replayed(self):
        """Only if the messages of ranks 11 and 12 come first: in one of 66 orders, and the first ones are others."""
        program = self.compile(BAD % (1024 + 2048) + SUM % RECEIVE)
        report = self.check(program, 13, "--buffering", "infinite", "--counterexample", "rare.json", status=1)
        self.assertEqual(report["findings"][0]["id"], "assertion.failed")
        self.assertIn("violation: reproduced assertion.failed",
                      self.rehearse("replay", "rare.json", status=1).stderr)

    def test_mergeable_histories_are_counted(self):
        report = self.check(self.compile(BAD % -1 + SUM % RECEIVE), 4, "--count-merges")
        self.assertEqual(report["executions"], 6)
        local = report["local_histories"]
        self.assertGreater(local["mergeable"], 5)
        self.assertGreater(local["compared"], local["mergeable"])


if __name__ == "__main__":
    closing_line.main()
