#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One-sided communication: data, epochs, locks and their time under run; verdicts and reasons of checks."""
import unittest

from checking import WithPrograms

WINDOW = """
  int memory[64] = {0}, value = 10 + rank, old = -1;
  MPI_Win win;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  (void)value; (void)old;
  %s
  MPI_Win_free(&win);
"""
FENCES = WINDOW % """
  MPI_Win_fence(0, win);
  MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
  MPI_Accumulate(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  MPI_Get(&old, 1, MPI_INT, (rank + size - 1) % size, 0, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  printf("%d %d %d\\n", memory[0], memory[1], old);
"""
HALO = WINDOW % """
  MPI_Group world, near;
  int both[2] = {(rank + 1) % size, (rank + size - 1) % size};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, size == 2 ? 1 : 2, both, &near);
  MPI_Win_post(near, 0, win);
  MPI_Win_start(near, 0, win);
  MPI_Put(&value, 1, MPI_INT, both[0], 0, 1, MPI_INT, win);
  MPI_Put(&value, 1, MPI_INT, both[1], 1, 1, MPI_INT, win);
  OPERATION
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  printf("%d %d %d\\n", memory[0], memory[1], old);
  MPI_Group_free(&world);
  MPI_Group_free(&near);
"""
TICKETS = WINDOW % """
  int one = 1;
  MPI_Win_lock_all(0, win);
  MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("ticket %d\\n", old);
"""
COUNTER = WINDOW % """
  for (int i = 0; i < 3; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    ++old;
    MPI_Put(&old, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d\\n", memory[0]);
"""

SUMS = WINDOW % """
  MPI_Win_lock_all(0, win);
  MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%d\\n", memory[0]);
"""
POLLS = WINDOW % """
  int found = 0, count = 0;
  (void)count;
  MPI_Win_lock_all(0, win);
  do {
    MPI_Fetch_and_op(NULL, &found, MPI_INT, 0, 0, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
  } while (found != 1000 CONDITION);
  MPI_Win_unlock_all(win);
"""
SIGNAL = WINDOW % """
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    FLUSH
    MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Win_unlock(1, win);
  } else {
    MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d\\n", memory[0]);
  }
"""
CYCLE = WINDOW % """
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, win);
  MPI_Win_unlock(1 - rank, win);
  MPI_Win_unlock(rank, win);
"""


class OneSided(WithPrograms):
    def watched(self, source):
        return self.compile(source, "watched", "--check-memory")

    def output(self, source, ranks, *options):
        return self.rehearse("run", "-n", ranks, "--quiet", *options, self.compile(source)).stdout.splitlines()

    def test_fences_move_data_there_and_back(self):
        self.assertEqual(sorted(self.output(FENCES, 3)), ["10 0 12", "11 0 10", "12 33 11"])

    def test_a_program_with_fences_is_verified_with_one_execution(self):
        report = self.check(self.watched(FENCES), 3)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))

    def test_a_program_whose_loads_and_stores_are_not_seen_is_inconclusive(self):
        report = self.check(self.compile(FENCES), 3, status=3)
        self.assertEqual((report["verdict"], report["findings"]), ("inconclusive", []))
        self.assertIn("loads and stores of window memory", report["reasons"][0])

    def test_neighbours_expose_and_put(self):
        program = HALO.replace("OPERATION", "")
        self.assertEqual(sorted(self.output(program, 4)), ["10 12 -1", "11 13 -1", "12 10 -1", "13 11 -1"])
        self.assertEqual(self.check(self.watched(program), 3)["verdict"], "verified")

    def test_a_get_in_a_start_epoch_needs_no_wait_of_its_target_and_is_not_explored(self):
        program = HALO.replace("OPERATION", "MPI_Get(&old, 1, MPI_INT, both[0], 5, 1, MPI_INT, win);")
        self.assertEqual(sorted(self.output(program, 3)), ["10 12 0", "11 10 0", "12 11 0"])
        report = self.check(self.watched(program), 3, status=3)
        self.assertIn("MPI_Get is not supported yet", report["reasons"][0])

    def test_start_may_wait_for_the_post(self):
        program = HALO.replace("OPERATION", "").replace("MPI_Win_post(near, 0, win);\n", "").replace(
            "MPI_Win_wait(win);", "MPI_Win_post(near, 0, win); MPI_Win_wait(win);")
        self.assertEqual(len(self.output(program, 3)), 3)
        finding = self.check(self.compile(program), 3, status=1)["findings"][0]
        self.assertTrue(finding["id"].startswith("deadlock."), finding)
        self.assertIn("MPI_Win_start", finding["message"])

    def test_each_rank_gets_its_own_ticket(self):
        self.assertEqual(sorted(self.output(TICKETS, 5)), [f"ticket {i}" for i in range(5)])

    def test_a_check_takes_the_tickets_in_every_order(self):
        for reduction in ("matching", "odpor"):
            report = self.check(self.watched(TICKETS), 3, "--reduction", reduction)
            self.assertEqual((report["verdict"], report["executions"], report["duplicates"]), ("verified", 6, 0))

    def test_jobs_share_the_orders_of_tickets(self):
        report = self.check(self.watched(TICKETS), 4, "--jobs", 2)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 24))

    def test_ranks_that_only_accumulate_have_one_execution(self):
        report = self.check(self.watched(SUMS), 3)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))

    def test_exclusive_locks_protect_a_counter(self):
        self.assertEqual(self.output(COUNTER, 4), ["12"])
        report = self.check(self.watched(COUNTER), 2)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 20))  # 6 over 3 orders of sections

    def test_a_shared_lock_does_not_protect_a_counter(self):
        program = self.watched(COUNTER.replace("MPI_LOCK_EXCLUSIVE", "MPI_LOCK_SHARED"))
        report = self.check(program, 2, "--counterexample", "race.json", status=1)
        race = report["findings"][0]
        self.assertEqual(race["id"], "rma.race")
        self.assertEqual(len({at["line"] for at in race["locations"]}), 2)
        self.assertIn("MPI_Put", race["message"])
        replayed = self.rehearse("replay", "race.json", status=1)
        self.assertIn("reproduced rma.race", replayed.stderr + replayed.stdout)

    def test_a_message_without_a_flush_does_not_order_a_put(self):
        for flush, verdict in (("", "violation"), ("MPI_Win_flush(1, win);", "verified")):
            report = self.check(self.watched(SIGNAL.replace("FLUSH", flush)), 2, status=1 if flush == "" else 0)
            self.assertEqual(report["verdict"], verdict)

    def test_a_loop_that_gives_up_polling_is_no_deadlock(self):
        few = self.watched(POLLS.replace("CONDITION", "&& ++count < 30"))
        self.assertEqual(self.check(few, 1)["verdict"], "verified")
        for condition in ("&& ++count < 300", ""):
            report = self.check(self.watched(POLLS.replace("CONDITION", condition)), 1, status=3)
            self.assertEqual(report["findings"], [])
            self.assertIn("more than 100 times in a row", report["reasons"][0])

    def test_locks_in_opposite_orders_are_a_deadlock_that_names_both_ranks(self):
        report = self.check(self.watched(CYCLE), 2, status=1)
        deadlock = report["findings"][0]
        self.assertEqual(deadlock["id"], "deadlock.cycle")
        self.assertEqual(deadlock["ranks"], [0, 1])
        self.assertIn("MPI_Win_lock", deadlock["message"])

    def test_a_lock_that_nobody_gives_back_is_a_deadlock_that_names_its_holder(self):
        program = self.compile(WINDOW % """
          if (rank == 0) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
            MPI_Recv(&data, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Win_unlock(1, win);
          } else if (rank == 2) {
            MPI_Barrier(MPI_COMM_SELF);
            MPI_Sendrecv(&data, 1, MPI_INT, 0, 1, &data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          }
        """)
        self.assertIn("deadlock", self.rehearse("run", "-n", 3, program, status=1).stderr)

    def test_the_data_of_a_put_takes_time_and_overlaps_with_computation(self):
        program = WINDOW.replace("memory[64] = {0}", "*memory = calloc(1 << 20, 4)").replace(
            "sizeof memory", "4 << 20") % """
          MPI_Win_fence(0, win);
          double begin = MPI_Wtime();
          if (rank == 0) MPI_Put(memory, 1 << 20, MPI_INT, 1, 0, 1 << 20, MPI_INT, win);
          double issued = MPI_Wtime();
          MPI_Win_fence(0, win);
          double done = MPI_Wtime();
          if (rank == 0) printf("%d %d\\n", issued - begin < 1e-4, done - begin > 1e-3);
        """
        self.assertEqual(self.output(program, 2), ["1 1"])

    def test_memory_of_a_shared_window_is_shared_in_time_and_not_explored(self):
        program = """
          int* mine;
          int* first;
          MPI_Aint bytes;
          int unit;
          MPI_Win win;
          MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
          MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
          *mine = 100 + rank;
          MPI_Win_sync(win);
          MPI_Barrier(MPI_COMM_WORLD);
          MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
          printf("%d %d %d\\n", first[0], first[size - 1], (int)bytes);
          MPI_Win_unlock_all(win);
          MPI_Win_free(&win);
        """
        self.assertEqual(self.output(program, 3), ["100 102 4"] * 3)
        report = self.check(self.watched(program), 2, status=3)
        self.assertIn("MPI_Win_allocate_shared is not supported yet", report["reasons"][0])

    def test_a_recording_refuses_operations_that_its_format_does_not_have(self):
        done = self.rehearse("trace", "record", "-n", 3, "-o", "run.rtrace", self.compile(FENCES), status=3)
        self.assertIn("one-sided communication", done.stderr)


if __name__ == "__main__":
    unittest.main()
