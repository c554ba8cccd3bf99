#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shared windows: memory, operations, loads and stores under run; verdicts and reasons of checks."""
import unittest

from checking import WithPrograms

SHARED = """
  int* mine;
  int* first;
  MPI_Aint bytes;
  int unit;
  MPI_Win win;
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
  MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
  *mine = 0;
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  MPI_Barrier(MPI_COMM_WORLD);
  BODY
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
"""


class SharedWindows(WithPrograms):
    def output(self, source, ranks, *options):
        return self.rehearse("run", "-n", ranks, "--quiet", *options, self.compile(source)).stdout.splitlines()

    def shared(self, body, *flags):
        return self.compile(SHARED.replace("BODY", body), "shared", *flags)

    def test_memory_of_a_shared_window_is_shared(self):
        body = """*mine = 100 + rank; MPI_Barrier(MPI_COMM_WORLD);
                  printf("%d %d %d\\n", first[0], first[size - 1], (int)bytes);"""
        self.assertEqual(self.output(SHARED.replace("BODY", body), 3), ["100 102 4"] * 3)
        checked = "*mine = 100 + rank; MPI_Barrier(MPI_COMM_WORLD); if (first[size - 1] != 99 + size) abort();"
        report = self.check(self.shared(checked, "--check-memory"), 3)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 1))
        self.check(self.shared(checked.replace("99", "98"), "--check-memory"), 3, status=1)

    def test_an_empty_segment_with_memory_of_its_own_has_no_address(self):
        source = """
  int *mine, *other, unit;
  MPI_Aint bytes;
  MPI_Win win;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  MPI_Win_allocate_shared(rank == 1 ? 0 : 8, sizeof(int), info, MPI_COMM_WORLD, &mine, &win);
  for (int r = 0; r < size; ++r) {
    MPI_Win_shared_query(win, r, &bytes, &unit, &other);
    if ((other == NULL) != (r == 1) || bytes != (r == 1 ? 0 : 8) || (r == rank && other != mine)) abort();
  }
  MPI_Win_free(&win);
  MPI_Info_free(&info);
"""
        self.assertEqual(self.output(source, 3), [])
        self.assertEqual(self.check(self.compile(source, "watched", "--check-memory"), 3)["verdict"], "verified")

    def test_a_member_stores_into_the_segment_of_another(self):
        body = """
          if (rank == 1) { first[0] = 7; MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD); }
          if (rank == 0) { MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                           if (*mine != 7) abort(); }
        """
        self.assertEqual(self.check(self.shared(body, "--check-memory"), 2)["verdict"], "verified")

    def test_loads_and_stores_of_a_shared_window_race(self):
        report = self.check(self.shared("*mine = 1; if (first[size - 1] == 5) abort();", "--check-memory"), 2, status=1)
        self.assertEqual(report["findings"][0]["id"], "rma.race")
        self.assertIn("a store of rank 1", report["findings"][0]["message"])
        self.assertIn("a load of rank 0", report["findings"][0]["message"])

    def test_operations_of_lock_epochs_reach_a_shared_window(self):
        put = """
  const int peer = (rank + 1) % size, value = 10 + rank;
  MPI_Win_unlock_all(win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
  MPI_Put(&value, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
  THEN
  MPI_Win_unlock(peer, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  assert(*mine == EXPECTED);
  MPI_Win_unlock(rank, win);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
"""
        plain = put.replace("THEN", "")
        # The origin loads what it has put, and stores there: its operation is complete.
        on = put.replace("THEN", "MPI_Win_flush(peer, win); assert(first[peer] == value); first[peer] = 99;")
        for body, expected in ((plain, "10 + (rank + size - 1) % size"), (on, "99")):
            right = body.replace("EXPECTED", expected)
            self.assertEqual(self.check(self.shared(right, "--check-memory"), 2)["verdict"], "verified")
            self.assertEqual(self.check(self.shared(right), 2, status=3)["findings"], [])
            self.check(self.shared(body.replace("EXPECTED", "0"), "--check-memory"), 2, status=1)

    def test_an_exclusive_lock_orders_loads_and_stores_of_a_shared_window(self):
        body = """
          MPI_Win_unlock_all(win);
          MPI_Barrier(MPI_COMM_WORLD);
          MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
          ++first[0];
          MPI_Win_unlock(0, win);
          MPI_Barrier(MPI_COMM_WORLD);
          if (first[0] != size) abort();
          MPI_Win_lock_all(0, win);
        """
        report = self.check(self.shared(body, "--check-memory"), 3)
        self.assertEqual((report["verdict"], report["executions"]), ("verified", 6))

    def test_a_put_races_with_a_load_of_a_third_member(self):
        body = """
          int one = 1;
          if (rank == 0) { MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); MPI_Win_flush(1, win); }
          if (rank == 2 && first[1] == 5) abort();
        """
        report = self.check(self.shared(body, "--check-memory"), 3, status=1)
        self.assertEqual(report["findings"][0]["id"], "rma.race")

    def test_without_loads_and_stores_a_shared_window_is_inconclusive_unless_two_members_change_a_byte(self):
        report = self.check(self.shared("*mine = 100 + rank; MPI_Barrier(MPI_COMM_WORLD);"), 2, status=3)
        self.assertIn("loads and stores of window memory", report["reasons"][0])
        report = self.check(self.shared("first[0] = 5 + rank; MPI_Barrier(MPI_COMM_WORLD);"), 2, status=1)
        self.assertEqual(report["findings"][0]["id"], "rma.race")

    def test_loops_that_poll_a_shared_window_by_loads_are_inconclusive(self):
        for loop in ("while (*(volatile int*)first == 0) {}", "while (*(volatile int*)first == 0) MPI_Win_sync(win);"):
            body = "if (rank == 1) { %s } else { first[0] = 1; }" % loop
            report = self.check(self.shared(body, "--check-memory"), 2, "--max-step-seconds", "1", status=3)
            self.assertIn("poll a shared window by loads", report["reasons"][0])

    def test_atomic_operations_in_c_on_a_shared_window_are_inconclusive(self):
        body = "__atomic_fetch_add(first, 1, __ATOMIC_SEQ_CST);"
        report = self.check(self.shared(body, "--check-memory"), 2, status=3)
        self.assertIn("atomic operations in C", report["reasons"][0])


if __name__ == "__main__":
    unittest.main()
